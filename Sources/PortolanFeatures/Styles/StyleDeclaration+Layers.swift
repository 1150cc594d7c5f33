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
        result.casing = casing ?? lower.casing
        result.isFilled = isFilled ?? lower.isFilled
        result.fillColor = fillColor ?? lower.fillColor
        result.fillOpacity = fillOpacity ?? lower.fillOpacity
        result.marker = marker ?? lower.marker
        result.pointRadius = pointRadius ?? lower.pointRadius
        result.pinColor = pinColor ?? lower.pinColor
        result.pinRadius = pinRadius ?? lower.pinRadius
        result.iconWidth = iconWidth ?? lower.iconWidth
        result.iconHeight = iconHeight ?? lower.iconHeight
        result.iconOffsetX = iconOffsetX ?? lower.iconOffsetX
        result.iconOffsetY = iconOffsetY ?? lower.iconOffsetY
        result.iconAnchor = iconAnchor ?? lower.iconAnchor
        result.iconScale = iconScale ?? lower.iconScale
        result.iconOpacity = iconOpacity ?? lower.iconOpacity
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
        result.isHidden = isHidden ?? lower.isHidden
        return result
    }
}
