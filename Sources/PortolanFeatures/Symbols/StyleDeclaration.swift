public import PortolanRaster

/// A partial style.
///
/// Unset keys are taken from other declarations or defaults.
///
/// Declarations are merged key by key (``StyleDeclaration/over(_:)``), so that a colour may be from a layer and a width
/// from a feature. ``StyleDeclaration/style`` then replaces the remaining unset keys by the defaults of the route
/// dialect.
///
/// ```swift
/// var declaration = StyleDeclaration()
/// declaration.strokeColor = .black
/// let style = declaration.style
/// ```
public struct StyleDeclaration: Hashable, Sendable {
    /// The kind of marker at points.
    public enum Marker: Hashable, Sendable {
        /// A shape with the colours of areas and lines.
        case shape(ShapeMarker.Shape)
        /// A pin with its own colour.
        case pin
        /// An image.
        case icon(IconMarker.Source)
    }

    /// Whether lines are drawn.
    ///
    /// Default: `true`.
    public var isStroked: Bool?
    /// The colour of lines.
    ///
    /// Default: `#ee9900`.
    public var strokeColor: MapColor?
    /// The width of lines in pixels.
    ///
    /// Default: 1.
    public var strokeWidth: Double?
    /// The opacity of lines.
    ///
    /// Default: 1.
    public var strokeOpacity: Double?
    /// The line caps.
    ///
    /// Default: round.
    public var strokeCap: StrokeStyle.LineCap?
    /// The line joins.
    ///
    /// Default: round.
    public var strokeJoin: StrokeStyle.LineJoin?
    /// The dash style of lines.
    ///
    /// Default: solid.
    public var dashStyle: LineSymbol.DashStyle?
    /// The default colour of the layer, in place of that of the route dialect.
    ///
    /// With it, lines are two pixels wide, areas have half the opacity, and markers are opaque with a light outline. If
    /// only lines or only areas have a colour, the others have the same.
    package var layerColor: MapColor?
    /// The casing of lines.
    ///
    /// Default: none.
    public var casing: LineSymbol.Casing?
    /// Whether areas are filled.
    ///
    /// Default: `true`.
    public var isFilled: Bool?
    /// The colour of areas.
    ///
    /// Default: `#ee9900`.
    public var fillColor: MapColor?
    /// The opacity of areas.
    ///
    /// Default: 0.4.
    public var fillOpacity: Double?
    /// The marker at points.
    ///
    /// Default: a circle.
    public var marker: Marker?
    /// The radius of a shape in pixels.
    ///
    /// Default: 6.
    public var pointRadius: Double?
    /// The outline colour of a shape at a point.
    ///
    /// Default: that of lines.
    public var markerOutlineColor: MapColor?
    /// The colour of a pin.
    ///
    /// Default: `#7e7e7e`.
    public var pinColor: MapColor?
    /// The radius of a pin's head in pixels.
    ///
    /// Default: 9.
    public var pinRadius: Double?
    /// The symbol in a pin's head.
    ///
    /// Default: its eye.
    public var pinSymbol: PinSymbol?
    /// The width of an image in pixels.
    ///
    /// Default: its own.
    public var iconWidth: Double?
    /// The height of an image in pixels.
    ///
    /// Default: its own.
    public var iconHeight: Double?
    /// The offset of the image's left side from the point, in pixels.
    ///
    /// Default: centred.
    public var iconOffsetX: Double?
    /// The offset of the image's top from the point, in pixels, y down.
    ///
    /// Default: centred.
    public var iconOffsetY: Double?
    /// The position in an image that is at the point, in directions without an offset.
    ///
    /// Default: the centre.
    public var iconAnchor: IconMarker.Anchor?
    /// The scale of an image.
    ///
    /// Default: 1.
    public var iconScale: Double?
    /// The opacity of an image.
    ///
    /// Default: 1.
    public var iconOpacity: Double?
    /// The colour by which the pixels of an image are multiplied.
    ///
    /// Default: none.
    public var iconTint: MapColor?
    /// The rotation of markers, in degrees clockwise.
    ///
    /// Default: 0.
    public var rotation: Double?
    /// The label template with `${property}`, or `${property:,.0f}` for a number with a format.
    ///
    /// Default: none.
    public var label: String?
    /// The language of formatted numbers in labels, as a tag such as `de` (BCP 47).
    ///
    /// Default: English.
    public var labelLanguage: String?
    /// The colour of the text.
    ///
    /// Default: black.
    public var fontColor: MapColor?
    /// The font size in pixels.
    ///
    /// Default: 12.
    public var fontSize: Double?
    /// The font families, separated by commas.
    ///
    /// Default: the default font.
    public var fontFamily: String?
    /// The weight of the text, 100 to 900.
    ///
    /// Default: 400.
    public var fontWeight: Int?
    /// The horizontal alignment of the text.
    ///
    /// Default: centred.
    ///
    /// If neither alignment nor offset is set, the text is placed where there is free space.
    public var labelHorizontalAlignment: LabelSymbol.HorizontalAlignment?
    /// The vertical alignment of the text.
    ///
    /// Default: centred.
    public var labelVerticalAlignment: LabelSymbol.VerticalAlignment?
    /// The offset of the text to the right, in pixels.
    ///
    /// Default: 0.
    public var labelOffsetX: Double?
    /// The offset of the text downwards, in pixels.
    ///
    /// Default: 0.
    public var labelOffsetY: Double?
    /// The outline colour of the letters.
    ///
    /// Default: white.
    public var labelOutlineColor: MapColor?
    /// The outline width of the letters in pixels.
    ///
    /// Default: 3 with an outline colour, otherwise no outline.
    public var labelOutlineWidth: Double?
    /// The colour of the box behind the text.
    ///
    /// Default: no box.
    public var labelBackgroundColor: MapColor?
    /// The padding of the box in pixels.
    ///
    /// Default: 2.
    public var labelPadding: Double?
    /// The template of the placement priority, with `${property}`; higher numbers first.
    ///
    /// Default: 0.
    public var labelPriority: String?
    /// Whether points whose labels have no place are left out (see ``LabelSymbol/declutters``).
    ///
    /// Default: `false`.
    public var labelDeclutters: Bool?
    /// The side of a line for a text along it.
    ///
    /// Default: on the line.
    package var labelLineSide: LabelSymbol.LineSide?
    /// Whether the feature is hidden.
    ///
    /// Default: `false`.
    public var isHidden: Bool?
    /// Whether edges are great circles (see ``Style/isGeodesic``).
    ///
    /// Default: `false`.
    public var isGeodesic: Bool?

    /// Creates a declaration without set keys.
    public init() {}
}

extension StyleDeclaration {
    private static let orange = MapColor(red: 0xEE, green: 0x99, blue: 0)
    static let pinGray = MapColor(red: 0x7E, green: 0x7E, blue: 0x7E)

    /// The style, with unset keys replaced by the defaults of the route dialect.
    ///
    /// Lines of zero width or opacity, and areas of zero opacity, are not drawn.
    public var style: Style {
        let stroke = strokeSymbol
        let fill = fillSymbol
        return Style(
            stroke: stroke, fill: fill, marker: markerSymbol(stroke: stroke, fill: fill), label: labelSymbol,
            isHidden: isHidden ?? false, isGeodesic: isGeodesic ?? false)
    }

    private var strokeSymbol: LineSymbol? {
        let width = strokeWidth ?? (layerColor == nil ? 1 : 2)
        let color = (strokeColor ?? layerColor.map { fillColor ?? $0 } ?? Self.orange).withOpacity(strokeOpacity ?? 1)
        guard isStroked ?? true, width > 0, color.alpha > 0 else { return nil }
        return LineSymbol(
            color: color, width: width, cap: strokeCap ?? .round, join: strokeJoin ?? .round,
            dashes: dashStyle?.dashes(width: width) ?? [], casing: casing)
    }

    private var fillSymbol: FillSymbol? {
        fillSymbol(opacity: fillOpacity ?? (layerColor == nil ? 0.4 : 0.5))
    }

    private func fillSymbol(opacity: Double) -> FillSymbol? {
        let color = (fillColor ?? layerColor.map { strokeColor ?? $0 } ?? Self.orange).withOpacity(opacity)
        return isFilled ?? true && color.alpha > 0 ? FillSymbol(color: color) : nil
    }

    private func markerSymbol(stroke: LineSymbol?, fill: FillSymbol?) -> MarkerSymbol? {
        switch marker ?? .shape(.circle) {
        case .shape(let shape):
            let radius = pointRadius ?? 6
            guard radius > 0, stroke != nil || fill != nil else { return nil }
            var outline = stroke, inside = fill
            if layerColor != nil {
                // A marker is small, and must be visible on any background.
                inside = fillSymbol(opacity: fillOpacity ?? 1)
                if strokeColor == nil, inside != nil { outline = LineSymbol(color: .white, width: strokeWidth ?? 1.5) }
            }
            if let markerOutlineColor {
                outline = LineSymbol(color: markerOutlineColor, width: strokeWidth ?? 1.5)
            }
            return .shape(
                ShapeMarker(shape: shape, radius: radius, fill: inside, stroke: outline, rotation: rotation ?? 0))
        case .pin:
            let color = pinColor ?? Self.pinGray
            return .shape(
                ShapeMarker(
                    shape: .pin, radius: pinRadius ?? 9, fill: FillSymbol(color: color),
                    stroke: LineSymbol(color: .white, width: 1.5), rotation: rotation ?? 0, symbol: pinSymbol))
        case .icon(let source):
            return .icon(
                IconMarker(
                    source: source, width: iconWidth, height: iconHeight, offsetX: iconOffsetX, offsetY: iconOffsetY,
                    anchor: iconAnchor ?? .center, opacity: iconOpacity ?? 1, rotation: rotation ?? 0,
                    scale: iconScale ?? 1, tint: iconTint))
        }
    }

    private var labelSymbol: LabelSymbol? {
        guard let label, !label.isEmpty else { return nil }
        let outlineWidth = labelOutlineWidth ?? (labelOutlineColor == nil ? 0 : 3)
        var symbol = LabelSymbol(
            template: label, color: fontColor ?? .black, size: fontSize ?? 12, family: fontFamily,
            weight: fontWeight ?? 400, horizontalAlignment: labelHorizontalAlignment ?? .center,
            verticalAlignment: labelVerticalAlignment ?? .middle, offsetX: labelOffsetX ?? 0,
            offsetY: labelOffsetY ?? 0,
            outline: outlineWidth > 0
                ? LabelSymbol.Outline(color: labelOutlineColor ?? .white, width: outlineWidth) : nil,
            placement: isLabelPlaceStated ? .fixed : .free,
            background: labelBackgroundColor.flatMap { color in
                color.alpha > 0 ? LabelSymbol.Background(color: color, padding: labelPadding ?? 2) : nil
            }, priorityTemplate: labelPriority)
        symbol.lineSide = labelLineSide
        symbol.declutters = labelDeclutters ?? false
        symbol.language = labelLanguage
        return symbol
    }

    private var isLabelPlaceStated: Bool {
        labelHorizontalAlignment != nil || labelVerticalAlignment != nil || labelOffsetX != nil || labelOffsetY != nil
    }
}

extension StyleDeclaration {
    /// Returns this declaration with its unset keys taken from `lower`.
    public func over(_ lower: StyleDeclaration) -> StyleDeclaration {
        var result = lower
        result.isStroked = isStroked ?? lower.isStroked
        result.strokeColor = strokeColor ?? lower.strokeColor
        result.strokeWidth = strokeWidth ?? lower.strokeWidth
        result.strokeOpacity = strokeOpacity ?? lower.strokeOpacity
        result.strokeCap = strokeCap ?? lower.strokeCap
        result.strokeJoin = strokeJoin ?? lower.strokeJoin
        result.dashStyle = dashStyle ?? lower.dashStyle
        result.layerColor = layerColor ?? lower.layerColor
        result.casing = casing ?? lower.casing
        result.isFilled = isFilled ?? lower.isFilled
        result.fillColor = fillColor ?? lower.fillColor
        result.fillOpacity = fillOpacity ?? lower.fillOpacity
        result.marker = marker ?? lower.marker
        result.pointRadius = pointRadius ?? lower.pointRadius
        result.markerOutlineColor = markerOutlineColor ?? lower.markerOutlineColor
        result.pinColor = pinColor ?? lower.pinColor
        result.pinRadius = pinRadius ?? lower.pinRadius
        result.pinSymbol = pinSymbol ?? lower.pinSymbol
        result.iconWidth = iconWidth ?? lower.iconWidth
        result.iconHeight = iconHeight ?? lower.iconHeight
        result.iconOffsetX = iconOffsetX ?? lower.iconOffsetX
        result.iconOffsetY = iconOffsetY ?? lower.iconOffsetY
        result.iconAnchor = iconAnchor ?? lower.iconAnchor
        result.iconScale = iconScale ?? lower.iconScale
        result.iconOpacity = iconOpacity ?? lower.iconOpacity
        result.iconTint = iconTint ?? lower.iconTint
        result.rotation = rotation ?? lower.rotation
        result.label = label ?? lower.label
        result.labelLanguage = labelLanguage ?? lower.labelLanguage
        result.fontColor = fontColor ?? lower.fontColor
        result.fontSize = fontSize ?? lower.fontSize
        result.fontFamily = fontFamily ?? lower.fontFamily
        result.fontWeight = fontWeight ?? lower.fontWeight
        result.labelHorizontalAlignment = labelHorizontalAlignment ?? lower.labelHorizontalAlignment
        result.labelVerticalAlignment = labelVerticalAlignment ?? lower.labelVerticalAlignment
        result.labelOffsetX = labelOffsetX ?? lower.labelOffsetX
        result.labelOffsetY = labelOffsetY ?? lower.labelOffsetY
        result.labelOutlineColor = labelOutlineColor ?? lower.labelOutlineColor
        result.labelOutlineWidth = labelOutlineWidth ?? lower.labelOutlineWidth
        result.labelBackgroundColor = labelBackgroundColor ?? lower.labelBackgroundColor
        result.labelPadding = labelPadding ?? lower.labelPadding
        result.labelPriority = labelPriority ?? lower.labelPriority
        result.labelDeclutters = labelDeclutters ?? lower.labelDeclutters
        result.labelLineSide = labelLineSide ?? lower.labelLineSide
        result.isHidden = isHidden ?? lower.isHidden
        result.isGeodesic = isGeodesic ?? lower.isGeodesic
        return result
    }
}
