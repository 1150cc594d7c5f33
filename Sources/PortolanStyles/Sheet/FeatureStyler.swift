package import PortolanFeatures
import PortolanRaster

/// Creates the styles of features from a style layer at a zoom.
package struct FeatureStyler {
    /// The style of a feature, and its sort key within the layer; low keys are drawn first.
    package struct Look: Hashable {
        package let style: Style
        /// A style that is drawn after all features of the layer, or `nil`.
        package let above: Style?
        package let sortKey: Double
    }

    var values: StyleValues
    var pictures: StylePictures
    /// Faults about images that features name, by property.
    package internal(set) var pictureFindings: [StyleSheet.Key: StyleFault] = [:]
    private let kind: StyleSheet.Layer.Kind
    /// The rotation of the map in the picture, in degrees clockwise.
    let mapTurn: Double
    let sortKey: StyleSheet.Key?
    /// The style of all features of a geometry type, if their properties make no difference.
    private var shared: [Geometry.Kind: Look?] = [:]
    private let isUniform: Bool
    /// Whether the style depends on feature coordinates.
    package let dependsOnShape: Bool
    /// Whether the style depends on the zoom.
    package let dependsOnZoom: Bool

    /// Creates the styler of a layer.
    ///
    /// - Parameters:
    ///   - mapTurn: the rotation of the map in the picture, in degrees clockwise.
    ///   - join: the table with the state of features.
    package init(
        _ layer: StyleSheet.Layer, zoom: Double, globalState: Properties, pictures: StylePictures, mapTurn: Double = 0,
        join: FeatureJoin? = nil
    ) {
        self.mapTurn = mapTurn
        self.pictures = pictures
        var context = ExpressionContext(zoom: zoom)
        context.availableImages = pictures.names
        context.globalState = globalState
        values = StyleValues(layer, context, join)
        kind = layer.kind
        isUniform = layer.isUniform
        dependsOnZoom = !layer.isZoomConstant
        dependsOnShape = layer.dependsOnShape
        let key: StyleSheet.Key? =
            switch layer.kind {
            case .fill: .fillSortKey
            case .line: .lineSortKey
            case .circle: .circleSortKey
            case .symbol: .symbolSortKey
            case .background, .fillExtrusion, .heatmap, .raster, .hillshade, .colorRelief: nil
            }
        sortKey = key.flatMap { layer.states($0) ? $0 : nil }
    }

    /// The first evaluation failure of each property.
    package var failures: [StyleSheet.Key: EvaluationError] { values.failures }

    /// Whether features of the layer are drawn in the order of a sort key.
    package var isSorted: Bool { sortKey != nil && sortKey != .symbolSortKey }

    /// Returns the style of a feature, or `nil` if the layer does not draw it.
    package mutating func look(of feature: Feature) -> Look? {
        guard let geometry = feature.geometry?.kind, draws(geometry) else { return nil }
        values.set(feature)
        guard values.layer.matches(values.context) else { return nil }
        if isUniform, let known = shared[geometry] { return known }
        let style: Style? =
            switch kind {
            case .background, .heatmap, .raster, .hillshade, .colorRelief: nil
            case .fill: fill(color: .fillColor, opacity: .fillOpacity, pattern: .fillPattern)
            case .fillExtrusion: fill(color: .fillExtrusionColor, opacity: nil, pattern: .fillExtrusionPattern)
            case .line: line()
            case .circle: circle()
            case .symbol: symbol(geometry)
            }
        let key = sortKey.map { values.sortKey($0) } ?? 0
        let look = style.map { style in
            // The borders of areas are drawn above all areas of their layer.
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
        case (.background, _), (.heatmap, _), (.raster, _), (.hillshade, _), (.colorRelief, _): false
        case (_, .collection), (.symbol, _): true
        case (.fill, .polygon), (.fill, .multiPolygon), (.fillExtrusion, .polygon), (.fillExtrusion, .multiPolygon):
            true
        case (.line, .point), (.line, .multiPoint): false
        case (.line, _): true
        case (.circle, _): true
        default: false
        }
    }

    /// The style of areas; extrusions have the opacity of their layer.
    private mutating func fill(color key: StyleSheet.Key, opacity: StyleSheet.Key?, pattern: StyleSheet.Key) -> Style? {
        var fill = opacity.map { values.color(key, opacity: $0) } ?? values.value(key)?.colorValue
        let share = opacity.map { values.number($0, in: 0...1) } ?? 1
        if (fill?.alpha ?? 0) <= 0 { fill = nil }
        var symbol = fill.map { FillSymbol(color: $0.color) }
        if values.layer.states(pattern), case .image(let image)? = values.value(pattern) {
            // Without its image the area is not drawn; its colour is not a fallback.
            symbol = pictures.pattern(image.name).map {
                FillSymbol(color: MapColor.black.withOpacity(share), pattern: $0)
            }
            if symbol == nil, pictureFindings[pattern] == nil { pictureFindings[pattern] = .missingPicture(image.name) }
        }
        var outline: LineSymbol?
        // An outline requires antialiasing (MapLibre Style Specification).
        let isSmooth = kind == .fillExtrusion || values.value(.fillAntialias)?.booleanValue ?? true
        symbol?.edges = isSmooth ? .joined : .sharp
        if isSmooth, kind == .fill, values.layer.states(.fillOutlineColor),
            let color = values.color(.fillOutlineColor, opacity: .fillOpacity)
        {
            outline = LineSymbol(color: color.color, width: 1, cap: .butt, join: .miter, miterLimit: 2)
        }
        guard symbol != nil || outline != nil else { return nil }
        return Style(stroke: outline, fill: symbol)
    }

    private mutating func line() -> Style? {
        let width = values.number(.lineWidth, in: 0...10_000)
        let opacity = values.number(.lineOpacity, in: 0...1)
        guard width > 0, opacity > 0 else { return nil }
        // A gradient or an image is drawn regardless of the colour.
        let isOrnate = values.layer.states(.lineGradient) || values.layer.states(.linePattern)
        let color = values.color(.lineColor, opacity: .lineOpacity)?.color ?? .clear
        guard isOrnate || color.alpha > 0 else { return nil }
        // Dash lengths are multiples of the line width.
        let dashes = values.numbers(.lineDasharray).map { $0 * width }
        let cap: StrokeStyle.LineCap =
            switch values.word(.lineCap) {
            case "round": .round
            // MapLibre draws square dashes without caps, which would close gaps as long as the line is wide.
            case "square" where dashes.isEmpty || values.layer.isSymbolizer: .square
            default: .butt
            }
        let join: StrokeStyle.LineJoin =
            switch values.word(.lineJoin) {
            case "round": .round
            case "bevel": .bevel
            default: .miter
            }
        let style = LineSymbol.DashStyle(pixels: dashes)
        var line = LineSymbol(
            color: color, width: width, cap: cap, join: join, dashes: style?.dashes(width: width) ?? [],
            miterLimit: values.number(.lineMiterLimit, in: 1...1_000),
            offset: values.number(.lineOffset, in: -10_000...10_000),
            gapWidth: values.number(.lineGapWidth, in: 0...10_000))
        if values.layer.states(.linePattern), case .image(let image)? = values.value(.linePattern) {
            // Without its image the line is not drawn; its colour is not a fallback.
            line.pattern = pictures.pattern(image.name)
            line.color = MapColor.black.withOpacity(values.number(.lineOpacity, in: 0...1))
            guard line.pattern != nil else {
                if pictureFindings[.linePattern] == nil { pictureFindings[.linePattern] = .missingPicture(image.name) }
                return nil
            }
        } else if values.layer.states(.lineGradient) {
            line.gradient = gradient
        }
        if values.layer.states(.lineBlur) { line.blur = values.number(.lineBlur, in: 0...10_000) }
        return Style(stroke: line)
    }

    /// The colours along a line, with enough steps that abrupt changes keep their position.
    private var gradient: [MapColor] {
        mutating get {
            let last = 255, opacity = values.number(.lineOpacity, in: 0...1)
            defer { values.context.lineProgress = 0 }
            return (0...last).map { step in
                values.context.lineProgress = Double(step) / Double(last)
                guard var color = values.value(.lineGradient)?.colorValue else { return .clear }
                color.alpha *= opacity
                return color.color
            }
        }
    }

    private mutating func circle() -> Style? {
        let radius = values.number(.circleRadius, in: 0...5_000)
        let fill = values.color(.circleColor, opacity: .circleOpacity)
        let width = values.number(.circleStrokeWidth, in: 0...5_000)
        let border = width > 0 ? values.color(.circleStrokeColor, opacity: .circleStrokeOpacity) : nil
        guard radius > 0 && fill != nil || border != nil else { return nil }
        // The border is outside the disc.
        var disc = ShapeMarker(
            radius: radius + (border == nil ? 0 : width / 2), fill: fill.map { FillSymbol(color: $0.color) },
            stroke: border.map { LineSymbol(color: $0.color, width: width) })
        if values.layer.states(.circleBlur) { disc.blur = values.number(.circleBlur, in: 0...1_000) }
        var style = Style(marker: .shape(disc))
        // A circle is drawn at each vertex, but the mark of a symbolizer at one representative point (OGC 05-077r4,
        // 11.3).
        style.shapeMarks = values.layer.isSymbolizer ? .middle : .vertices
        return style
    }
}
