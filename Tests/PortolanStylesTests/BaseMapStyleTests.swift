import PortolanFeatures
import PortolanStyles
import Testing

struct BaseMapStyleTests {
    @Test(arguments: BaseMapStyle.allCases)
    func `each style is read without a warning`(_ style: BaseMapStyle) throws {
        let sheet = try StyleSheet(style.document(tiles: "mbtiles://city.mbtiles"))
        #expect(sheet.warnings.isEmpty)
        #expect(sheet.sources["openmaptiles"]?.type == "vector")
        #expect(sheet.layers.count == sheet.layerCount)
        #expect(Set(sheet.layers.map(\.id)).count == sheet.layerCount)
    }

    @Test func `both styles have the same layers`() throws {
        let light = try StyleSheet(BaseMapStyle.light.document(tiles: "")),
            dark = try StyleSheet(BaseMapStyle.dark.document(tiles: ""))
        #expect(light.layers.map(\.id) == dark.layers.map(\.id))
    }
}
