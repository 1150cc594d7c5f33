package import PortolanFeatures
package import PortolanRaster

/// A style that shows values of features by colours and sizes, as a MapLibre style document.
///
/// Areas, lines and points each have one style layer, and labels another.
package struct ThematicStyle: Sendable {
    /// A colour: the same for all features, by a property, or one for features with a number.
    package enum Paint: Hashable, Sendable {
        case constant(MapColor)
        case values(ThematicColors)
        case present(MapColor, property: String, readsTexts: Bool, noData: MapColor)

        var expression: PropertyValue {
            switch self {
            case .constant(let color): .string(color.cssText)
            case .values(let colors): colors.expression
            case .present(let color, let property, let readsTexts, let noData):
                [
                    "case", ThematicValue([property], readsTexts: readsTexts).isNumber, .string(color.cssText),
                    .string(noData.cssText),
                ]
            }
        }

        /// The titles of the values of the expression, in its order, or `nil` for one colour.
        func titles(_ language: LabelLanguage?) -> [String]? {
            switch self {
            case .constant: nil
            case .values(let colors): colors.titles(language)
            case .present: ["", LegendPhrases.text(.noData, language)]
            }
        }
    }

    /// A size in pixels: the same for all features, or by a property.
    package enum Size: Hashable, Sendable {
        case constant(Double)
        case values(ThematicSizes)

        var expression: PropertyValue {
            switch self {
            case .constant(let size): .number(size)
            case .values(let sizes): sizes.expression
            }
        }
    }

    /// The key by which labels are placed, the lowest first.
    package enum SortKey: Hashable, Sendable {
        /// A property with numbers, multiplied by a factor.
        case property(String, factor: Double)
        /// The same number for all.
        case constant(Double)

        fileprivate var expression: PropertyValue {
            switch self {
            case .property(let name, let factor): ["*", .number(factor), ["to-number", ["get", .string(name)], 0]]
            case .constant(let number): .number(number)
            }
        }
    }

    /// The labels of features.
    package struct Label: Hashable, Sendable {
        /// The text.
        package var template: LabelTemplate
        /// The size of the text in pixels.
        package var size: Double
        /// The colour of the text.
        package var color: MapColor
        /// The colour of the halo.
        package var halo: MapColor
        /// The width of the halo in pixels.
        package var haloWidth: Double
        /// The font family, or `nil` for the default font.
        package var font: String?
        /// The order of the labels, or `nil` for that of the features.
        package var sortKey: SortKey?

        /// Creates labels.
        package init(_ template: LabelTemplate, size: Double, color: MapColor, halo: MapColor, haloWidth: Double) {
            self.template = template
            self.size = size
            self.color = color
            self.halo = halo
            self.haloWidth = haloWidth
        }

        package static func == (left: Label, right: Label) -> Bool { left.members == right.members }

        package func hash(into hasher: inout Hasher) { hasher.combine(members) }

        fileprivate var members: Properties {
            var layout: Properties = [
                "text-field": template.expression, "text-size": .number(size), "text-max-width": 8,
            ]
            // Without a font any may be used, and none is missing.
            layout["text-font"] = [.string(font ?? "sans-serif")]
            layout["symbol-sort-key"] = sortKey?.expression
            let paint: Properties = [
                "text-color": .string(color.cssText), "text-halo-color": .string(halo.cssText),
                "text-halo-width": .number(haloWidth),
            ]
            return ["layout": .object(layout), "paint": .object(paint)]
        }
    }

    /// The colour of areas.
    package var fill: Paint
    /// The opacity of areas, 0 to 1.
    package var fillOpacity = 1.0
    /// The colour of lines.
    package var stroke: Paint
    /// The opacity of lines and outlines, 0 to 1.
    package var strokeOpacity = 1.0
    /// The width of lines.
    package var strokeWidth = Size.constant(2)
    /// The colour of the outlines of areas.
    package var border = Paint.constant(.white)
    /// The width of the outlines of areas.
    package var borderWidth = Size.constant(0.75)
    /// The dashes of lines and gaps in pixels, or an empty array for solid lines.
    package var dash: [Double] = []
    /// The colour of points.
    package var marker: Paint
    /// The opacity of points, 0 to 1.
    package var markerOpacity = 1.0
    /// The radius of points.
    package var radius = Size.constant(6)
    /// The colour of the outline of points.
    package var outline = MapColor.white
    /// The labels, or `nil`.
    package var label: Label?
    /// The language of numbers in legends, or `nil` for English.
    package var language: LabelLanguage?

    /// Creates a style in one colour.
    package init(color: MapColor) {
        fill = .constant(color)
        stroke = .constant(color)
        marker = .constant(color)
    }

    /// Returns the document.
    ///
    /// - Parameter tileLayers: the layers of vector tiles that it draws, from the source ``tileSource``, or `nil` for features.
    package func document(tileLayers: [String]? = nil) -> PropertyValue {
        let own = self.layers
        var layers: [PropertyValue] = []
        // Features have no layers of their own.
        let names: [String?] = tileLayers ?? [nil]
        for (number, name) in names.enumerated() {
            for var members in own {
                if let name {
                    members["id"] = .string("\(members["id"]?.stringValue ?? "")-\(number)")
                    members["source"] = .string(Self.tileSource)
                    members["source-layer"] = .string(name)
                }
                layers.append(.object(members))
            }
        }
        var document: Properties = ["version": 8, "layers": .array(layers)]
        if tileLayers != nil { document["sources"] = .object([Self.tileSource: ["type": "vector"]]) }
        return .object(document)
    }

    /// The name of the source of vector tiles.
    package static let tileSource = "tiles"

    private var layers: [Properties] {
        var width: [PropertyValue] = []
        if case .constant(let size) = strokeWidth, size > 0 { width = dash.map { .number($0 / size) } }
        var lines: Properties = [
            "line-color": stroke.expression, "line-width": strokeWidth.expression,
            "line-opacity": .number(strokeOpacity),
        ]
        if !width.isEmpty { lines["line-dasharray"] = .array(width) }
        var circleLayout: Properties = [:]
        if case .values(let sizes) = radius { circleLayout["circle-sort-key"] = sizes.sortKey }
        var layers: [Properties] = [
            layer(
                "areas", "fill", of: "Polygon", titles: titles(("fill-color", fill)),
                paint: ["fill-color": fill.expression, "fill-opacity": .number(fillOpacity)]),
            layer(
                "borders", "line", of: "Polygon", titles: titles(("line-color", border)),
                paint: [
                    "line-color": border.expression, "line-width": borderWidth.expression,
                    "line-opacity": .number(strokeOpacity),
                ], layout: ["line-join": "round"]),
            layer(
                "lines", "line", of: "LineString",
                titles: titles(("line-color", stroke), ("line-width", strokeWidth)), paint: lines,
                layout: ["line-join": "round", "line-cap": .string(width.isEmpty ? "round" : "butt")]),
            layer(
                "points", "circle", of: "Point",
                titles: titles(("circle-color", marker), ("circle-radius", radius)),
                paint: [
                    "circle-color": marker.expression, "circle-radius": radius.expression,
                    "circle-opacity": .number(markerOpacity),
                    "circle-stroke-color": .string(outline.cssText), "circle-stroke-width": 1,
                ], layout: circleLayout),
        ]
        if let label {
            for (id, areOfPoints) in [("labels", false), ("point-labels", true)] {
                var members = label.members
                (members["id"], members["type"]) = (.string(id), "symbol")
                members["filter"] = .array([
                    "match", ["geometry-type"], ["Point", "MultiPoint"], .bool(areOfPoints), .bool(!areOfPoints),
                ])
                if areOfPoints, case .object(var layout)? = members["layout"] {
                    // Beside the disc, at the first of its sides that is free.
                    layout["text-variable-anchor"] = ["left", "right", "bottom", "top"]
                    layout["text-radial-offset"] = [
                        "/", ["+", radius.expression, .number(Self.labelGap)], .number(label.size),
                    ]
                    layout["text-justify"] = "auto"
                    members["layout"] = .object(layout)
                }
                layers.append(members)
            }
        }
        return layers
    }

    /// The distance between a disc and its label in pixels.
    private static let labelGap = 3.0

    private func layer(
        _ id: String, _ type: String, of geometry: String, titles: Properties, paint: Properties,
        layout: Properties = [:]
    ) -> Properties {
        [
            "id": .string(id), "type": .string(type), "metadata": ["portolan:classes": .object(titles)],
            "filter": ["match", ["geometry-type"], [.string(geometry), .string("Multi" + geometry)], true, false],
            "paint": .object(paint), "layout": .object(layout),
        ]
    }

    /// The titles of the classes of a colour and a size, by the names of the properties.
    private func titles(
        _ color: (name: String, paint: Paint), _ size: (name: String, size: Size)? = nil
    ) -> Properties {
        var titles: Properties = [:]
        titles[color.name] = color.paint.titles(language).map { .array($0.map(PropertyValue.string)) }
        if let size, case .values(let sizes) = size.size {
            titles[size.name] = .array(sizes.titles(language).map(PropertyValue.string))
        }
        return titles
    }
}
