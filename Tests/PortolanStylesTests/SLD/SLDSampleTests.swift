import Foundation
import PortolanFeatures
import PortolanGeo
import PortolanRaster
import Testing

@testable import PortolanStyles

/// The samples of geostyler-sld-parser (BSD licence, beside them) mean what their names say.
@Suite struct SLDSampleTests {
    static let folder = String(#filePath.dropLast("SLD/SLDSampleTests.swift".count)) + "Fixtures/geostyler-sld-parser/"
    static let point = Geometry.point(Coordinate(x: 1, y: 2))
    static let line = Geometry.lineString([Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 1)])
    static let area = Geometry.polygon([
        [Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 0), Coordinate(x: 1, y: 1), Coordinate(x: 0, y: 0)]
    ])

    /// A sample, a feature, and how each of its layers draws that at zoom 14.
    static let samples: [(name: String, geometry: Geometry, properties: Properties, looks: [String])] = [
        ("1.0/line_simpleline", line, [:], ["line 3 #000000 round miter, dashes 3-37-10-0"]),
        ("1.1/line_simpleline", line, [:], ["line 3 #000000 round miter, dashes 3-37-10-0"]),
        ("1.0/line_perpendicularOffset", line, [:], ["line 3 #000000 round miter, dashes 13-37, offset -3"]),
        ("1.1/line_perpendicularOffset", line, [:], ["line 3 #000000 round miter, dashes 13-37, offset -3"]),
        ("1.1/line_pixelWidth", line, [:], ["line 4 #000000 butt miter"]),
        ("1.1/line_groundUnitWidth", line, [:], ["line 732.63 #000000 butt miter"]),
        (
            "1.0/multi_simplelineLabel", line, ["name": "Joe"],
            ["line 3 #000000 butt miter, dashes 13-37", "'Joe' 12 #000000 Arial, weight 700, left middle, at 0,-5"]
        ),
        (
            "1.1/multi_simplelineLabel", line, ["name": "Joe"],
            ["line 3 #000000 butt miter, dashes 13-37", "'Joe' 12 #000000 Arial, weight 700, left middle, at 0,-5"]
        ),
        ("1.1/polygon_transparentpolygon", area, [:], ["line 2 #ffffff/0.9 butt miter, dashes 1-0"]),
        ("1.0/empty_filter", area, [:], ["fill #ffe15a"]),
        ("1.0/unsupported_properties", area, [:], ["fill #f1337f"]),
        ("1.1/unsupported_properties", area, [:], ["fill #f1337f"]),
        ("1.0/function_nested", area, [:], ["fill #f1337f", "line 5 #000000 butt miter"]),
        ("1.1/function_nested", area, [:], ["fill #f1337f", "line 5 #000000 butt miter"]),
        ("1.0/function_markSymbolizer", point, [:], ["cross 1.57 #ff0000"]),
        ("1.1/function_markSymbolizer", point, [:], ["cross 1.57 #ff0000"]),
        (
            "1.0/function_label_round", line, ["contour": 1234.6],
            [
                "line 1.33 #267300 round round",
                "'1235' 10.67 #38a800 Arial, center middle, at 0,-6.67, halo 1.33 #ffffff",
            ]
        ),
        (
            "1.1/function_label_round", line, ["contour": 1234.6],
            [
                "line 1.33 #267300 round round",
                "'1235' 10.67 #38a800 Arial, center middle, at 0,-6.67, halo 1.33 #ffffff",
            ]
        ),
        ("1.0/point_simplepoint_oneline", point, [:], ["circle 3 #ff0000/0.5, border 1 #0000ff/0.7"]),
        ("1.1/point_simplepoint_oneline", point, [:], ["circle 3 #ff0000/0.5, border 1 #0000ff/0.7"]),
        ("1.1/point_simplepoint", point, [:], ["circle 3 #ff0000/0.5, border 1 #0000ff/0.7"]),
        ("1.0/point_simplesquare", point, [:], ["square 4 #ff0000, border 2 #000000"]),
        ("1.1/point_simplesquare", point, [:], ["square 4 #ff0000, border 2 #000000"]),
        ("1.0/point_simplex", point, [:], ["x 4 #ff0000, border 2 #000000"]),
        ("1.1/point_simplex", point, [:], ["x 4 #ff0000, border 2 #000000"]),
        ("1.0/point_simplestar", point, [:], ["star 4 #ff0000, border 2 #000000, turned 45"]),
        ("1.1/point_simplestar", point, [:], ["star 4 #ff0000, border 2 #000000, turned 45"]),
        ("1.0/point_simpletriangle", point, [:], ["triangle 4 #ff0000, border 2 #000000, turned 45"]),
        ("1.1/point_simpletriangle", point, [:], ["triangle 4 #ff0000, border 2 #000000, turned 45"]),
        ("1.1/point_simplecross", point, [:], ["cross 4 #ff0000, border 2 #000000, turned 45"]),
        ("1.0/point_simpleLabel", point, [:], ["'myText' 10 #000000 sans-serif, center middle"]),
        ("1.1/point_simpleLabel", point, [:], ["'myText' 10 #000000 sans-serif, center middle"]),
        ("1.0/point_simpleLabel2", point, [:], ["'Your Label' 12 #2476ad sans-serif, center middle"]),
        (
            "1.0/point_styledLabel_literalPlaceholder", point, ["name": "Joe", "prop": 7, "bar": "b"],
            ["'foo Joe7 entity b' 12 #000000 Arial, weight 700, left middle, at 0,-5, turned 45, halo 5 #000000"]
        ),
        (
            "1.1/point_styledLabel_literalPlaceholder", point, ["name": "Joe", "prop": 7, "bar": "b"],
            ["'foo Joe7 entity b' 12 #000000 Arial, weight 700, left middle, at 0,-5, turned 45, halo 5 #000000"]
        ),
        (
            "1.1/point_styledLabel_elementOrder", point, ["name": "Joe", "title": "T"],
            ["'prefix: JoeT entity' 12 #000000 Arial, weight 700, left middle, at 0,-5, turned 45, halo 5 #000000"]
        ),
        (
            "1.1/point_styledlabel", point, ["name": "Joe"],
            ["'Joe' 12 #000000 Arial, weight 700, left middle, at 0,-5, turned 45, halo 5 #000000"]
        ),
        ("1.0/text_displacement", point, [:], ["'Displaced' 10 #000000 sans-serif, left middle, at -20,-10"]),
        ("1.0/text_lineplacement", line, [:], ["'myText' 10 #000000 sans-serif, center middle"]),
        ("1.1/text_lineplacement", line, [:], ["'myText' 10 #000000 sans-serif, center middle"]),
        (
            "1.1/text_newLine_expression", point, ["fokr": 3, "fokrname": "F"],
            ["'3\nF' 13.33 #267300 Arial, left middle"]
        ),
        ("1.1/text_pointplacement", point, [:], ["'myText' 10 #000000 sans-serif, left middle"]),
        (
            "1.1/text_pointplacement_anchor", point, [:],
            ["'myText_at_below_left_position' 10 #000000 sans-serif, right top"]
        ),
        ("1.0/negated_filter", point, [:], ["circle 5 #ffc000, border 1 #001c90"]),
        ("1.0/negated_filter", point, ["ARBEITSSTAETTEN_NR": 5], ["circle 5 #7ddd00, border 1 #001c90"]),
        ("1.0/cdata", area, ["visualisatiecode": 10202], ["fill #996089"]),
        ("1.0/cdata", area, ["visualisatiecode": 1], []),
        ("1.1/function_filter", point, ["testprop": 0.5], ["circle 10 #ff0000", "circle 6 #ff0000"]),
        ("1.1/function_filter", point, ["testprop": 2], ["circle 6 #ff0000"]),
        ("1.0/function_filter_ogc_arithmetic", area, ["men_pauv": 3, "men": 10], ["fill #ff5e23"]),
        ("1.0/function_filter_ogc_arithmetic", area, ["men_pauv": 5, "men": 10], []),
        ("1.0/point_simplepoint_functionfilter", point, ["year": "2019, May"], ["circle 3 #ff0000, border 2 #000000"]),
        ("1.1/point_simplepoint_functionfilter", point, ["year": "2019, May"], ["circle 3 #ff0000, border 2 #000000"]),
        ("1.0/point_simplepoint_functionfilter", point, ["year": "2020, May"], []),
        ("1.1/point_simplepoint_functionfilter", point, ["year": "2020, May"], []),
        (
            "1.0/point_fontglyph", point, [:],
            ["'\u{A23}' 10 #ff0000/0.5 My Font Name, center middle, halo 1 #0000ff/0.7"]
        ),
        (
            "1.1/point_simplepoint_nestedLogicalFilters", point, ["ID": 1, "STREET": "Main"],
            ["circle 3 #ff0000, border 2 #000000"]
        ),
        (
            "1.1/point_simplepoint_nestedLogicalFilters", point, ["ID": 2, "HOUSENO": 2000],
            ["circle 3 #ff0000, border 2 #000000"]
        ),
        ("1.1/point_simplepoint_nestedLogicalFilters", point, ["ID": 3, "STREET": "Main"], []),
        (
            "1.0/function_filter_property_to_property", point,
            [
                "posledni_hodnota": 1, "posledni_hodnota_sekundarni": 1, "value1": 10, "value2": 9, "count1": 9,
                "count2": 10, "threshold1": 5, "threshold2": 5, "spa1h": 7, "status": "ok",
            ], ["square 2 #ff0000, border 1 #000000"]
        ),
        (
            "1.1/function_filter_property_to_property", point,
            [
                "posledni_hodnota": 1, "posledni_hodnota_sekundarni": 1, "value1": 10, "value2": 9, "count1": 9,
                "count2": 10, "threshold1": 5, "threshold2": 5, "spa1h": 7, "status": "ok",
            ], ["square 2 #ff0000, border 1 #000000"]
        ),
        (
            "1.0/function_filter_property_to_property", point,
            [
                "posledni_hodnota": 1, "posledni_hodnota_sekundarni": 1, "value1": 9, "value2": 10, "count1": 9,
                "count2": 10, "threshold1": 5, "threshold2": 5, "spa1h": 7, "status": "ok",
            ], []
        ),
        (
            "1.1/function_filter_property_to_property", point,
            [
                "posledni_hodnota": 1, "posledni_hodnota_sekundarni": 1, "value1": 9, "value2": 10, "count1": 9,
                "count2": 10, "threshold1": 5, "threshold2": 5, "spa1h": 7, "status": "ok",
            ], []
        ),
    ]

    @Test(arguments: samples)
    func `each sample gives the expected style`(
        name: String, geometry: Geometry, properties: Properties, looks: [String]
    ) throws {
        #expect(try Self.looks(name + ".sld", geometry, properties, zoom: 14) == looks)
    }

    /// The number of pictures that are drawn, with or without their sprites.
    @Test(arguments: [
        ("1.0/point_externalgraphic", "icon-image"), ("1.1/point_externalgraphic_inlineContent", "icon-image"),
        ("1.0/line_graphicFill", "line-pattern"), ("1.1/line_graphicFill", "line-pattern"),
        ("1.0/line_graphicStroke_externalGraphic", "line-pattern"), ("1.0/polygon_graphicFill", "fill-pattern"),
        ("1.0/polygon_graphicFill_externalGraphic", "fill-pattern"), ("1.0/point_simpleslash", "icon-image"),
        ("1.1/point_externalgraphic_svg", nil), ("1.0/raster_simpleRaster", nil),
        ("1.1/raster_complexRaster", nil),
    ])
    func `samples with images list them, and unsupported parts are reported`(name: String, key: String?) throws {
        let reader = try SLDReader([UInt8](Data(contentsOf: URL(filePath: Self.folder + name + ".sld"))), name: nil)
        let texts = reader.layers.map { String(decoding: GeoJSONWriter.json($0), as: UTF8.self) }
        #expect(texts.contains { key.map($0.contains) ?? true } == (key != nil))
        #expect(
            reader.findings.isEmpty
                == (key != nil && !name.contains("line_")))
        #expect(reader.graphics.isEmpty == (key == nil))
    }

    /// How each layer of a sample draws a feature, in words.
    static func looks(_ name: String, _ geometry: Geometry, _ properties: Properties, zoom: Double) throws -> [String] {
        let sheet = try StyleSheet(bytes: [UInt8](Data(contentsOf: URL(filePath: folder + name))))
        return sheet.layers.filter { $0.isDrawn(at: zoom) }.compactMap { layer in
            var looks = FeatureStyler(
                layer, zoom: zoom, globalState: [:], pictures: StylePictures(sprites: [], pixelRatio: 1))
            return looks.look(of: Feature(geometry: geometry, properties: properties)).map { words($0.style) }
        }
    }

    private static func words(_ style: Style) -> String {
        var words: [String] = []
        if let fill = style.fill {
            words.append(fill.pattern == nil ? "fill \(text(fill.color))" : "fill of a pattern")
        }
        if let stroke = style.stroke {
            words.append("line \(text(stroke.width)) \(text(stroke.color)) \(stroke.cap) \(stroke.join)")
            if !stroke.dashes.isEmpty { words.append("dashes \(stroke.dashes.map(text).joined(separator: "-"))") }
            if stroke.offset != 0 { words.append("offset \(text(stroke.offset))") }
        }
        if let marker = style.marker { words.append(self.words(marker)) }
        if let label = style.label {
            if let icon = label.icon {
                words.append(self.words(icon.marker))
                if icon.rotation != 0 { words.append("turned \(text(icon.rotation))") }
                if icon.offsetX != 0 || icon.offsetY != 0 {
                    words.append("at \(text(icon.offsetX)),\(text(icon.offsetY))")
                }
            } else {
                words.append("'\(label.template)' \(text(label.size)) \(text(label.color)) \(label.family ?? "")")
                if label.weight != 400 { words.append("weight \(label.weight)") }
                if label.isItalic { words.append("italic") }
                words.append("\(label.horizontalAlignment) \(label.verticalAlignment)")
                if label.offsetX != 0 || label.offsetY != 0 {
                    words.append("at \(text(label.offsetX)),\(text(label.offsetY))")
                }
                if label.rotation != 0 { words.append("turned \(text(label.rotation))") }
                if let outline = label.outline { words.append("halo \(text(outline.width)) \(text(outline.color))") }
            }
        }
        return words.joined(separator: ", ")
    }

    private static func words(_ marker: MarkerSymbol) -> String {
        guard case .shape(let shape) = marker else { return "a picture" }
        var words = "\(shape.shape) \(text(shape.radius)) \(shape.fill.map { text($0.color) } ?? "empty")"
        if let stroke = shape.stroke { words += ", border \(text(stroke.width)) \(text(stroke.color))" }
        if let halo = shape.halo { words += ", border \(text(halo.width)) \(text(halo.color))" }
        if shape.rotation != 0 { words += ", turned \(text(shape.rotation))" }
        return words
    }

    private static func text(_ number: Double) -> String {
        let rounded = (number * 100).rounded() / 100
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }

    private static func text(_ color: MapColor) -> String {
        let digits = [color.red, color.green, color.blue].map {
            String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }
        return "#" + digits.joined() + (color.alpha == 255 ? "" : "/\(text(Double(color.alpha) / 255))")
    }
}
