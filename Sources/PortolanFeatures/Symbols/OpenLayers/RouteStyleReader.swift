internal import PortolanRaster
public import PortolanWeb

/// Reads the named styles of the route dialect, in the vocabulary of OpenLayers 2.
///
/// A feature's property `style` is an object of named styles, `default` and optionally `select`. Each is an object with
/// keys such as `strokeColor`. Invalid values are ignored with a warning. Unknown keys are ignored silently, since old
/// files have keys for screens only. Opacities are between 0 and 1, pixel sizes between 0 and 10,000.
public enum RouteStyleReader {
    /// Returns the named style in a feature's property `style`, or `nil` if none has this name.
    ///
    /// - Parameter warnings: receives one warning per invalid value.
    public static func read(_ feature: Feature, name: String, warnings: inout [MapWarning]) -> StyleDeclaration? {
        guard let value = feature.properties["style"], value != .null else { return nil }
        guard let styles = value.objectValue else {
            warnings.append(
                MapWarning(
                    feature: feature.warningName, key: "style", message: "must be an object of named styles; ignored"))
            return nil
        }
        guard let named = styles[name], named != .null else { return nil }
        guard let keys = named.objectValue else {
            warnings.append(
                MapWarning(
                    feature: feature.warningName, key: "style.\(name)", message: "must be an object of keys; ignored"))
            return nil
        }
        return read(keys, feature: feature.warningName, keyPrefix: "style.\(name).", warnings: &warnings)
    }

    /// Returns the style in an object of style keys.
    ///
    /// - Parameters:
    ///   - feature: the name of the feature in warnings.
    ///   - keyPrefix: the text before a key in warnings.
    public static func read(
        _ keys: Properties, feature: String?, keyPrefix: String = "", warnings: inout [MapWarning]
    ) -> StyleDeclaration {
        var reader = StyleValueReader(keys, feature: feature, keyPrefix: keyPrefix)
        var style = StyleDeclaration()
        readLines(&reader, &style)
        readMarker(&reader, &style)
        readLabel(&reader, &style)
        style.isHidden = reader.text("display").map { $0.lowercased() == "none" }
        style.isGeodesic = reader.flag("geodesic")
        warnings += reader.warnings
        return style
    }

    private static func readLines(_ reader: inout StyleValueReader, _ style: inout StyleDeclaration) {
        style.isStroked = reader.flag("stroke")
        style.strokeColor = reader.color("strokeColor")
        style.strokeWidth = reader.size("strokeWidth")
        style.strokeOpacity = reader.opacity("strokeOpacity")
        style.strokeCap = reader.word(
            "strokeLinecap",
            [
                ("butt", StrokeStyle.LineCap.butt), ("round", StrokeStyle.LineCap.round),
                ("square", StrokeStyle.LineCap.square),
            ])
        style.dashStyle = reader.dashStyle("strokeDashstyle")
        let casingWidth = reader.size("casingWidth")
        style.casing = reader.color("casingColor").map {
            LineSymbol.Casing(color: $0, width: casingWidth ?? (style.strokeWidth ?? 2) + 3)
        }
        style.isFilled = reader.flag("fill")
        style.fillColor = reader.color("fillColor")
        style.fillOpacity = reader.opacity("fillOpacity")
    }

    private static func readMarker(_ reader: inout StyleValueReader, _ style: inout StyleDeclaration) {
        style.pointRadius = reader.size("pointRadius")
        style.markerOutlineColor = reader.color("markerOutlineColor")
        let shape = reader.word(
            "graphicName",
            [
                ("circle", ShapeMarker.Shape.circle), ("square", .square), ("triangle", .triangle), ("star", .star),
                ("cross", .cross), ("x", .x),
            ])
        if let shape {
            style.marker = .shape(shape)
        } else if style.pointRadius != nil {
            style.marker = .shape(.circle)
        }
        if let source = reader.text("externalGraphic").flatMap({ IconMarker.Source($0) }) {
            style.marker = .icon(source)
        }
        style.iconWidth = reader.size("graphicWidth").flatMap { $0 > 0 ? $0 : nil }
        style.iconHeight = reader.size("graphicHeight").flatMap { $0 > 0 ? $0 : nil }
        style.iconOffsetX = reader.number("graphicXOffset")
        style.iconOffsetY = reader.number("graphicYOffset")
        style.iconOpacity = reader.opacity("graphicOpacity")
        style.iconTint = reader.color("graphicColor")
        style.rotation = reader.number("rotation")
    }

    private static func readLabel(_ reader: inout StyleValueReader, _ style: inout StyleDeclaration) {
        style.label = reader.text("label")
        style.labelLanguage = reader.text("labelLanguage")
        style.fontColor = reader.color("fontColor")
        style.fontSize = reader.size("fontSize").flatMap { $0 > 0 ? $0 : nil }
        style.fontFamily = reader.text("fontFamily")
        style.fontWeight = reader.word(
            "fontWeight",
            [("normal", 400), ("bold", 700), ("bolder", 700), ("lighter", 300)]
                + stride(from: 100, through: 900, by: 100).map { (String($0), $0) })
        readAlignment(&reader, &style)
        style.labelOffsetX = reader.number("labelXOffset")
        // OpenLayers counts this offset upwards, as on the map.
        style.labelOffsetY = reader.number("labelYOffset").map { $0 == 0 ? 0 : -$0 }
        style.labelOutlineColor = reader.color("labelOutlineColor")
        style.labelOutlineWidth = reader.size("labelOutlineWidth")
        style.labelBackgroundColor = reader.color("labelBackgroundColor")
        style.labelPadding = reader.size("labelPadding")
        style.labelPriority = reader.text("labelPriority")
        style.labelDeclutters = reader.flag("labelDeclutter")
    }

    /// Reads `labelAlign`: one letter of `lcr` for horizontal, one of `tmb` for vertical alignment.
    private static func readAlignment(_ reader: inout StyleValueReader, _ style: inout StyleDeclaration) {
        guard let text = reader.text("labelAlign")?.lowercased() else { return }
        for letter in text {
            switch letter {
            case "l": style.labelHorizontalAlignment = .left
            case "c": style.labelHorizontalAlignment = .center
            case "r": style.labelHorizontalAlignment = .right
            case "t": style.labelVerticalAlignment = .top
            case "m": style.labelVerticalAlignment = .middle
            case "b": style.labelVerticalAlignment = .bottom
            default:
                reader.warn(
                    "labelAlign", "'\(text.prefix(20))' must be one of l, c, r followed by one of t, m, b; ignored")
                style.labelHorizontalAlignment = nil
                style.labelVerticalAlignment = nil
                return
            }
        }
    }
}

extension Feature {
    /// The name of the feature in warnings, or `nil` if it has neither identifier nor name.
    package var warningName: String? {
        let name = id?.description ?? properties["id"]?.displayText ?? title
        return name.map { "'\($0.prefix(60))'" }
    }
}
