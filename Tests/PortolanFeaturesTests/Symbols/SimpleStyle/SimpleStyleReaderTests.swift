import PortolanFeatures
import PortolanRaster
import PortolanWeb
import Testing

/// The keys of simplestyle-spec 1.1.
struct SimpleStyleReaderTests {
    @Test
    func `lines and areas take colours, widths and opacities`() throws {
        var warnings: [MapWarning] = []
        let feature = Feature(
            geometry: nil,
            properties: [
                "stroke": "#ff0000", "stroke-width": 4, "stroke-opacity": 0.5, "fill": "00ff00", "fill-opacity": "0.2",
            ])
        let style = try #require(SimpleStyleReader.read(feature, warnings: &warnings)).style
        #expect(style.stroke?.color == MapColor(red: 255, green: 0, blue: 0, alpha: 128))
        #expect(style.stroke?.width == 4)
        #expect(style.fill?.color == MapColor(red: 0, green: 255, blue: 0, alpha: 51))
        #expect(warnings.isEmpty)
    }

    @Test(arguments: [("small", 7.0), ("medium", 9), ("large", 12)])
    func `a marker key gives points a pin of the requested size`(size: String, radius: Double) throws {
        var warnings: [MapWarning] = []
        let feature = Feature(geometry: nil, properties: ["marker-size": .string(size), "marker-color": "#0f0"])
        let style = try #require(SimpleStyleReader.read(feature, warnings: &warnings)).style
        guard case .shape(let marker) = style.marker else { throw Unexpected() }
        #expect(marker.shape == .pin)
        #expect(marker.radius == radius)
        #expect(marker.fill?.color == MapColor(red: 0, green: 255, blue: 0))
    }

    @Test
    func `a pin without a colour is grey, and an unknown symbol is a warning`() throws {
        var warnings: [MapWarning] = []
        let feature = Feature(id: 7, geometry: nil, properties: ["marker-symbol": "mammoth"])
        let style = try #require(SimpleStyleReader.read(feature, warnings: &warnings)).style
        guard case .shape(let marker) = style.marker else { throw Unexpected() }
        #expect(marker.fill?.color == MapColor(red: 0x7E, green: 0x7E, blue: 0x7E))
        #expect(warnings.map(\.description).first?.hasPrefix("feature '7': marker-symbol: ") == true)
    }

    @Test(arguments: [
        ("cafe", "cafe"), ("Cafe-15", "cafe"), ("a", "a"), ("Z", "z"), ("7", "7"), ("mountain", "triangle"),
        ("none", nil), ("", nil), ("-15", nil), ("aa", nil),
    ])
    func `a symbol is a Maki name, a letter or a digit`(text: String, name: String?) {
        var warnings: [MapWarning] = []
        let feature = Feature(geometry: nil, properties: ["marker-color": "#fff", "marker-symbol": .string(text)])
        let symbol = SimpleStyleReader.read(feature, warnings: &warnings)?.pinSymbol
        #expect(symbol?.name == name)
        #expect(warnings.isEmpty == (name != nil || text == "" || text == "none"))
    }

    @Test
    func `unset keys have the defaults of the specification`() throws {
        var warnings: [MapWarning] = []
        let gray = MapColor(red: 0x55, green: 0x55, blue: 0x55)
        let style = StyleResolver().style(
            for: Feature(geometry: nil, properties: ["stroke-opacity": 1]), warnings: &warnings)
        #expect(style.stroke?.color == gray)
        #expect(style.stroke?.width == 2)
        #expect(style.fill?.color == gray.withOpacity(0.6))
        guard case .shape(let pin) = style.marker else { throw Unexpected() }
        #expect(pin.shape == .pin)
        #expect(pin.fill?.color == MapColor(red: 0x7E, green: 0x7E, blue: 0x7E))
        #expect(pin.radius == 9)
        // What the layer says is stronger than they are.
        var defaults = StyleDeclaration()
        defaults.strokeWidth = 7
        let other = StyleResolver(defaults: defaults)
            .style(for: Feature(geometry: nil, properties: ["fill": "#fff"]), warnings: &warnings)
        #expect(other.stroke?.width == 7)
        #expect(other.stroke?.color == gray)
        #expect(other.fill?.color.alpha == 153)
        #expect(warnings.isEmpty)
    }

    @Test
    func `none disables drawing, and a colour enables it again`() {
        var warnings: [MapWarning] = []
        let nothing = Feature(
            geometry: nil, properties: ["stroke": "none", "fill": "None", "marker-color": "none"])
        let style = StyleResolver().style(for: nothing, warnings: &warnings)
        #expect(style == Style())
        var layer = StyleDeclaration()
        (layer.isFilled, layer.isStroked) = (false, false)
        let red = Feature(geometry: nil, properties: ["fill": "#f00"])
        let filled = StyleResolver(defaults: layer).style(for: red, warnings: &warnings)
        #expect(filled.fill != nil)
        #expect(filled.stroke == nil)
        #expect(warnings.isEmpty)
    }

    @Test
    func `a feature without such keys has no style`() {
        var warnings: [MapWarning] = []
        #expect(SimpleStyleReader.read(Feature(geometry: nil, properties: ["a": 1]), warnings: &warnings) == nil)
    }

    @Test(
        arguments: [
            ["stroke": "none!"], ["marker-size": "huge"], ["stroke-width": []], ["fill-opacity": -0.1],
            ["fill": "12345"],
        ] as [Properties])
    func `an invalid value is ignored with a warning`(properties: Properties) {
        var warnings: [MapWarning] = []
        let feature = Feature(geometry: nil, properties: properties)
        #expect(SimpleStyleReader.read(feature, warnings: &warnings) == StyleDeclaration())
        #expect(warnings.map(\.subject.member) == [properties[0].name])
    }

    @Test
    func `warnings contain no control characters of the document`() {
        var warnings: [MapWarning] = []
        let feature = Feature(
            id: "a\u{1B}[2J", geometry: nil, properties: ["marker-size": "\u{7F}arge", "stroke": "\u{1B}[31m"])
        _ = SimpleStyleReader.read(feature, warnings: &warnings)
        #expect(warnings.count == 2)
        for warning in warnings {
            #expect(!warning.description.unicodeScalars.contains { $0.properties.generalCategory == .control })
            #expect(!warning.message.unicodeScalars.contains { $0.properties.generalCategory == .control })
        }
    }

    struct Unexpected: Error {}
}
