import PortolanFeatures
import PortolanRaster
import PortolanWeb
import Testing

@testable import PortolanStyles

@Suite struct StyleSheetTests {
    private static func sheet(
        _ layers: String, sources: String = #""sources": {"a": {"type": "geojson"}},"#
    ) throws -> StyleSheet {
        try StyleSheet(bytes: Array(#"{"version": 8, \#(sources) "layers": [\#(layers)]}"#.utf8))
    }

    /// How a style without sources draws a feature with some properties.
    private static func style(
        _ layer: String, _ properties: Properties = [:],
        _ geometry: String = #"{"type": "Point", "coordinates": [1, 2]}"#,
        zoom: Double = 10
    ) throws -> Style? {
        let sheet = try sheet(#"{"id": "l", \#(layer)}"#, sources: "")
        let text = #"{"type": "Feature", "properties": {}, "geometry": \#(geometry)}"#
        var feature = try #require(try GeoJSONReader.read(Array(text.utf8)).features.first)
        feature.properties = properties
        var looks = FeatureStyler(
            try #require(sheet.layers.first), zoom: zoom, globalState: [:],
            pictures: StylePictures(sprites: [], pixelRatio: 1))
        let look = looks.look(of: feature)
        var style = look?.style
        if let border = look?.above?.stroke { style?.stroke = border }
        return style
    }

    private static let line = #"{"type": "LineString", "coordinates": [[0, 0], [1, 1]]}"#
    private static let area = #"{"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]}"#

    @Test func `the default of each property has the property's type`() {
        for key in StyleSheet.Key.allCases where key.facts.specification.defaultValue != nil && key != .heatmapColor {
            let type = key.facts.specification.type ?? .value
            #expect(key.defaultValue?.type.isSubtype(of: type) == true, "\(key.rawValue)")
        }
    }

    @Test(arguments: [
        ("5", StyleSheet.ParseError.Reason.noStyle(wanted: "an object")), ("{}", .noStyle(wanted: "a list of layers")),
        (#"{"version": 7, "layers": []}"#, .version), (#"{"layers": {}}"#, .noStyle(wanted: "a list of layers")),
        ("{\n\"layers\": [\n", .json(line: 3, "unexpected end of the document; expected a value")),
    ])
    func `an invalid style document is refused`(_ text: String, _ reason: StyleSheet.ParseError.Reason) {
        let error = #expect(throws: StyleSheet.ParseError.self) { try StyleSheet(bytes: Array(text.utf8)) }
        #expect(error?.reason == reason)
    }

    /// A fault of a layer, and the message after the layer's name.
    @Test(arguments: [
        (#""type": "sky""#, ": layers of type 'sky' are not drawn"),
        (#""type": "line", "source": "b""#, ": no such source in the style"),
        (#""type": "symbol", "layout": {"symbol-z-order": "viewport-y"}"#, ", symbol-z-order: not drawn"),
        (
            #""type": "line", "paint": {"line-with": 2}"#,
            ", line-with: unknown property (did you mean 'line-width'?)"
        ),
        (
            #""type": "line", "paint": {"line-cap": "round"}"#,
            ", line-cap: no effect here; move it to 'layout'"
        ),
        (
            #""type": "line", "paint": {"line-width": "wide"}"#,
            ", line-width: expected number, found string; using the default"
        ),
        (
            #""type": "line", "paint": {"line-width": ["*", 2, ["got", "x"]]}"#,
            ", line-width: [2][0]: unknown expression 'got' (did you mean 'get'?); using the default"
        ),
        (
            #""type": "line", "filter": ["==", ["nothing", 1], 1]"#,
            ", filter: [1][0]: unknown expression 'nothing'; write a list as [\"literal\", [...]]; "
                + "the layer is not drawn"
        ),
        (
            #""type": "line"}, {"id": "x", "type": "fill""#,
            ": duplicate layer name; this layer is not drawn"
        ),
        (
            #""type": "fill", "paint": {"fill-color": ["case", ["feature-state", "on"], "red", "blue"]}"#,
            ", fill-color: a picture has no feature state; read as empty"
        ),
        (
            #""type": "fill-extrusion", "paint": {"fill-extrusion-height": ["get", "h"], "fill-extrusion-base": 3}"#,
            ", fill-extrusion-height: extrusions are drawn flat, as seen from above, without heights and walls"
        ),
        (
            #""type": "fill-extrusion", "paint": {"fill-extrusion-height": 0, "fill-extrusion-base": 3}"#,
            ", fill-extrusion-base: extrusions are drawn flat, as seen from above, without heights and walls"
        ),
    ])
    func `unsupported style features are reported with layer and property`(_ layer: String, _ words: String) throws {
        let warnings = try Self.sheet(#"{\#(layer.contains("source") ? "" : #""source": "a", "#)"id": "x", \#(layer)}"#)
            .warnings
        #expect(warnings.map(\.description) == ["layer 'x'" + words])
    }

    @Test func `unsupported sources and members are reported`() throws {
        let text = #"""
            {"version": 8, "terrain": {}, "sources": {"v": {"type": "video"}, "odd": 5}, "sprite": [{"id": "a", "url": "s"}],
             "state": {"on": {"default": true}}, "layers": []}
            """#
        let sheet = try StyleSheet(bytes: Array(text.utf8))
        #expect(sheet.warnings.map(\.subject.member) == ["terrain", "sources.v", "sources.odd"])
        #expect(sheet.sprites.map(\.url) == ["s"])
        #expect(sheet.globalState["on"] == true)
    }

    @Test func `an area is filled, with an outline if one is stated`() throws {
        let style = try #require(
            try Self.style(
                #""type": "fill", "paint": {"fill-color": "rgb(10,20,30)", "fill-opacity": 0.5, "fill-outline-color": ["get", "c"]}"#,
                ["c": "red"], Self.area))
        #expect(style.fill?.color == MapColor(red: 10, green: 20, blue: 30, alpha: 128))
        #expect(style.stroke?.color == MapColor(red: 255, green: 0, blue: 0, alpha: 128))
        #expect(style.stroke?.width == 1)
        #expect(try Self.style(#""type": "fill""#, [:], Self.area)?.fill?.color == .black)
        #expect(try Self.style(#""type": "fill""#, [:], Self.line) == nil)
    }

    @Test func `a line has its width, ends, dashes in widths, gap and offset`() throws {
        let style = try #require(
            try Self.style(
                #"""
                "type": "line", "layout": {"line-cap": "round", "line-join": "bevel"}, "paint": {"line-color": "#0f0",
                "line-width": {"stops": [[8, 2], [12, 6]]}, "line-dasharray": [1, 2], "line-gap-width": 3, "line-offset": -2}
                """#, [:], Self.line))
        let stroke = try #require(style.stroke)
        #expect(stroke.width == 4)
        #expect(stroke.dashes == [4, 8])
        #expect(stroke.gapWidth == 3)
        #expect(stroke.offset == -2)
        #expect(stroke.cap == .round)
        #expect(stroke.join == .bevel)
        #expect(stroke.miterLimit == 2)
        #expect(try Self.style(#""type": "line", "paint": {"line-width": 0}"#, [:], Self.line) == nil)
        // The defaults of the specification are not those of this library's own styles.
        let plain = try #require(try Self.style(#""type": "line""#, [:], Self.line)?.stroke)
        #expect(plain.width == 1)
        #expect(plain.cap == .butt)
        #expect(plain.join == .miter)
        #expect(plain.color == .black)
    }

    @Test func `a circle's border lies outside`() throws {
        let style = try Self.style(#""type": "circle", "paint": {"circle-radius": 6, "circle-stroke-width": 2}"#)
        guard case .shape(let marker)? = style?.marker else { return #expect(Bool(false), "there is no disc") }
        #expect(marker.radius == 7)
        #expect(marker.stroke?.width == 2)
    }

    @Test func `sections of a text can have their own size, font and colour`() throws {
        let style = try Self.style(
            #""type": "symbol", "layout": {"text-transform": "uppercase", "text-field": ["format", ["get", "name"], "#
                + #"{"font-scale": 1.5}, "ß", {}, "x", {"text-font": ["literal", ["Noto Sans Bold Italic"]], "text-color": "red"}]}, "#
                + #""paint": {"text-opacity": 0.5}"#, ["name": "Ä1"])
        let label = try #require(style?.label)
        var large = LabelSymbol.Span(length: 2), red = LabelSymbol.Span(length: 1)
        large.scale = 1.5
        red.color = MapColor(red: 255, green: 0, blue: 0).withOpacity(0.5)
        (red.family, red.weight, red.isItalic) = ("Noto Sans", 700, true)
        red.fontStack = "Noto Sans Bold Italic"
        #expect(label.template == "Ä1SSX")
        #expect(label.spans == [large, LabelSymbol.Span(length: 2), red])
        let plain = try Self.style(
            #""type": "symbol", "layout": {"text-field": ["format", "a", {}, ["get", "name"], {}]}"#, ["name": "b"])
        #expect(plain?.label?.template == "ab")
        #expect(plain?.label?.spans == [])
    }

    @Test func `sections of a text can be images and have a vertical alignment`() throws {
        let style = try Self.style(
            #""type": "symbol", "layout": {"text-transform": "uppercase", "text-field": ["format", ["image", "star"], "#
                + #"{"vertical-align": "center"}, " a", {"vertical-align": "top"}, ["image", "none"], {}]}, "#
                + #""paint": {"text-opacity": 0.5, "text-color": "red"}"#)
        let label = try #require(style?.label)
        #expect(label.template == "\u{FFFC} A")
        #expect(label.spans.map(\.length) == [1, 2])
        #expect(label.spans.map(\.verticalAlignment) == [.middle, .top])
        guard case .shape(let star)? = label.spans[0].picture else { return #expect(Bool(false), "there is no star") }
        #expect(star.shape == .star)
        #expect(star.fill?.color == MapColor(red: 255, green: 0, blue: 0))
        #expect(label.spans[0].color == MapColor.black.withOpacity(0.5) && label.spans[1].picture == nil)
    }

    @Test func `a text field resolves its tokens and text properties`() throws {
        let label = try #require(
            try Self.style(
                #"""
                "type": "symbol", "layout": {"text-field": "{name} ${x}", "text-transform": "uppercase", "text-size": 20,
                "text-font": ["Noto Sans Semi Bold Italic", "Arial Bold"], "text-anchor": "top-left", "text-offset": [0, 0.5]},
                "paint": {"text-color": "#333", "text-halo-color": "white", "text-halo-width": 2}
                """#, ["name": "Oulu", "x": "no"]
            )?.label)
        #expect(label.template == "OULU $NO")
        #expect(label.isPlain)
        #expect(label.size == 20)
        #expect(label.family == "Noto Sans,Arial")
        #expect(label.weight == 600)
        #expect(label.horizontalAlignment == .left)
        #expect(label.verticalAlignment == .top)
        #expect(label.offsetY == 10)
        #expect(label.outline?.width == 2)
        #expect(label.maximumWidth == 200)
        #expect(try Self.style(#""type": "symbol", "layout": {"text-field": ["get", "name"]}"#) == nil)
    }

    /// Distances of the text's box from the point, as MapLibre Native has them for a text of 24 pixels: seven less above and
    /// below, and two of padding more where there are several places.
    @Test(arguments: [
        (#""text-anchor": "top", "text-radial-offset": 1"#, 0.0, 17.0),
        (#""text-anchor": "bottom", "text-radial-offset": 1"#, 0, -17),
        (#""text-anchor": "right", "text-radial-offset": 1"#, -24, 0),
        (#""text-anchor": "top-left", "text-radial-offset": 1"#, 288.squareRoot(), 288.squareRoot() - 7),
        (#""text-variable-anchor": ["top"], "text-radial-offset": 1"#, 0, 19),
        (#""text-variable-anchor": ["left"], "text-radial-offset": 1"#, 26, 0),
        (#""text-variable-anchor": ["bottom-right"], "text-offset": [-1, 0.5]"#, -26, -7),
        (#""text-variable-anchor": ["top"], "text-offset": [1, 0.5], "text-padding": 7"#, 0, 12),
        (#""text-variable-anchor": ["center"], "text-radial-offset": 1"#, 0, 0),
    ])
    func `a text has the same distance from its point as in MapLibre`(_ keys: String, _ x: Double, _ y: Double) throws {
        let label = try #require(
            try Self.style(#""type": "symbol", "layout": {"text-field": "A", "text-size": 24, \#(keys)}"#)?.label)
        let offset = label.anchors.first.map { ($0.offsetX, $0.offsetY) } ?? (label.offsetX, label.offsetY)
        #expect(abs(offset.0 - x) < 1e-9 && abs(offset.1 - y) < 1e-9, "\(offset)")
    }

    @Test(arguments: [1.0, 1e6, 37_785_000, 1e300])
    func `sort keys of any magnitude order symbols`(_ number: Double) throws {
        let sorted = #""type": "symbol", "layout": {"text-field": "A", "symbol-sort-key": ["-", ["get", "n"]]}"#
        let low = try #require(try Self.style(sorted, ["n": .number(number)])?.label)
        let high = try #require(try Self.style(sorted, ["n": .number(2 * number)])?.label)
        #expect(high.priority > low.priority)
    }

    @Test func `a property without a value uses its default and is reported once`() throws {
        let sheet = try Self.sheet(
            #"{"id": "l", "type": "line", "paint": {"line-width": ["get", "w"], "line-color": ["to-color", ["get", "c"]]}}"#,
            sources: "")
        var looks = FeatureStyler(
            try #require(sheet.layers.first), zoom: 1, globalState: [:],
            pictures: StylePictures(sprites: [], pixelRatio: 1))
        let text = #"{"type": "Feature", "properties": {"w": "x", "c": "y"}, "geometry": \#(Self.line)}"#
        let feature = try #require(try GeoJSONReader.read(Array(text.utf8)).features.first)
        for _ in 0..<3 { #expect(looks.look(of: feature)?.style.stroke?.width == 1) }
        #expect(Set(looks.failures.keys) == [.lineWidth, .lineColor])
    }

    @Test func `a layer is drawn from its lowest zoom to below its highest`() throws {
        let layer = try #require(
            try Self.sheet(#"{"id": "l", "type": "line", "minzoom": 5, "maxzoom": 8}"#, sources: "").layers.first)
        #expect([4.9, 5, 7.9, 8].map(layer.isDrawn) == [false, true, true, false])
        let hidden = try Self.sheet(#"{"id": "l", "type": "line", "layout": {"visibility": "none"}}"#, sources: "")
        #expect(hidden.layers.first?.isDrawn(at: 5) == false)
    }

    @Test func `selected layers keep their losses`() throws {
        let lost = #""type": "line", "source": "a", "filter": ["nonsense"]"#
        let sheet = try Self.sheet(
            #"{"id": "a", "type": "line", "source": "a"}, {"id": "b", \#(lost)}, {"id": "c", \#(lost)}"#)
        func losses(_ names: [String]) -> [String?] {
            sheet.keeping(layers: names).sheet.losses.map { $0.warning.subject.styleLayer }
        }
        #expect(losses(["a"]) == [])
        #expect(losses(["a", "b"]) == ["b"])
        #expect(losses(["b", "c"]) == ["b", "c"])
    }
}
