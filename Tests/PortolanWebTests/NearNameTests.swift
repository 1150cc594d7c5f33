import PortolanWeb
import Testing

@Suite struct NearNameTests {
    private static let names = ["name", "name:en", "ref", "highway", "population"]

    @Test(arguments: [
        ("nmae", "name"), ("NAME", "name"), ("nam", "name"), ("name_en", "name:en"), ("rev", "ref"),
        ("populaton", "population"), ("higway", "highway"),
    ])
    func `a misspelt name gives the intended one`(wanted: String, meant: String) {
        #expect(NearName.nearest(to: wanted, in: Self.names) == meant)
    }

    @Test(arguments: ["", "title", "x", "wikipedia"])
    func `a dissimilar name has no suggestion`(wanted: String) {
        #expect(NearName.nearest(to: wanted, in: Self.names) == nil)
    }

    @Test func `among equally similar names the alphabetically first is suggested`() {
        #expect(NearName.nearest(to: "cat", in: ["hat", "bat"]) == "bat")
        #expect(NearName.nearest(to: "cat", in: ["bat", "hat"]) == "bat")
    }

    @Test func `long names are compared by case alone`() {
        let name = String(repeating: "a", count: 65)
        #expect(NearName.nearest(to: name.uppercased(), in: [name]) == name)
        #expect(NearName.nearest(to: name + "b", in: [name]) == nil)
    }
}
