internal import PortolanRaster

extension StyleDeclaration {
    private static let orange = Color(red: 0xEE, green: 0x99, blue: 0)
    private static let pinGray = Color(red: 0x7E, green: 0x7E, blue: 0x7E)

    /// The style in which all that is left open has the default value of the route dialect.
    ///
    /// Lines of no width or opacity and areas of no opacity are not drawn.
    public var style: Style {
        let stroke = strokeSymbol
        let fill = fillSymbol
        return Style(
            stroke: stroke, fill: fill, marker: markerSymbol(stroke: stroke, fill: fill), label: labelSymbol,
            isHidden: isHidden ?? false)
    }

    private var strokeSymbol: LineSymbol? {
        let width = strokeWidth ?? 1
        let color = (strokeColor ?? Self.orange).withOpacity(strokeOpacity ?? 1)
        guard isStroked ?? true, width > 0, color.alpha > 0 else { return nil }
        return LineSymbol(
            color: color, width: width, cap: strokeCap ?? .round, join: strokeJoin ?? .round,
            dashes: dashStyle?.dashes(width: width) ?? [], casing: casing)
    }

    private var fillSymbol: FillSymbol? {
        let color = (fillColor ?? Self.orange).withOpacity(fillOpacity ?? 0.4)
        return isFilled ?? true && color.alpha > 0 ? FillSymbol(color: color) : nil
    }

    private func markerSymbol(stroke: LineSymbol?, fill: FillSymbol?) -> MarkerSymbol? {
        switch marker ?? .shape(.circle) {
        case .shape(let shape):
            let radius = pointRadius ?? 6
            guard radius > 0, stroke != nil || fill != nil else { return nil }
            return .shape(
                ShapeMarker(shape: shape, radius: radius, fill: fill, stroke: stroke, rotation: rotation ?? 0))
        case .pin:
            let color = pinColor ?? Self.pinGray
            return .shape(
                ShapeMarker(
                    shape: .pin, radius: pinRadius ?? 9, fill: FillSymbol(color: color),
                    stroke: LineSymbol(color: .white, width: 1.5), rotation: rotation ?? 0))
        case .icon(let source):
            return .icon(
                IconMarker(
                    source: source, width: iconWidth, height: iconHeight, offsetX: iconOffsetX, offsetY: iconOffsetY,
                    anchor: iconAnchor ?? .center, opacity: iconOpacity ?? 1, rotation: rotation ?? 0,
                    scale: iconScale ?? 1))
        }
    }

    private var labelSymbol: LabelSymbol? {
        guard let label, !label.isEmpty else { return nil }
        let outlineWidth = labelOutlineWidth ?? (labelOutlineColor == nil ? 0 : 3)
        return LabelSymbol(
            template: label, color: fontColor ?? .black, size: fontSize ?? 12, family: fontFamily,
            weight: fontWeight ?? 400, horizontalAlignment: labelHorizontalAlignment ?? .center,
            verticalAlignment: labelVerticalAlignment ?? .middle, offsetX: labelOffsetX ?? 0,
            offsetY: labelOffsetY ?? 0,
            outline: outlineWidth > 0
                ? LabelSymbol.Outline(color: labelOutlineColor ?? .white, width: outlineWidth) : nil,
            placement: isLabelPlaceStated ? .fixed : .free,
            background: labelBackgroundColor.flatMap { color in
                color.alpha > 0 ? LabelSymbol.Background(color: color, padding: labelPadding ?? 2) : nil
            })
    }

    private var isLabelPlaceStated: Bool {
        labelHorizontalAlignment != nil || labelVerticalAlignment != nil || labelOffsetX != nil || labelOffsetY != nil
    }
}
