import Portolan
import PortolanFeatures
import PortolanRaster
import PortolanStyles
import Testing

/// Each property of MapLibre's styles, for each sort of feature and each placement: it makes another picture, or it is named.
@Suite struct MapLibreSweepTests {
    /// A property and a value of it that makes a difference.
    struct Toggle: Sendable, CustomTestStringConvertible {
        let key: StyleSheet.Key
        let value: String
        /// Further properties of the layer, in JSON: members of `layout` and of `paint`.
        var layout = "", paint = ""
        /// For which features the property is meant; all that the layer draws unless set.
        var shapes = Set(StyleSweep.Shape.allCases)
        var placements = Placement.all

        var testDescription: String { "\(key.rawValue): \(value)" }
    }

    /// Where symbols stand.
    enum Placement: String, Sendable, CaseIterable {
        case point
        case line
        case center = "line-center"

        static let all = Set(Placement.allCases), lines: Set = [Placement.line, .center]
    }

    private static let marks: Set<StyleSweep.Shape> = [.point, .points]
    private static let lines: Set<StyleSweep.Shape> = [.line, .lines]
    private static let areas: Set<StyleSweep.Shape> = [.area, .areas]

    /// The features for layers of a type, and the properties of each unless a toggle changes them.
    private static let bases: [StyleSheet.Layer.Kind: (shapes: Set<StyleSweep.Shape>, layout: String, paint: String)] =
        [
            .background: (marks, "", ##""background-color": "#804020""##),
            .fill: (areas, "", ##""fill-color": ["match", ["get", "k"], 1, "#c04020", "#2040c0"]"##),
            .line: (
                lines.union(areas), "",
                ##""line-width": 6, "line-color": ["match", ["get", "k"], 1, "#c04020", "#2040c0"]"##
            ),
            .circle: (
                Set(StyleSweep.Shape.allCases), "",
                ##""circle-radius": 9, "circle-color": ["match", ["get", "k"], 1, "#c04020", "#2040c0"], "circle-stroke-width": 2"##
            ),
            .fillExtrusion: (
                areas, "", ##""fill-extrusion-color": ["match", ["get", "k"], 1, "#c04020", "#2040c0"]"##
            ),
            .heatmap: (Set(StyleSweep.Shape.allCases), "", #""heatmap-radius": 14"#),
        ]

    private static let toggles: [Toggle] =
        background + fill + extrusion + line + circle + heatmap + symbol + text + icons + rasters

    private static let background = [
        Toggle(key: .backgroundColor, value: "\"#00ff00\""), Toggle(key: .backgroundPattern, value: "\"stripes\""),
        Toggle(key: .backgroundOpacity, value: "0.5"),
    ]

    private static let fill = [
        Toggle(key: .fillSortKey, value: #"["-", ["get", "k"]]"#), Toggle(key: .fillAntialias, value: "false"),
        Toggle(key: .fillOpacity, value: "0.5"), Toggle(key: .fillLayerOpacity, value: "0.5"),
        Toggle(key: .fillColor, value: "\"#00ff00\""), Toggle(key: .fillOutlineColor, value: "\"#00ff00\""),
        Toggle(key: .fillTranslate, value: "[5, 9]"),
        Toggle(key: .fillTranslateAnchor, value: "\"viewport\"", paint: #""fill-translate": [5, 9]"#),
        Toggle(key: .fillPattern, value: "\"stripes\""),
    ]

    private static let extrusion = [
        Toggle(key: .fillExtrusionOpacity, value: "0.5"), Toggle(key: .fillExtrusionColor, value: "\"#00ff00\""),
        Toggle(key: .fillExtrusionTranslate, value: "[5, 9]"),
        Toggle(
            key: .fillExtrusionTranslateAnchor, value: "\"viewport\"", paint: #""fill-extrusion-translate": [5, 9]"#),
        Toggle(key: .fillExtrusionPattern, value: "\"stripes\""), Toggle(key: .fillExtrusionHeight, value: "30"),
        Toggle(key: .fillExtrusionBase, value: "20"), Toggle(key: .fillExtrusionVerticalGradient, value: "false"),
    ]

    private static let line = [
        Toggle(key: .lineCap, value: "\"round\"", shapes: lines), Toggle(key: .lineJoin, value: "\"round\""),
        Toggle(key: .lineMiterLimit, value: "1.1"), Toggle(key: .lineRoundLimit, value: "3"),
        Toggle(key: .lineSortKey, value: #"["-", ["get", "k"]]"#), Toggle(key: .lineOpacity, value: "0.5"),
        Toggle(key: .lineLayerOpacity, value: "0.5"), Toggle(key: .lineColor, value: "\"#00ff00\""),
        Toggle(key: .lineTranslate, value: "[5, 9]"),
        Toggle(key: .lineTranslateAnchor, value: "\"viewport\"", paint: #""line-translate": [5, 9]"#),
        Toggle(key: .lineWidth, value: "2"), Toggle(key: .lineGapWidth, value: "4"),
        Toggle(key: .lineOffset, value: "4"), Toggle(key: .lineBlur, value: "3"),
        Toggle(key: .lineDasharray, value: "[1, 1]"), Toggle(key: .linePattern, value: "\"stripes\""),
        Toggle(
            key: .lineGradient,
            value: ##"["interpolate", ["linear"], ["line-progress"], 0, "#ff0000", 1, "#0000ff"]"##),
    ]

    private static let circle = [
        Toggle(key: .circleSortKey, value: #"["-", ["get", "k"]]"#), Toggle(key: .circleRadius, value: "4"),
        Toggle(key: .circleColor, value: "\"#00ff00\""), Toggle(key: .circleBlur, value: "0.5"),
        Toggle(key: .circleOpacity, value: "0.5"), Toggle(key: .circleTranslate, value: "[5, 9]"),
        Toggle(key: .circleTranslateAnchor, value: "\"viewport\"", paint: #""circle-translate": [5, 9]"#),
        Toggle(key: .circlePitchScale, value: "\"viewport\""), Toggle(key: .circlePitchAlignment, value: "\"map\""),
        Toggle(key: .circleStrokeWidth, value: "4"), Toggle(key: .circleStrokeColor, value: "\"#00ff00\""),
        Toggle(key: .circleStrokeOpacity, value: "0.5"),
    ]

    private static let heatmap = [
        Toggle(key: .heatmapRadius, value: "6"), Toggle(key: .heatmapWeight, value: "0.2"),
        Toggle(key: .heatmapIntensity, value: "0.2"), Toggle(key: .heatmapOpacity, value: "0.5"),
        Toggle(
            key: .heatmapColor,
            value: ##"["interpolate", ["linear"], ["heatmap-density"], 0, "rgba(0,0,0,0)", 1, "#ff0000"]"##),
    ]

    /// Texts that keep so much free that one hides the other.
    private static let wide = #""text-padding": 30"#

    private static let symbol = [
        Toggle(key: .symbolPlacement, value: "\"point\"", placements: [.line]),
        Toggle(
            key: .symbolSpacing, value: "24", layout: #""text-size": 5"#, shapes: lines.union(areas),
            placements: [.line]),
        Toggle(
            key: .symbolAvoidEdges, value: "true",
            layout: #""text-field": "WWWWWWWWWW", "text-size": 16, "text-max-width": 100"#, placements: [.point]),
        Toggle(key: .symbolSortKey, value: #"["-", ["get", "k"]]"#, layout: wide, shapes: marks.union(lines)),
        Toggle(key: .symbolZOrder, value: "\"viewport-y\"", layout: #""text-allow-overlap": true"#),
    ]

    private static let text = [
        Toggle(key: .textPitchAlignment, value: "\"map\""),
        Toggle(key: .textRotationAlignment, value: "\"map\"", placements: [.point]),
        Toggle(key: .textRotationAlignment, value: "\"viewport\"", placements: Placement.lines),
        Toggle(key: .textRotationAlignment, value: "\"viewport-glyph\"", placements: Placement.lines),
        Toggle(key: .textField, value: "\"W\""), Toggle(key: .textSize, value: "9"),
        Toggle(key: .textMaxWidth, value: "1", placements: [.point]),
        Toggle(key: .textLineHeight, value: "2.5", layout: #""text-max-width": 1"#, placements: [.point]),
        Toggle(key: .textLetterSpacing, value: "0.3"),
        Toggle(key: .textJustify, value: "\"left\"", layout: #""text-max-width": 1"#, placements: [.point]),
        Toggle(key: .textRadialOffset, value: "1", layout: #""text-anchor": "left""#),
        Toggle(key: .textVariableAnchor, value: #"["top-left", "bottom-right"]"#, placements: [.point]),
        Toggle(key: .textVariableAnchorOffset, value: #"["top-left", [1, 1]]"#, placements: [.point]),
        Toggle(key: .textAnchor, value: "\"top\""), Toggle(key: .textAnchor, value: "\"bottom-right\""),
        Toggle(
            key: .textMaxAngle, value: "1", layout: #""text-letter-spacing": 0.4"#, shapes: lines,
            placements: Placement.lines),
        Toggle(key: .textWritingMode, value: #"["vertical"]"#), Toggle(key: .textRotate, value: "40"),
        Toggle(
            key: .textPadding, value: "40", layout: #""text-field": ["to-string", ["get", "k"]], "text-size": 5"#,
            shapes: marks.union(areas)),
        Toggle(key: .textKeepUpright, value: "false", shapes: [.lines], placements: Placement.lines),
        Toggle(key: .textTransform, value: "\"uppercase\""), Toggle(key: .textOffset, value: "[0, 0.8]"),
        Toggle(key: .textOffset, value: "[0.4, 0]"), Toggle(key: .textAllowOverlap, value: "true", layout: wide),
        Toggle(key: .textOverlap, value: "\"always\"", layout: wide),
        Toggle(key: .textOverlap, value: "\"cooperative\""),
        Toggle(key: .textIgnorePlacement, value: "true", layout: wide),
        Toggle(
            key: .textOptional, value: "true",
            layout: #""icon-image": "square", "icon-size": 0.3, "text-offset": [0, 1.8]"#, shapes: marks.union(areas)),
        Toggle(key: .textOpacity, value: "0.5"), Toggle(key: .textColor, value: "\"#00ff00\""),
        Toggle(key: .textHaloColor, value: "\"#00ff00\""), Toggle(key: .textHaloWidth, value: "3"),
        Toggle(key: .textHaloBlur, value: "2"), Toggle(key: .textTranslate, value: "[5, 7]"),
        Toggle(key: .textTranslateAnchor, value: "\"viewport\"", paint: #""text-translate": [5, 7]"#),
        Toggle(key: .textFont, value: #"["DejaVu Sans Bold"]"#),
    ]

    private static let icons: [Toggle] = [
        Toggle(key: .iconAllowOverlap, value: "true", layout: big),
        Toggle(key: .iconOverlap, value: "\"always\"", layout: big),
        Toggle(key: .iconOverlap, value: "\"cooperative\"", layout: big),
        Toggle(key: .iconIgnorePlacement, value: "true", layout: big),
        Toggle(
            key: .iconOptional, value: "true",
            layout:
                #""icon-image": "square", "icon-size": 2.6, "text-field": ["to-string", ["get", "k"]], "text-size": 5, "text-offset": [0, 5]"#,
            shapes: marks.union(areas)),
        Toggle(
            key: .iconRotationAlignment, value: "\"map\"", layout: icon, placements: [.point]),
        Toggle(key: .iconRotationAlignment, value: "\"viewport\"", layout: icon, placements: Placement.lines),
        Toggle(key: .iconSize, value: "2", layout: icon),
        Toggle(key: .iconTextFit, value: "\"both\"", layout: #""icon-image": "stripes""#),
        Toggle(
            key: .iconTextFitPadding, value: "[2, 3, 4, 5]",
            layout: #""icon-image": "stripes", "icon-text-fit": "both""#),
        Toggle(key: .iconImage, value: "\"star\"", layout: icon),
        Toggle(key: .iconRotate, value: "30", layout: icon),
        Toggle(
            key: .iconPadding, value: "40", layout: #""icon-image": "square", "icon-size": 0.3, "text-field": """#,
            shapes: marks.union(areas)),
        Toggle(
            key: .iconKeepUpright, value: "true", layout: #""icon-image": "arrow""#, shapes: [.lines],
            placements: [.center]),
        Toggle(key: .iconOffset, value: "[5, 9]", layout: icon),
        Toggle(key: .iconAnchor, value: "\"top\"", layout: icon),
        Toggle(key: .iconPitchAlignment, value: "\"map\"", layout: icon),
        Toggle(key: .iconOpacity, value: "0.5", layout: icon),
        Toggle(key: .iconColor, value: "\"#00ff00\"", layout: icon),
        Toggle(
            key: .iconHaloColor, value: "\"#00ff00\"", layout: icon, paint: #""icon-halo-width": 2"#),
        Toggle(key: .iconHaloWidth, value: "2", layout: icon, paint: ##""icon-halo-color": "#00ff00""##),
        Toggle(
            key: .iconHaloBlur, value: "2", layout: icon,
            paint: ##""icon-halo-color": "#00ff00", "icon-halo-width": 2"##),
        Toggle(key: .iconTranslate, value: "[5, 7]", layout: icon),
        Toggle(key: .iconTranslateAnchor, value: "\"viewport\"", layout: icon, paint: #""icon-translate": [5, 7]"#),
    ]

    private static let icon = #""icon-image": "square", "text-field": """#
    private static let big = #""icon-image": "square", "icon-size": 3, "text-field": """#

    /// Drawn of pictures, not of features: here it counts that they are named.
    private static let rasters = [
        Toggle(key: .rasterHueRotate, value: "30"), Toggle(key: .rasterBrightnessMin, value: "0.2"),
        Toggle(key: .rasterBrightnessMax, value: "0.2"), Toggle(key: .rasterSaturation, value: "0.5"),
        Toggle(key: .rasterContrast, value: "0.5"), Toggle(key: .rasterResampling, value: "\"nearest\""),
        Toggle(key: .rasterFadeDuration, value: "100"), Toggle(key: .rasterOpacity, value: "0.5"),
    ]

    /// Properties without effect in a still picture that is seen from above and is not a tile.
    private static let withoutEffect: Set<StyleSheet.Key> = [
        .circlePitchScale, .circlePitchAlignment, .textPitchAlignment, .iconPitchAlignment, .rasterFadeDuration,
        .lineRoundLimit, .fillExtrusionVerticalGradient,
    ]

    @Test func `every style property is covered`() {
        // Those of relief need elevations: TerrainStyleTests.
        let others = StyleSheet.Key.allCases.filter { !$0.belongs(to: .hillshade) && !$0.belongs(to: .colorRelief) }
        #expect(Set(Self.toggles.map(\.key)) == Set(others))
    }

    #if Text
    private static let visible = toggles
    #else
    // Labels are left out, so that nothing of them makes a difference.
    private static let visible = toggles.filter { toggle in
        toggle.layout.contains(#""text-field": """#) || !toggle.key.belongs(to: .symbol)
    }
    #endif

    @Test(arguments: visible) func `each property changes the picture or is named in a warning`(
        _ toggle: Toggle
    ) async throws {
        let kind = try #require(StyleSheet.Layer.Kind.allCases.first { toggle.key.belongs(to: $0) })
        let sweep = try StyleSweep()
        guard kind != .raster else { return }
        let shapes = (Self.bases[kind]?.shapes ?? Set(StyleSweep.Shape.allCases)).intersection(toggle.shapes)
        for shape in shapes.sorted(by: { $0.rawValue < $1.rawValue }) {
            let placements = kind == .symbol ? toggle.placements : [.point]
            for placement in placements.sorted(by: { $0.rawValue < $1.rawValue }) {
                // Lines and borders of areas alone have places along them.
                guard placement == .point || !Self.marks.contains(shape) else { continue }
                let before = try await sweep.drawn(Self.sheet(kind, toggle, placement, isToggled: false), shape)
                let after = try await sweep.drawn(Self.sheet(kind, toggle, placement, isToggled: true), shape)
                let words = after.diagnosis + after.warnings
                let isNamed = words.contains { $0.contains(toggle.key.rawValue) }
                if Self.withoutEffect.contains(toggle.key) {
                    #expect(before.image == after.image && words.isEmpty)
                } else {
                    #expect(
                        before.image != after.image || isNamed,
                        "\(toggle.key.rawValue) of \(shape.rawValue), \(placement.rawValue)")
                }
            }
        }
    }

    /// A style of one layer, with the property or without.
    private static func sheet(
        _ kind: StyleSheet.Layer.Kind, _ toggle: Toggle, _ placement: Placement, isToggled: Bool
    ) throws -> StyleSheet {
        var layout = [toggle.layout], paint = [toggle.paint]
        if let base = bases[kind] {
            layout.append(base.layout)
            paint.append(base.paint)
        } else {
            layout += [
                #""text-field": ["get", "name"], "text-size": 12, "text-font": ["DejaVu Sans"], "symbol-placement": "\#(placement.rawValue)""#
            ]
            paint += [##""text-halo-color": "#ffc0c0", "text-halo-width": 1"##]
        }
        let own = "\"\(toggle.key.rawValue)\": \(toggle.value)"
        if isToggled { if toggle.key.isLayout { layout.insert(own, at: 0) } else { paint.insert(own, at: 0) } }
        let json = """
            {"version": 8, "sprite": "https://styles.example/s", "layers": [
             {"id": "l", "type": "\(kind.rawValue)", "layout": {\(joined(layout))}, "paint": {\(joined(paint))}}]}
            """
        return try StyleSheet(bytes: Array(json.utf8))
    }

    /// Members of which the first of a name counts.
    private static func joined(_ lists: [String]) -> String {
        var names: Set<String> = [], kept: [String] = []
        for list in lists where !list.isEmpty {
            guard let members = try? JSONReader.value(bytes: Array("{\(list)}".utf8)).objectValue else { continue }
            for member in members where names.insert(member.name).inserted {
                kept.append("\"\(member.name)\": " + String(decoding: GeoJSONWriter.json(member.value), as: UTF8.self))
            }
        }
        return kept.joined(separator: ", ")
    }
}
