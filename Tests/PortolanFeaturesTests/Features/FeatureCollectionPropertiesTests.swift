import PortolanFeatures
import PortolanGeo
import Testing

/// Choosing properties and the order of features.
@Suite struct FeatureCollectionPropertiesTests {
    private let collection = FeatureCollection(
        features: [
            ["n": 2, "t": "b"], ["n": 10.5, "t": "a"], ["t": "c"], ["n": "9", "t": "B"], ["n": 2, "t": "d"],
            ["n": .null],
        ].map { Feature(geometry: .point(Coordinate(x: 1, y: 2)), properties: $0) })

    @Test func `properties are selected in the given order`() throws {
        let selected = try collection.selecting(["t", "n", "t"])
        #expect(selected.features[0].properties.names == ["t", "n"])
        #expect(selected.features[2].properties.names == ["t"])
        #expect(selected.features[0].geometry == collection.features[0].geometry)
        #expect(collection.propertyNames == ["n", "t"])
    }

    @Test(arguments: [
        ("n", false, [0, 4, 1, 3, 2, 5]), ("n", true, [3, 1, 0, 4, 2, 5]), ("t", false, [3, 1, 0, 2, 4, 5]),
        ("t", true, [4, 2, 0, 1, 3, 5]),
    ])
    func `features are sorted with numbers before texts and missing values last`(
        name: String, isDescending: Bool, order: [Int]
    ) throws {
        let sorted = try collection.sorted(by: name, descending: isDescending)
        #expect(sorted.features == order.map { collection.features[$0] })
    }

    @Test func `an unknown name is an error that lists the known ones`() {
        let error = #expect(throws: UnknownPropertyError.self) { _ = try collection.selecting(["x"]) }
        #expect(error?.description == "no feature has the property 'x'; did you mean 'n'? available: n, t")
        #expect(throws: UnknownPropertyError.self) { _ = try collection.sorted(by: "name") }
        let empty = #expect(throws: UnknownPropertyError.self) {
            _ = try FeatureCollection(features: []).selecting(["name"])
        }
        #expect(empty?.description == "no feature has the property 'name'; features have no properties")
    }
}
