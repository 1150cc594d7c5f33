import PortolanFeatures
import PortolanRaster
import Testing

/// The keys of simplestyle-spec 1.1.
struct SimpleStyleReaderTests {
    @Test
    func `lines and areas take colours, widths and opacities`() throws {
        var warnings: [FeatureWarning] = []
        let feature = Feature(
            geometry: nil,
            properties: [
                "stroke": "#ff0000", "stroke-width": 4, "stroke-opacity": 0.5, "fill": "00ff00", "fill-opacity": "0.2",
            ])
        let style = try #require(SimpleStyleReader.read(feature, warnings: &warnings)).style
        #expect(style.stroke?.color == Color(red: 255, green: 0, blue: 0, alpha: 128))
        #expect(style.stroke?.width == 4)
        #expect(style.fill?.color == Color(red: 0, green: 255, blue: 0, alpha: 51))
        #expect(warnings.isEmpty)
    }

    @Test(arguments: [("small", 7.0), ("medium", 9), ("large", 12)])
    func `a marker key gives points a pin of the size asked for`(size: String, radius: Double) throws {
        var warnings: [FeatureWarning] = []
        let feature = Feature(geometry: nil, properties: ["marker-size": .string(size), "marker-color": "#0f0"])
        let style = try #require(SimpleStyleReader.read(feature, warnings: &warnings)).style
        guard case .shape(let marker) = style.marker else { throw Unexpected() }
        #expect(marker.shape == .pin)
        #expect(marker.radius == radius)
        #expect(marker.fill?.color == Color(red: 0, green: 255, blue: 0))
    }

    @Test
    func `a pin without a colour is grey, and its symbol is warned about`() throws {
        var warnings: [FeatureWarning] = []
        let feature = Feature(id: 7, geometry: nil, properties: ["marker-symbol": "cafe"])
        let style = try #require(SimpleStyleReader.read(feature, warnings: &warnings)).style
        guard case .shape(let marker) = style.marker else { throw Unexpected() }
        #expect(marker.fill?.color == Color(red: 0x7E, green: 0x7E, blue: 0x7E))
        #expect(warnings.map(\.description).first?.hasPrefix("feature '7': marker-symbol: ") == true)
    }

    @Test
    func `a feature without such keys says nothing`() {
        var warnings: [FeatureWarning] = []
        #expect(SimpleStyleReader.read(Feature(geometry: nil, properties: ["a": 1]), warnings: &warnings) == nil)
    }

    @Test(
        arguments: [
            ["stroke": "none!"], ["marker-size": "huge"], ["stroke-width": []], ["fill-opacity": -0.1],
            ["fill": "12345"],
        ] as [Properties])
    func `a bad value is passed over with a warning`(properties: Properties) {
        var warnings: [FeatureWarning] = []
        let feature = Feature(geometry: nil, properties: properties)
        #expect(SimpleStyleReader.read(feature, warnings: &warnings) == StyleDeclaration())
        #expect(warnings.map(\.key) == [properties[0].name])
    }

    struct Unexpected: Error {}
}
