package import PortolanFeatures
import PortolanRaster

/// Makes the looks of features by a layer of a style at a zoom.
package struct LayerLooks {
    /// How a feature looks, and when it is drawn among those of its layer: low keys first.
    package struct Look {
        package let style: Style
        /// What is drawn of it after all features of the layer have been drawn so, or `nil` for nothing.
        package let above: Style?
        package let sortKey: Double
    }

    private var values: StyleValues
    private let kind: StyleLayer.Kind
    private let sortKey: StyleKey?
    /// What all features of a kind of geometry look like, where their properties make no difference.
    private var shared: [Geometry.Kind: Look?] = [:]
    private let isUniform: Bool

    /// Makes the looks of a layer.
    package init(_ layer: StyleLayer, zoom: Double, globalState: Properties) {
        var context = ExpressionContext(zoom: zoom)
        context.globalState = globalState
        values = StyleValues(layer, context)
        kind = layer.kind
        isUniform = layer.isUniform(StyleKey.allCases.filter { $0.belongs(to: layer.kind) })
        let keys: [StyleLayer.Kind: StyleKey] = [
            .fill: .fillSortKey, .line: .lineSortKey, .circle: .circleSortKey, .symbol: .symbolSortKey,
        ]
        sortKey = keys[layer.kind].flatMap { layer.states($0) ? $0 : nil }
    }

    /// What could not be computed for some feature, by the property.
    package var failures: [StyleKey: EvaluationError] { values.failures }

    /// Whether some features are drawn before others of their layer.
    package var isSorted: Bool { sortKey != nil && sortKey != .symbolSortKey }

    /// How a feature looks, or `nil` where the layer does not draw it.
    package mutating func look(of feature: Feature) -> Look? {
        guard let geometry = feature.geometry?.kind, draws(geometry) else { return nil }
        values.context.set(feature)
        guard values.layer.matches(values.context) else { return nil }
        if isUniform, let known = shared[geometry] { return known }
        let style: Style? =
            switch kind {
            case .background: nil
            case .fill: fill()
            case .line: line()
            case .circle: circle()
            case .symbol: symbol(geometry)
            }
        let key = sortKey.map { values.number($0) } ?? 0
        let look = style.map { style in
            // The borders of areas lie over all areas of their layer.
            let border = kind == .fill ? style.stroke : nil
            var below = style
            if border != nil { below.stroke = nil }
            return Look(style: below, above: border.map { Style(stroke: $0) }, sortKey: key)
        }
        if isUniform { shared[geometry] = .some(look) }
        return look
    }

    private func draws(_ geometry: Geometry.Kind) -> Bool {
        switch (kind, geometry) {
        case (.background, _): false
        case (_, .collection), (.symbol, _): true
        case (.fill, .polygon), (.fill, .multiPolygon): true
        case (.line, .point), (.line, .multiPoint): false
        case (.line, _): true
        case (.circle, .point), (.circle, .multiPoint): true
        default: false
        }
    }

    private mutating func fill() -> Style? {
        let color = values.color(.fillColor, opacity: .fillOpacity)
        var outline: LineSymbol?
        if values.layer.states(.fillOutlineColor), let color = values.color(.fillOutlineColor, opacity: .fillOpacity) {
            outline = LineSymbol(color: color.color, width: 1, cap: .butt, join: .miter, miterLimit: 2)
        }
        guard color != nil || outline != nil else { return nil }
        return Style(stroke: outline, fill: color.map { FillSymbol(color: $0.color) })
    }

    private mutating func line() -> Style? {
        let width = values.number(.lineWidth, in: 0...10_000)
        guard width > 0, let color = values.color(.lineColor, opacity: .lineOpacity) else { return nil }
        let cap: LineCap =
            switch values.word(.lineCap) {
            case "round": .round
            case "square": .square
            default: .butt
            }
        let join: LineJoin =
            switch values.word(.lineJoin) {
            case "round": .round
            case "bevel": .bevel
            default: .miter
            }
        // Dashes are counted in widths.
        let dashes = values.numbers(.lineDasharray).map { $0 * width }
        let style = DashStyle(pixels: dashes)
        return Style(
            stroke: LineSymbol(
                color: color.color, width: width, cap: cap, join: join, dashes: style?.dashes(width: width) ?? [],
                miterLimit: values.number(.lineMiterLimit, in: 1...1_000),
                offset: values.number(.lineOffset, in: -10_000...10_000),
                gapWidth: values.number(.lineGapWidth, in: 0...10_000)))
    }

    private mutating func circle() -> Style? {
        let radius = values.number(.circleRadius, in: 0...5_000)
        let fill = values.color(.circleColor, opacity: .circleOpacity)
        let width = values.number(.circleStrokeWidth, in: 0...5_000)
        let border = width > 0 ? values.color(.circleStrokeColor, opacity: .circleStrokeOpacity) : nil
        guard radius > 0 && fill != nil || border != nil else { return nil }
        // The border lies outside the disc.
        return Style(
            marker: .shape(
                ShapeMarker(
                    radius: radius + (border == nil ? 0 : width / 2), fill: fill.map { FillSymbol(color: $0.color) },
                    stroke: border.map { LineSymbol(color: $0.color, width: width) })))
    }

    private mutating func symbol(_ geometry: Geometry.Kind) -> Style? {
        guard case .formatted(let formatted)? = values.value(.textField) else { return nil }
        var text = formatted.text
        switch values.word(.textTransform) {
        case "uppercase": text = text.uppercased()
        case "lowercase": text = text.lowercased()
        default: break
        }
        let size = values.number(.textSize, in: 0...1_000)
        guard size > 0, text.contains(where: { !$0.isWhitespace }),
            let color = values.color(.textColor, opacity: .textOpacity)
        else { return nil }
        let halo = values.number(.textHaloWidth, in: 0...100)
        let haloColor = halo > 0 ? values.color(.textHaloColor, opacity: .textOpacity) : nil
        let font = FontName(values.value(.textFont)?.arrayValue?.compactMap(\.stringValue) ?? [])
        let anchor = values.word(.textAnchor).split(separator: "-")
        let offset = values.numbers(.textOffset)
        let isPoint = geometry == .point || geometry == .multiPoint
        let follows = values.word(.symbolPlacement) != "point"
        // Along a line, or inside an area, the place is sought; at a point it is the style that says it.
        if follows, isPoint { return nil }
        let isFixed = !follows && geometry != .polygon && geometry != .multiPolygon
        return Style(
            label: LabelSymbol(
                template: text, color: color.color, size: size, family: font.families, weight: font.weight,
                horizontalAlignment: anchor.contains("left") ? .left : anchor.contains("right") ? .right : .center,
                verticalAlignment: anchor.contains("top") ? .top : anchor.contains("bottom") ? .bottom : .middle,
                offsetX: offset.count == 2 ? offset[0] * size : 0, offsetY: offset.count == 2 ? offset[1] * size : 0,
                outline: haloColor.map { LabelSymbol.Outline(color: $0.color, width: halo) },
                placement: isFixed ? .fixed : .free,
                priority: sortKey.map { -values.number($0) } ?? 0, isPlain: true,
                maximumWidth: values.number(.textMaxWidth, in: 0...1_000) * size,
                lineHeight: values.number(.textLineHeight, in: 0...100),
                justification: justification(
                    anchor.contains("left") ? .left : anchor.contains("right") ? .right : .center),
                repetition: values.word(.symbolPlacement) == "line"
                    ? values.number(.symbolSpacing, in: 1...1_000_000) : .infinity,
                mayOverlap: mayOverlap()))
    }
}

extension LayerLooks {
    private mutating func justification(
        _ alignment: LabelSymbol.HorizontalAlignment
    ) -> LabelSymbol.HorizontalAlignment {
        switch values.word(.textJustify) {
        case "left": .left
        case "right": .right
        case "auto": alignment
        default: .center
        }
    }

    /// `text-overlap` counts in place of the older key.
    private mutating func mayOverlap() -> Bool {
        if values.layer.states(.textOverlap) { return values.word(.textOverlap) == "always" }
        return values.value(.textAllowOverlap)?.booleanValue ?? false
    }
}

/// The families and the weight that the names of fonts in a style mean: in `Open Sans Semibold` the weight stands last.
struct FontName: Hashable {
    /// The families with commas, or `nil` for the usual font.
    var families: String?
    /// 100 to 900.
    var weight = 400

    private static let weights = [
        "thin": 100, "hairline": 100, "extralight": 200, "ultralight": 200, "light": 300, "regular": 400, "normal": 400,
        "book": 400, "roman": 400, "medium": 500, "semibold": 600, "demibold": 600, "bold": 700, "extrabold": 800,
        "ultrabold": 800, "black": 900, "heavy": 900,
    ]
    private static let slants: Set<String> = ["italic", "oblique"]

    init(_ names: [String]) {
        var families: [String] = []
        for (place, name) in names.prefix(16).enumerated() {
            var words = name.split(separator: " ").map(String.init), weight: Int?
            while let last = words.last?.lowercased(), words.count > 1 {
                if let known = Self.weights[last] {
                    // "Semi Bold" is one word more.
                    let before = words.dropLast().last?.lowercased() ?? ""
                    let joined = words.count > 2 ? Self.weights[before + last] : nil
                    weight = weight ?? joined ?? known
                    words.removeLast(joined == nil ? 1 : 2)
                } else if Self.slants.contains(last) {
                    words.removeLast()
                } else {
                    break
                }
            }
            if place == 0, let weight { self.weight = weight }
            let family = words.joined(separator: " ")
            if !family.isEmpty, !families.contains(family) { families.append(family) }
        }
        self.families = families.isEmpty ? nil : families.joined(separator: ",")
    }
}
