package import PortolanFeatures
import PortolanGeo
import PortolanRaster
package import PortolanStyles
import PortolanWeb

/// The marks along the lines of routes: kilometres, slopes, arrows, starts and ends, and the names of waypoints.
///
/// They compile to features of their own and a MapLibre style.
package struct RouteMarks: Hashable, Sendable {
    /// The distance between kilometre marks in kilometres, or `nil` for none.
    package var kilometres: Double?
    /// Whether lines are coloured by slope.
    package var showsSlopes = false
    /// Whether arrows along the lines show their direction.
    package var showsArrows = false
    /// Whether the starts and ends of lines are marked.
    package var showsEnds = false
    /// Whether points have their names.
    package var showsNames = false

    /// The colour of lines without their own.
    package var color: MapColor
    /// The width of lines in pixels.
    package var width = 4.0
    /// The opacity of lines.
    package var opacity = 1.0
    /// The colour of the casing, or `nil` for none, and its total width.
    package var casing: MapColor? = .white
    package var casingWidth = 8.0
    /// The colour of points, or `nil` for that of lines.
    package var pointColor: MapColor?
    /// The names of points.
    package var names = LabelTemplate([.value(["label", "name"], nil)])
    /// The size and colour of names, and the colour and width of their halo.
    package var nameSize = 12.0
    package var nameColor = MapColor(red: 0x26, green: 0x2A, blue: 0x30)
    package var haloColor = MapColor.white
    package var haloWidth = 2.0

    /// The property of features made for the marks, with the kind of mark.
    static let partKey = "portolan-part"
    /// The property of the start and the end of a line that are at the same place.
    private static let roundKey = "portolan-round"
    /// The property with the class of slope, and that with the colour of a line.
    private static let classKey = "portolan-slope", colorKey = "portolan-color"
    /// The largest number of kilometre marks of a layer.
    package static let largestCount = 20_000

    /// The marks cannot be made.
    package enum MarkError: Error, Hashable {
        /// More kilometre marks than ``largestCount``.
        case tooManyMarks
        /// No line has elevations, so there are no slopes.
        case noElevations
        /// There is no line.
        case noLines
    }

    /// Creates marks in a colour.
    package init(color: MapColor) { self.color = color }

    /// Returns features in degrees with those of the marks.
    ///
    /// - Complexity: O(coordinates + marks).
    package func features(of features: [Feature]) throws(MarkError) -> [Feature] {
        guard features.contains(where: \.isLine) else { throw .noLines }
        var all: [Feature] = [], slopes: [Feature] = [], marks: [Feature] = []
        for feature in features {
            guard feature.isLine, let geometry = feature.geometry else {
                all.append(feature)
                continue
            }
            var line = feature
            if let color = feature.ownLineColor { line.properties[Self.colorKey] = .string(color.cssText) }
            all.append(line)
            if showsSlopes { slopes += Self.slopes(of: geometry) }
            if let kilometres { try addKilometres(kilometres, along: geometry, to: &marks) }
            if showsEnds { marks += Self.ends(of: geometry) }
        }
        if showsSlopes, slopes.isEmpty { throw .noElevations }
        return all + slopes + marks
    }

    /// The lines of a geometry with the distance of each from the start.
    private static func lines(of geometry: Geometry) -> [(line: GroundLine, start: Double)] {
        var lines: [(GroundLine, Double)] = [], start = 0.0
        for part in geometry.parts {
            guard let line = GroundLine(Array(part)) else { continue }
            lines.append((line, start))
            start += line.length
        }
        return lines
    }

    private static func slopes(of geometry: Geometry) -> [Feature] {
        guard let profile = ElevationProfile(geometry) else { return [] }
        let lines = lines(of: geometry)
        var features: [Feature] = []
        for (range, number) in SlopeClasses.standard.stretches(of: profile) {
            for (line, start) in lines where start < range.upperBound && start + line.length > range.lowerBound {
                let part = line.part(from: range.lowerBound - start, to: range.upperBound - start)
                guard part.count > 1 else { continue }
                features.append(
                    Feature(
                        geometry: .lineString(part),
                        properties: ["type": "mark", partKey: "slope", classKey: .number(Double(number))]))
            }
        }
        return features
    }

    private func addKilometres(
        _ interval: Double, along geometry: Geometry, to marks: inout [Feature]
    ) throws(MarkError) {
        var number = 1
        for (line, start) in Self.lines(of: geometry) {
            while Double(number) * interval * 1000 <= start + line.length {
                guard marks.count < Self.largestCount else { throw .tooManyMarks }
                let kilometres = Double(number) * interval
                marks.append(
                    Feature(
                        geometry: .point(line.place(at: kilometres * 1000 - start)),
                        properties: [
                            "type": "mark", Self.partKey: "kilometre",
                            "label": .string(Self.text(kilometres)), "order": .number(Double(Self.order(number))),
                        ]))
                number += 1
            }
        }
    }

    /// A distance such as `2`, `0.5` or `12.25`.
    private static func text(_ kilometres: Double) -> String {
        let rounded = (kilometres * 1000).rounded() / 1000
        return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
    }

    /// The order in which marks get room: every tenth first, then every fifth.
    private static func order(_ number: Int) -> Int {
        number % 10 == 0 ? 0 : number % 5 == 0 ? 1 : number % 2 == 0 ? 2 : 3
    }

    private static func ends(of geometry: Geometry) -> [Feature] {
        guard let start = geometry.coordinates.first, let end = geometry.coordinates.last else { return [] }
        let isRound = geometry.isRoundTrip
        func mark(_ place: Coordinate, _ kind: String) -> Feature {
            var properties: Properties = ["type": "mark", partKey: .string(kind)]
            if isRound { properties[roundKey] = .bool(true) }
            return Feature(geometry: .point(place), properties: properties)
        }
        return [mark(end, "end"), mark(start, "start")]
    }
}

extension RouteMarks {
    /// The style sheet of the features.
    package var sheet: StyleSheet {
        // The style is valid for all values; a test parses it with each mark.
        var options = StyleSheet.Options()
        options.keepsLinesClear = true
        options.avoidsOwnLines = true
        options.keepsIconsStraight = true
        do { return try StyleSheet(document, options: options) } catch { preconditionFailure("\(error)") }
    }

    private var document: PropertyValue {
        let ownColor: PropertyValue = ["coalesce", ["get", .string(Self.colorKey)], .string(color.cssText)]
        func part(_ name: PropertyValue) -> PropertyValue { ["==", ["get", .string(Self.partKey)], name] }
        let isOwn: PropertyValue = ["!", ["has", .string(Self.partKey)]]
        func shape(_ kind: String) -> PropertyValue {
            [
                "all", isOwn,
                ["match", ["geometry-type"], [.string(kind), .string("Multi" + kind)], true, false],
            ]
        }
        let round: PropertyValue = ["line-cap": "round", "line-join": "round"], ink = pointColor ?? color
        // Slopes cover the lines.
        let lineTitle: PropertyValue = showsSlopes ? "" : "Route"
        var layers: [PropertyValue] = [
            [
                "id": "areas", "type": "fill", "filter": shape("Polygon"),
                "paint": ["fill-color": .string(color.cssText), "fill-opacity": 0.25],
            ]
        ]
        if let casing {
            layers.append([
                "id": "casing", "type": "line", "filter": shape("LineString"), "layout": round,
                "metadata": showsSlopes ? ["portolan:title": ""] : [:],
                "paint": [
                    "line-color": .string(casing.cssText), "line-width": .number(casingWidth),
                    "line-opacity": .number(opacity),
                ],
            ])
        }
        layers.append([
            "id": "lines", "type": "line", "filter": shape("LineString"), "layout": round,
            "metadata": ["portolan:title": lineTitle],
            "paint": ["line-color": ownColor, "line-width": .number(width), "line-opacity": .number(opacity)],
        ])
        if showsSlopes { layers.append(slopeLayer(round, filter: part("slope"))) }
        layers.append([
            "id": "points", "type": "circle", "filter": shape("Point"), "metadata": ["portolan:title": "Waypoints"],
            "paint": [
                "circle-color": .string(ink.cssText), "circle-radius": 5, "circle-stroke-color": "white",
                "circle-stroke-width": 2,
            ],
        ])
        // Names avoid the lines; arrows and kilometres, which are on the lines, are drawn above them.
        if showsNames { layers.append(nameLayer(filter: shape("Point"))) }
        if showsArrows {
            layers.append([
                "id": "arrows", "type": "symbol", "filter": shape("LineString"), "metadata": ["portolan:title": ""],
                "layout": [
                    "symbol-placement": "line", "symbol-spacing": 90, "icon-image": "arrow", "icon-size": 1.2,
                    "icon-padding": 0,
                ],
                "paint": [
                    "icon-color": showsSlopes ? .string(nameColor.cssText) : ownColor, "icon-halo-color": "white",
                    "icon-halo-width": 1.5,
                ],
            ])
        }
        layers += marks(part)
        // Symbols, so that arrows, kilometres and names keep clear of them.
        if showsEnds { layers += endLayers(part) }
        return ["version": 8, "layers": .array(layers)]
    }

    private func slopeLayer(_ layout: PropertyValue, filter: PropertyValue) -> PropertyValue {
        let classes = SlopeClasses.standard.classes
        var colors: [PropertyValue] = [
            "step", ["to-number", ["get", .string(Self.classKey)]], .string(classes[0].color.cssText),
        ]
        for (number, entry) in classes.enumerated().dropFirst() {
            colors += [.number(Double(number)), .string(entry.color.cssText)]
        }
        return [
            "id": "slopes", "type": "line", "filter": filter, "layout": layout,
            "metadata": [
                "portolan:title": "Slope",
                "portolan:classes": ["line-color": .array(classes.map { PropertyValue.string($0.title) })],
            ],
            "paint": [
                "line-color": .array(colors), "line-width": .number(width), "line-opacity": .number(opacity),
            ],
        ]
    }

    private func marks(_ part: (PropertyValue) -> PropertyValue) -> [PropertyValue] {
        var layers: [PropertyValue] = []
        if kilometres != nil {
            layers.append([
                "id": "kilometres", "type": "symbol", "filter": part("kilometre"),
                "metadata": ["portolan:title": "Kilometres"],
                "layout": [
                    "symbol-sort-key": ["get", "order"], "icon-image": "circle", "icon-size": 1.6,
                    "text-field": ["get", "label"], "text-size": 10, "text-font": ["DejaVu Sans Bold"],
                    "text-allow-overlap": false, "icon-allow-overlap": false,
                ],
                "paint": [
                    "icon-color": "white", "icon-halo-color": .string(nameColor.cssText), "icon-halo-width": 1.2,
                    "text-color": .string(nameColor.cssText),
                ],
            ])
        }
        return layers
    }

    private func endLayers(_ part: (PropertyValue) -> PropertyValue) -> [PropertyValue] {
        // Where a round trip begins, the end is a ring around the start.
        let ends: [(id: String, kind: String, title: String, color: String, roundSize: Double)] = [
            ("ends", "end", "Finish", "#c62828", 1.5), ("starts", "start", "Start", "#2e7d32", 0.85),
        ]
        return ends.map { end in
            [
                "id": .string(end.id), "type": "symbol", "filter": part(.string(end.kind)),
                "metadata": ["portolan:title": .string(end.title)],
                "layout": [
                    "icon-image": "circle", "symbol-sort-key": ["case", ["has", .string(Self.roundKey)], 1, 0],
                    "icon-size": ["case", ["has", .string(Self.roundKey)], .number(end.roundSize), 1.2],
                    "icon-allow-overlap": true, "icon-padding": 1,
                ],
                "paint": [
                    "icon-color": .string(end.color), "icon-halo-color": "white", "icon-halo-width": 1.5,
                ],
            ]
        }
    }

    private func nameLayer(filter: PropertyValue) -> PropertyValue {
        [
            "id": "names", "type": "symbol", "filter": filter,
            "layout": [
                "text-field": names.expression,
                "text-size": .number(nameSize), "text-font": ["DejaVu Sans"],
                "text-variable-anchor": ["left", "right", "top", "bottom"],
                "text-radial-offset": 0.8, "text-justify": "auto", "text-max-width": 10,
            ],
            "paint": [
                "text-color": .string(nameColor.cssText), "text-halo-color": .string(haloColor.cssText),
                "text-halo-width": .number(haloWidth),
            ],
        ]
    }
}

extension Feature {
    /// The colour of a line in the style of the feature itself, or `nil`.
    fileprivate var ownLineColor: MapColor? {
        let look = properties["style"]?.objectValue, usual = look?["default"]?.objectValue ?? look
        let text = usual?["strokeColor"]?.stringValue ?? properties["stroke"]?.stringValue
        return text.flatMap { MapColor(css: $0) }
    }
}
