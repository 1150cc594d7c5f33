public import PortolanRaster

/// What somebody says about a style: each key may be left open, for others to fill in.
///
/// Declarations are laid over one another key by key (``StyleDeclaration/over(_:)``), so that a colour may come from a
/// layer and a width from a feature; ``StyleDeclaration/style`` then fills what is still open with the defaults of the
/// route dialect.
public struct StyleDeclaration: Hashable, Sendable {
    /// What kind of mark points get.
    public enum Marker: Hashable, Sendable {
        /// One of the shapes, coloured as areas and lines are.
        case shape(MarkerShape)
        /// A pin in a colour of its own.
        case pin
        /// A picture.
        case icon(IconSource)
    }

    /// Whether lines are drawn; true where left open.
    public var isStroked: Bool?
    /// The colour of lines; `#ee9900` where left open.
    public var strokeColor: Color?
    /// The width of lines in pixels; 1 where left open.
    public var strokeWidth: Double?
    /// The opacity of lines; 1 where left open.
    public var strokeOpacity: Double?
    /// How lines end; round where left open.
    public var strokeCap: LineCap?
    /// How lines turn; round where left open.
    public var strokeJoin: LineJoin?
    /// How lines are broken; solid where left open.
    public var dashStyle: DashStyle?
    /// The colour of a layer that names none, in place of the route dialect's.
    ///
    /// Lines are then two pixels wide, areas have half the opacity, and marks are full with a light border. Where lines or areas alone have a colour,
    /// the others have the same.
    package var layerColor: Color?
    /// What lies beneath lines; nothing where left open.
    public var casing: LineSymbol.Casing?
    /// Whether areas are filled; true where left open.
    public var isFilled: Bool?
    /// The colour of areas; `#ee9900` where left open.
    public var fillColor: Color?
    /// The opacity of areas; 0.4 where left open.
    public var fillOpacity: Double?
    /// The mark at points; a circle where left open.
    public var marker: Marker?
    /// The radius of a shape in pixels; 6 where left open.
    public var pointRadius: Double?
    /// The colour of the line around a shape at a point; that of lines where left open.
    public var markerOutlineColor: Color?
    /// The colour of a pin; `#7e7e7e` where left open.
    public var pinColor: Color?
    /// The radius of a pin's head in pixels; 9 where left open.
    public var pinRadius: Double?
    /// What stands in a pin's head; its eye where left open.
    public var pinSymbol: PinSymbol?
    /// The width of a picture in pixels; its own where left open.
    public var iconWidth: Double?
    /// The height of a picture in pixels; its own where left open.
    public var iconHeight: Double?
    /// Pixels from the point to the picture's left side; centred where left open.
    public var iconOffsetX: Double?
    /// Pixels down from the point to the picture's top; centred where left open.
    public var iconOffsetY: Double?
    /// Which spot of a picture lies on the point where no offset says; the middle where left open.
    public var iconAnchor: IconMarker.Anchor?
    /// A factor on a picture's size; 1 where left open.
    public var iconScale: Double?
    /// The opacity of a picture; 1 where left open.
    public var iconOpacity: Double?
    /// The colour by which the pixels of a picture are multiplied; its own colours where left open.
    public var iconTint: Color?
    /// How far marks are turned, in degrees clockwise; 0 where left open.
    public var rotation: Double?
    /// The text with `${property}` in it; none where left open.
    public var label: String?
    /// The colour of the text; black where left open.
    public var fontColor: Color?
    /// The size of the text in pixels; 12 where left open.
    public var fontSize: Double?
    /// The font families, separated by commas; the usual font where left open.
    public var fontFamily: String?
    /// The weight of the text, 100 to 900; 400 where left open.
    public var fontWeight: Int?
    /// Where the point lies across the text; its middle where left open.
    ///
    /// Where neither alignment nor offset is given, the painter seeks a free place for the text.
    public var labelHorizontalAlignment: LabelSymbol.HorizontalAlignment?
    /// Where the point lies up and down the text; its middle where left open.
    public var labelVerticalAlignment: LabelSymbol.VerticalAlignment?
    /// Pixels to the right from the point to the text; 0 where left open.
    public var labelOffsetX: Double?
    /// Pixels down from the point to the text; 0 where left open.
    public var labelOffsetY: Double?
    /// The colour of the line around letters; white where left open.
    public var labelOutlineColor: Color?
    /// The width of the line around letters in pixels; 3 where left open and a colour is given, else none.
    public var labelOutlineWidth: Double?
    /// The colour of the box behind the text; no box where left open.
    public var labelBackgroundColor: Color?
    /// How far the box reaches beyond the text in pixels; 2 where left open.
    public var labelPadding: Double?
    /// How early the text gets its place, higher numbers first, with `${property}` in it; 0 where left open.
    public var labelPriority: String?
    /// On which side of a line the text runs along it; on the line where left open.
    package var labelLineSide: LabelSymbol.LineSide?
    /// Whether the feature is not drawn; false where left open.
    public var isHidden: Bool?
    /// Whether edges are great circles (see ``Style/isGeodesic``); false where left open.
    public var isGeodesic: Bool?

    /// Makes a declaration that leaves all open.
    public init() {}
}

extension StyleDeclaration {
    private static let orange = Color(red: 0xEE, green: 0x99, blue: 0)
    static let pinGray = Color(red: 0x7E, green: 0x7E, blue: 0x7E)

    /// The style in which all that is left open has the default value of the route dialect.
    ///
    /// Lines of no width or opacity and areas of no opacity are not drawn.
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
                // A mark is small, and is to be seen on whatever it lies.
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
        return symbol
    }

    private var isLabelPlaceStated: Bool {
        labelHorizontalAlignment != nil || labelVerticalAlignment != nil || labelOffsetX != nil || labelOffsetY != nil
    }
}

extension StyleDeclaration {
    /// This declaration laid over another: what this one leaves open comes from `lower`.
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
        result.labelLineSide = labelLineSide ?? lower.labelLineSide
        result.isHidden = isHidden ?? lower.isHidden
        result.isGeodesic = isGeodesic ?? lower.isGeodesic
        return result
    }
}
