import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanStyles
import Testing

/// Legends of layers that a style draws.
@Suite struct RuleLegendTests {
    private static func line(_ kind: String, _ y: Double) -> Feature {
        Feature(
            geometry: .lineString([Coordinate(x: -50, y: y), Coordinate(x: 50, y: y)]),
            properties: ["kind": .string(kind)])
    }

    private static func square(_ kind: String, _ x: Double) -> Feature {
        let corners = [(x, 0.0), (x + 10, 0), (x + 10, 10), (x, 0)].map { Coordinate(x: $0.0, y: $0.1) }
        return Feature(geometry: .polygon([corners]), properties: ["kind": .string(kind)])
    }

    private static func symbols(_ sheet: StyleSheet, _ features: [Feature]) throws -> [Legend.Symbol] {
        var source = FeatureSource(features: features, crs: .webMercator)
        source.sheet = sheet
        let plan = MapPlanner(viewport: try View.make(), showsLegend: true).plan([MapLayer(name: "f", source: source)])
        guard case .symbols(let symbols, let more)? = plan.legend?.entries.first?.content else { return [] }
        #expect(plan.legend?.entries.count == 1)
        #expect(more == 0)
        return symbols
    }

    private static func sheet(_ layers: String) throws -> StyleSheet {
        try StyleSheet(bytes: Array(#"{"version": 8, "layers": [\#(layers)]}"#.utf8))
    }

    @Test func `each drawn rule is one sample, except the background`() throws {
        let symbols = try Self.symbols(
            Self.sheet(
                #"""
                {"id": "ground", "type": "background", "paint": {"background-color": "#eee"}},
                {"id": "wood", "type": "fill", "filter": ["==", "kind", "wood"],
                 "paint": {"fill-color": "#0f0", "fill-outline-color": "#080"}},
                {"id": "lake", "type": "fill", "filter": ["==", "kind", "lake"],
                 "paint": {"fill-color": "#00f", "fill-layer-opacity": 0.5}},
                {"id": "way", "type": "line", "metadata": {"portolan:title": "A way"}, "paint": {"line-color": [
                  "match", ["get", "kind"], "path", "#f00", "#000"], "line-width": 3}, "filter": ["==", "$type", "LineString"]},
                {"id": "canal", "type": "line", "filter": ["==", "kind", "canal"]},
                {"id": "late", "type": "circle", "minzoom": 24},
                {"id": "dot", "type": "circle", "paint": {"circle-color": "#ff0"}},
                {"id": "name", "type": "symbol", "layout": {"text-field": "x"}}
                """#),
            [
                Self.square("wood", 0), Self.square("lake", 20), Self.line("path", 5), Self.line("road", 9),
                Self.line("path", 7), Feature(geometry: .point(Coordinate(x: 1, y: 1))),
            ])
        #expect(symbols.map(\.text) == ["dot", "A way: path", "A way: other", "wood", "lake"])
        #expect(symbols.map(\.kind) == [.mark, .line, .line, .area, .area])
        #expect(symbols[1].style.stroke?.color == MapColor(css: "#f00"))
        #expect(symbols[2].style.stroke?.color == MapColor(css: "#000"))
        #expect(symbols[3].style.stroke?.color == MapColor(css: "#080"))
        #expect(symbols[4].style.fill?.color == MapColor(red: 0, green: 0, blue: 255, alpha: 128))
    }

    @Test func `a wider line below is the casing of the lines above it`() throws {
        let layers = #"""
            {"id": "casing", "type": "line", "paint": {"line-color": "#000",
              "line-width": ["match", ["get", "kind"], "main", 9, 5]}},
            {"id": "main", "type": "line", "filter": ["==", "kind", "main"], "paint": {"line-width": 6}},
            {"id": "minor", "type": "line", "filter": ["==", "kind", "minor"], "paint": {"line-width": 3}},
            {"id": "middle", "type": "line", "filter": ["==", "kind", "main"],
             "paint": {"line-width": 1, "line-dasharray": [4, 2]}}
            """#
        let roads = [Self.line("main", 1), Self.line("minor", 2), Self.line("minor", 3)]
        let symbols = try Self.symbols(Self.sheet(layers), roads)
        #expect(symbols.map(\.text) == ["minor", "middle"])
        #expect(symbols.map { $0.linesBeneath.map(\.width) } == [[5], [9, 6]])
        // What has no line above it is a rule by itself.
        let more = try Self.symbols(Self.sheet(layers), roads + [Self.line("track", 4)])
        #expect(more.map(\.text) == ["casing", "minor", "middle"])
        #expect(more.map { $0.linesBeneath.map(\.width) } == [[], [], [6]])
    }

    static let classes: [(layer: String, texts: [String], values: [String])] = [
        (
            ##""type": "fill", "paint": {"fill-color": ["step", ["get", "n"], "#f00", 1000, "#0f0", 25000, "#00f"]}"##,
            ["< 1,000", "1,000 – 25,000", "≥ 25,000"], ["#ff0000", "#00ff00", "#0000ff"]
        ),
        (
            ##""type": "fill", "paint": {"fill-color": ["match", ["get", "kind"], ["wood", "scrub"], "#0f0", "lake", "#00f", "#fff"]}"##,
            ["scrub, wood", "lake", "other"], ["#00ff00", "#0000ff", "#ffffff"]
        ),
        (
            ##""type": "fill", "paint": {"fill-color": ["case", ["==", ["get", "n"], 0], "#f00", ["<", ["get", "n"], 9], "#0f0", "#00f"]}"##,
            ["0", "< 9", "other"], ["#ff0000", "#00ff00", "#0000ff"]
        ),
        // Legacy stop functions.
        (
            ##""type": "fill", "paint": {"fill-color": {"property": "kind", "type": "categorical", "stops": [["wood", "#0f0"]], "default": "#fff"}}"##,
            ["wood", "other"], ["#00ff00", "#ffffff"]
        ),
        // At the zoom of the view.
        (
            ##""type": "fill", "paint": {"fill-color": ["step", ["zoom"], "#000", 0, ["match", ["get", "kind"], "wood", "#0f0", "#fff"]]}"##,
            ["wood", "other"], ["#00ff00", "#ffffff"]
        ),
        (##""type": "fill", "paint": {"fill-color": "#f00"}"##, ["rule"], ["#ff0000"]),
        // What no comparison of a property decides is one sample.
        (##""type": "fill", "paint": {"fill-color": ["to-color", ["get", "colour"], "#f00"]}"##, ["rule"], ["#ff0000"]),
    ]

    @Test(arguments: classes)
    func `each class that a colour distinguishes is a sample`(layer: String, texts: [String], values: [String]) throws {
        let symbols = try Self.symbols(Self.sheet(#"{"id": "rule", \#(layer)}"#), [Self.square("wood", 0)])
        #expect(symbols.map(\.text) == texts)
        #expect(symbols.map { $0.style.fill?.color } == values.map { MapColor(css: $0) })
    }

    @Test func `an interpolated colour is a ramp with ticks at its stops`() throws {
        let symbols = try Self.symbols(
            Self.sheet(
                ##"""
                {"id": "rule", "type": "fill", "paint": {"fill-opacity": 0.5, "fill-color": ["case", ["has", "n"],
                  ["interpolate", ["linear"], ["get", "n"], 0, "#f00", 1000, "#ff0", 4000, "#00f"], "#ccc"]}}
                """##), [Self.square("wood", 0)])
        #expect(symbols.map(\.kind) == [.ramp, .area] && symbols.map(\.text) == ["", "other"])
        let scale = try #require(symbols[0].scale)
        #expect(scale.ticks.map(\.text) == ["0", "1,000", "4,000"] && scale.ticks.map(\.value) == [0, 0.25, 1])
        // In the middle between two stops, with the opacity of the areas.
        let middle = try #require(scale.steps.first { $0.value == 0.125 }?.color)
        #expect(middle == MapColor(red: 255, green: 128, blue: 0, alpha: 128))
        #expect(symbols[0].summary == "0, 1,000, 4,000")
    }

    @Test func `an exponential ramp has the colours of its curve`() throws {
        let symbols = try Self.symbols(
            Self.sheet(
                ##"""
                {"id": "rule", "type": "line", "paint": {"line-color":
                  ["interpolate", ["exponential", 2], ["get", "n"], 0, "#000", 8, "#fff"]}}
                """##), [Self.line("a", 5)])
        let scale = try #require(symbols.first?.scale)
        // (2^4 − 1) / (2^8 − 1) of 255.
        #expect(scale.steps.first { $0.value == 0.5 }?.color == MapColor(red: 15, green: 15, blue: 15))
    }

    @Test func `an interpolated radius is a scale of discs, and a colour of another property has its own samples`()
        throws
    {
        let symbols = try Self.symbols(
            Self.sheet(
                ##"""
                {"id": "dot", "type": "circle", "paint": {
                  "circle-radius": ["interpolate", ["linear"], ["sqrt", ["get", "people"]], 0, 0, 100, 40],
                  "circle-color": ["step", ["get", "rate"], "#f00", 10, "#00f"]}}
                """##), [Feature(geometry: .point(Coordinate(x: 1, y: 1)), properties: ["people": 100, "rate": 1])])
        #expect(symbols.map(\.kind) == [.discs, .mark, .mark])
        #expect(symbols.map(\.text) == ["people", "< 10", "≥ 10"])
        #expect(symbols[0].scale?.steps.map(\.value) == [0, 40])
        let radii = symbols.dropFirst().map { symbol in
            if case .shape(let shape)? = symbol.style.marker { shape.radius } else { nil as Double? }
        }
        #expect(radii == [6, 6])
    }

    @Test(arguments: [
        ("de", ["< 1.000", "1.000 – 2.500,5", "≥ 2.500,5"], "andere"), ("fr-CH", ["< 1\u{202F}000"], "autres"),
    ])
    func `numbers and phrases are in the language of the style`(
        _ tag: String, _ texts: [String], _ other: String
    ) throws {
        let options = StyleSheet.Options(language: LabelLanguage(tag))
        func symbols(_ color: String) throws -> [Legend.Symbol] {
            let sheet =
                #"{"version": 8, "layers": [{"id": "rule", "type": "fill", "paint": {"fill-color": \#(color)}}]}"#
            return try Self.symbols(StyleSheet(bytes: Array(sheet.utf8), options: options), [Self.square("wood", 0)])
        }
        let steps = try symbols(##"["step", ["get", "n"], "#f00", 1000, "#0f0", 2500.5, "#00f"]"##)
        #expect(Array(steps.map(\.text).prefix(texts.count)) == texts)
        #expect(try symbols(##"["match", ["get", "kind"], "wood", "#f00", "#0f0"]"##).map(\.text) == ["wood", other])
    }

    @Test func `sizes and widths by number have samples as well`() throws {
        let discs = try Self.symbols(
            Self.sheet(
                #"{"id": "dot", "type": "circle", "paint": {"circle-radius": ["step", ["get", "n"], 3, 10, 6, 100, 12]}}"#
            ),
            [Feature(geometry: .point(Coordinate(x: 1, y: 1)))])
        let radii = discs.map { symbol in
            if case .shape(let shape)? = symbol.style.marker { shape.radius } else { nil as Double? }
        }
        #expect(discs.map(\.text) == ["< 10", "10 – 100", "≥ 100"])
        #expect(radii == [3, 6, 12])
        let lines = try Self.symbols(
            Self.sheet(
                #"{"id": "flow", "type": "line", "paint": {"line-width": ["interpolate", ["linear"], ["get", "n"], 1, 1, 9, 5]}}"#
            ),
            [Self.line("main", 1)])
        #expect(lines.map(\.text) == ["1", "9"])
        #expect(lines.map { $0.style.stroke?.width } == [1, 5])
    }

    @Test func `a heatmap has a sample of its colours`() throws {
        let symbols = try Self.symbols(
            Self.sheet(
                #"""
                {"id": "crowd", "type": "heatmap", "paint": {"heatmap-color":
                  ["interpolate", ["linear"], ["heatmap-density"], 0, "#fff", 1, "#f00"]}},
                {"id": "dot", "type": "circle"}
                """#), [Feature(geometry: .point(Coordinate(x: 1, y: 1)))])
        #expect(symbols.map(\.text) == ["dot", "crowd"])
        #expect(symbols.map(\.kind) == [.mark, .heat])
        #expect(symbols[1].scale?.ticks.map(\.text) == ["few", "many"])
        #expect(symbols[1].heat?.ramp.last?.color == MapColor(css: "#f00"))
    }

    @Test func `rules of an SLD are named by their titles, and areas have their borders`() throws {
        let sld = """
            <StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
            <NamedLayer><Name>l</Name><UserStyle><FeatureTypeStyle>
            <Rule><Name>r1</Name><Title>Deep wood</Title><ogc:Filter><ogc:PropertyIsEqualTo>
            <ogc:PropertyName>kind</ogc:PropertyName><ogc:Literal>wood</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter>
            <PolygonSymbolizer><Fill><CssParameter name="fill">#00ff00</CssParameter></Fill>
            <Stroke><CssParameter name="stroke">#008800</CssParameter></Stroke></PolygonSymbolizer></Rule>
            <Rule><Name>Else</Name><ElseFilter/><PolygonSymbolizer><Fill/></PolygonSymbolizer></Rule>
            </FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>
            """
        let symbols = try Self.symbols(
            StyleSheet(bytes: Array(sld.utf8)), [Self.square("wood", 0), Self.square("field", 20)])
        #expect(symbols.map(\.text) == ["Deep wood", "Else"])
        #expect(symbols.map(\.kind) == [.area, .area])
        #expect(symbols[0].style.stroke?.color == MapColor(css: "#008800") && symbols[1].style.stroke == nil)
    }
}
