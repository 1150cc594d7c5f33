import PortolanServices
import Testing

@Suite struct WMSVersionTests {
    @Test(arguments: [
        ("1.0.0", WMSVersion.v1_0_0), ("1.0.7", .v1_0_0), ("1.1.0", .v1_1_0), ("1.1", .v1_1_0), ("1.1.1", .v1_1_1),
        ("1.1.3", .v1_1_1),
        ("1.2.0", .v1_1_1),
        ("1.3.0", .v1_3_0),
        (" 1.3 ", .v1_3_0),
        ("1.3.1", .v1_3_0),
        ("2.0.0", .v1_3_0),
    ])
    func `versions between two known ones are the lower one`(text: String, version: WMSVersion) {
        #expect(WMSVersion(text) == version)
    }

    @Test(arguments: ["", "x", "1.x.0", "1..0", "0.9.0", "1.3.0.0.0", "1.99999999999999999999.0", "-1.0.0"])
    func `what is no version is none`(text: String) {
        #expect(WMSVersion(text) == nil)
    }

    @Test func `versions are ordered`() {
        #expect(WMSVersion.allCases == WMSVersion.allCases.sorted())
    }
}
