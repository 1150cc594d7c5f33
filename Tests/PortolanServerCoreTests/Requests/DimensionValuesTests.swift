import PortolanServerCore
import PortolanServices
import Testing

@Suite struct DimensionValuesTests {
    @Test(arguments: [
        ("2020,2021", "2020", true), ("2020,2021", "2022", false), ("2020,2021", "2020-01-01", true),
        ("2020-01-01T00:00:00Z/2020-01-02T00:00:00Z/PT6H", "2020-01-01T18:00:00Z", true),
        ("2020-01-01T00:00:00Z/2020-01-02T00:00:00Z/PT6H", "2020-01-01T17:00:00Z", false),
        ("2020-01-01/2020-12-01/P1M", "2020-07-01", true), ("2020-01-01/2020-12-01/P1M", "2021-01-01", false),
        ("2020-01-01/2020-12-01", "2020-03-04T05:06:07.5Z", true), ("0/1/0", "0.123", true), ("0/1/0", "2", false),
        ("-5/5/2.5", "-2.5", true), ("-5/5/2.5", "-2", false), ("red,green", "green", true),
        ("red,green", "blue", false),
        ("", "anything", true), ("", "", false), ("1/2", "1/2", false), ("1,2", "1,2", false),
        ("nan/inf", "nan", false),
        ("1e999/2/1", "5", false), ("2020-13-45/2021/P1D", "2020-06-01", false),
    ])
    func `a value is one of the list`(values: String, value: String, isOne: Bool) {
        let facts = WMSCapabilities.Dimension(
            name: "time", units: "", unitSymbol: nil, defaultValue: nil, values: values, takesNearest: false,
            takesSeveral: false)
        #expect(DimensionValues(facts).contain(value) == isOne)
    }

    @Test func `four digits are a year for times alone`() {
        let facts = WMSCapabilities.Dimension(
            name: "elevation", units: "EPSG:5030", unitSymbol: "m", defaultValue: nil, values: "0/5000/10",
            takesNearest: false, takesSeveral: false)
        #expect(DimensionValues(facts).contain("1500"))
        #expect(!DimensionValues(facts).contain("1505"))
    }

    @Test func `any time will do if the nearest value is used`() {
        let facts = WMSCapabilities.Dimension(
            name: "time", units: "ISO8601", unitSymbol: nil, defaultValue: nil, values: "2020", takesNearest: true,
            takesSeveral: false)
        #expect(DimensionValues(facts).contain("2020-07-01T12:00Z"))
        #expect(!DimensionValues(facts).contain("noon"))
    }
}
