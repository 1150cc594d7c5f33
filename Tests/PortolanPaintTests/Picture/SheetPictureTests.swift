import PortolanFeatures
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import PortolanStyles
import PortolanTesting
import PortolanWeb
import Testing

/// Pictures of MapLibre styles.
@Suite struct SheetPictureTests {
    /// A sprite of a square with a border, twelve pixels wide, and of a disc as a distance field.
    private static func sprite() throws -> (index: [UInt8], image: PixelBuffer) {
        var image = PixelBuffer(size: try SampleScene.size(32, 20))
        for y in 0..<12 {
            for x in 0..<12 {
                let isBorder = min(x, y, 11 - x, 11 - y) < 2
                image[x, y] = Pixel(isBorder ? .sea : MapColor(red: 250, green: 220, blue: 120))
            }
        }
        for y in 0..<20 {
            for x in 0..<20 {
                let dx = Double(x) - 9.5, dy = Double(y) - 9.5
                let opacity = min(max(0.75 + (6 - (dx * dx + dy * dy).squareRoot()) / 8, 0), 1)
                image[12 + x, y] = Pixel(MapColor.black.withOpacity(opacity))
            }
        }
        let index = #"""
            {"box": {"x": 0, "y": 0, "width": 12, "height": 12, "pixelRatio": 1},
             "disc": {"x": 12, "y": 0, "width": 20, "height": 20, "pixelRatio": 1, "sdf": true}}
            """#
        return (Array(index.utf8), image)
    }

    /// The drawing of features by layers in a picture of 240 by 160 pixels, a metre each.
    private static func picture(
        _ layers: String, _ features: [Feature], width: Int = 240, height: Int = 160, rotation: Double = 0
    ) throws -> PixelBuffer {
        var source = FeatureSource(features: features, crs: .webMercator)
        let style = #"{"version": 8, "sprite": "https://maps.example/s", "layers": [\#(layers)]}"#
        source.sheet = try StyleSheet(bytes: Array(style.utf8))
        let scene = SampleScene(width: width, height: height, rotation: rotation), sprite = try sprite()
        let view = LayerView(try scene.viewport(), layer: "f")
        var arrivals = Arrivals()
        for resource in try source.plan(for: view, given: arrivals).resources {
            arrivals[resource.id] = resource.form == .document ? .document(sprite.index) : .image(sprite.image)
        }
        let plan = try source.plan(for: view, given: arrivals)
        #expect(plan.warnings == [])
        return try scene.paint([Scene.Layer(name: "f", nodes: plan.nodes)])
    }

    private static func point(_ x: Double, _ y: Double, _ properties: Properties = [:]) -> Feature {
        Feature(geometry: .point(Coordinate(x: x, y: y)), properties: properties)
    }

    private static func line(_ places: [(Double, Double)], _ properties: Properties = [:]) -> Feature {
        Feature(geometry: .lineString(SampleScene.places(places)), properties: properties)
    }

    @Test func `icons at points have their anchor, offset, size, rotation and tint`() throws {
        let places = [(-90.0, 50.0), (-30, 50), (30, 50), (90, 50), (-90, 0), (-30, 0), (30, 0), (90, 0)]
        let features = places.enumerated().map { number, place in
            Self.point(place.0, place.1, ["n": .integer(number)])
        }
        let dots = #"{"id": "dots", "type": "circle", "paint": {"circle-radius": 2, "circle-color": "red"}}"#
        let symbols = #"""
            {"id": "icons", "type": "symbol", "layout": {
              "icon-image": ["match", ["get", "n"], [3, 7], "disc", 4, "star", 5, "arrow", "box"],
              "icon-anchor": ["match", ["get", "n"], 0, "top-left", 1, "bottom", "center"],
              "icon-offset": ["match", ["get", "n"], 2, ["literal", [14, 0]], ["literal", [0, 0]]],
              "icon-size": ["match", ["get", "n"], 7, 2, 1], "icon-allow-overlap": true,
              "icon-rotate": ["match", ["get", "n"], [2, 6], 30, 0]},
             "paint": {"icon-color": "#275", "icon-halo-color": "#fb0", "icon-halo-width": 2,
              "icon-opacity": ["match", ["get", "n"], 6, 0.5, 1]}}
            """#
        try Golden.check(Self.picture("\(dots), \(symbols)", features, height: 140), "sheet-icons")
    }

    #if Text
    @Test func `icons along lines are rotated or upright, with and without a text`() throws {
        let features = [
            Self.line([(-110, -40), (-40, -40), (10, 10), (110, 20)], ["kind": "street"]),
            Self.line([(-110, 60), (110, 60)], ["kind": "road", "ref": "E18"]),
            Self.line([(-110, -65), (110, -65)], ["kind": "center"]),
        ]
        let layers = #"""
            {"id": "lines", "type": "line", "paint": {"line-width": 8, "line-color": "#ccc"}},
            {"id": "arrows", "type": "symbol", "filter": ["==", "kind", "street"],
             "layout": {"symbol-placement": "line", "symbol-spacing": 40, "icon-image": "arrow"},
             "paint": {"icon-color": "#06c"}},
            {"id": "shields", "type": "symbol", "filter": ["==", "kind", "road"],
             "layout": {"symbol-placement": "line", "symbol-spacing": 110, "icon-image": "box", "icon-text-fit": "both",
              "icon-text-fit-padding": [2, 4, 2, 4], "text-field": "{ref}", "text-size": 11,
              "text-rotation-alignment": "viewport", "icon-rotation-alignment": "viewport"}},
            {"id": "centers", "type": "symbol", "filter": ["==", "kind", "center"],
             "layout": {"symbol-placement": "line-center", "icon-image": "disc"}}
            """#
        try Golden.check(Self.picture(layers, features), "sheet-line-icons")
    }

    @Test(arguments: ["map", "viewport"])
    func `a street in pieces is labelled once, in the style of its first piece`(_ alignment: String) throws {
        func street(_ count: Int) throws -> PixelBuffer {
            let width = 180.0 / Double(count)
            let features = (0..<count).map { number in
                let x = -90 + Double(number) * width
                return Self.line([(x, 0), (x + width, 0)], ["color": .string(number == 0 ? "#c00" : "#00c")])
            }
            let layer = #"""
                {"id": "names", "type": "symbol", "layout": {"symbol-placement": "line", "text-field": "Esplanadi",
                 "text-size": 12, "text-rotation-alignment": "\#(alignment)"}, "paint": {"text-color": ["get", "color"]}}
                """#
            return try Self.picture(layer, features, height: 40)
        }
        let whole = try street(1)
        #expect(whole.pixels.contains { $0 != whole.pixels[0] })
        #expect(try street(6) == whole)
    }

    @Test func `images in texts are aligned to the bottom, centre or top of their line`() throws {
        let features = [
            Self.point(-80, 50, ["a": "bottom"]), Self.point(0, 50, ["a": "center"]), Self.point(80, 50, ["a": "top"]),
            Self.point(-60, -5, ["two": true]), Self.point(60, -5, ["large": true]),
            Self.line([(-110, -60), (-20, -50), (40, -65), (110, -50)], ["street": true]),
        ]
        let layers = #"""
            {"id": "dots", "type": "circle", "filter": ["==", ["geometry-type"], "Point"],
             "paint": {"circle-radius": 1, "circle-color": "red"}},
            {"id": "aligned", "type": "symbol", "filter": ["has", "a"], "layout": {
              "text-field": ["format", "Ag", {"font-scale": 2}, ["image", "box"], {"vertical-align": ["get", "a"]}, "ag",
               {"font-scale": 0.8, "vertical-align": ["get", "a"], "text-color": "#c30"}, ["image", "star"], {}],
              "text-size": 12, "text-allow-overlap": true},
             "paint": {"text-halo-width": 2, "text-halo-color": "#ff0"}},
            {"id": "two", "type": "symbol", "filter": ["has", "two"], "layout": {
              "text-field": ["format", "one", {}, ["image", "disc"], {}, " line\nand ", {}, ["image", "box"], {}],
              "text-size": 12}, "paint": {"text-color": "#275", "text-opacity": 0.6}},
            {"id": "large", "type": "symbol", "filter": ["has", "large"], "layout": {
              "text-field": ["format", "x", {}, ["image", "disc"], {"vertical-align": "center"}], "text-size": 8,
              "text-rotate": 20}},
            {"id": "street", "type": "symbol", "filter": ["has", "street"], "layout": {"symbol-placement": "line",
              "text-field": ["format", ["image", "box"], {"vertical-align": "center"}, " Main Street ", {}, ["image", "disc"], {}],
              "text-size": 12}, "paint": {"text-halo-width": 1, "text-halo-color": "#ddd"}}
            """#
        try Golden.check(Self.picture(layers, features), "sheet-text-pictures")
    }

    @Test func `texts that differ only in their images may be near one another`() throws {
        let features = [
            Self.line([(-50, 10), (50, 10)], ["shield": "box"]),
            Self.line([(-50, -10), (50, -10)], ["shield": "disc"]),
        ]
        let layer = #"""
            {"id": "shields", "type": "symbol", "layout": {"symbol-placement": "line-center",
             "text-field": ["format", ["image", ["get", "shield"]], {}]}, "paint": {"text-color": "#f00"}}
            """#
        let picture = try Self.picture(layer, features, width: 120, height: 60)
        let pixels = (0..<60).flatMap { y in (0..<120).map { picture[$0, y] } }
        #expect(pixels.contains(Pixel(.sea)))
        #expect(pixels.contains(Pixel(MapColor(red: 255, green: 0, blue: 0))))
    }

    @Test func `an icon and its text are placed together, or separately if the style allows it`() throws {
        let features = [
            Self.point(-80, 40, ["name": "Both"]), Self.point(-60, 40, ["name": "Lost"]),
            Self.point(40, 40, ["name": "Twins"]), Self.point(70, 40, ["name": "Optional"]),
            Self.point(-60, -30, ["name": "Around"]), Self.point(-42, -30, ["name": "Left"]),
            Self.point(60, -30, ["name": "Turned"]),
        ]
        let layers = #"""
            {"id": "a", "type": "symbol", "filter": ["in", "name", "Both", "Lost"],
             "layout": {"icon-image": "box", "text-field": "{name}", "text-anchor": "top", "text-offset": [0, 0.6], "text-size": 12}},
            {"id": "b", "type": "symbol", "filter": ["in", "name", "Twins", "Optional"],
             "layout": {"icon-image": "box", "text-field": "{name}", "text-anchor": "top", "text-offset": [0, 0.6], "text-size": 12,
              "text-optional": true}},
            {"id": "c", "type": "symbol", "filter": ["in", "name", "Around", "Left"],
             "layout": {"icon-image": "box", "icon-padding": 0, "text-field": "{name}", "text-size": 12,
              "text-variable-anchor": ["right", "left"], "text-radial-offset": 0.8}},
            {"id": "d", "type": "symbol", "filter": ["==", "name", "Turned"],
             "layout": {"text-field": "{name}", "text-size": 12, "text-rotate": -30, "text-letter-spacing": 0.2}}
            """#
        try Golden.check(Self.picture(layers, features), "sheet-icons-texts")
    }
    #endif
}
