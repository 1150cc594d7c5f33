import PortolanFeatures
import PortolanRaster
import PortolanWeb

/// The keys `look` and `selected-look` of features: an object of the route dialect, such as `{"pointRadius": 4}`.
enum FeatureLook {
    static let key = "look", selectedKey = "selected-look"

    /// Reads the style of a key, or returns `nil` if the key is absent.
    static func read(
        _ key: String, of specification: LayerSpecification
    ) throws(MapError) -> StyleDeclaration? {
        guard let text = specification[key] else { return nil }
        guard let members = (try? JSONReader.value(bytes: Array(text.utf8)))?.objectValue else {
            throw specification.invalid(key, "is not a JSON object")
        }
        var warnings: [MapWarning] = []
        let style = RouteStyleReader.read(members, feature: nil, warnings: &warnings)
        if let warning = warnings.first { throw specification.invalid(key, "is invalid: \(warning.detail)") }
        return style
    }

    /// Returns a declaration as an object, for the parts that have keys in the dialect.
    static func text(_ style: StyleDeclaration) -> String {
        var look = Properties()
        func set(_ key: String, _ value: PropertyValue?) { if let value { look[key] = value } }
        set("stroke", style.isStroked.map(PropertyValue.bool))
        set("strokeColor", style.strokeColor.map { .string($0.cssText) })
        set("strokeWidth", style.strokeWidth.map(PropertyValue.number))
        set("strokeOpacity", style.strokeOpacity.map(PropertyValue.number))
        set("strokeLinecap", style.strokeCap.map { .string($0.word) })
        set("strokeDashstyle", style.dashStyle.map(\.value))
        set("fill", style.isFilled.map(PropertyValue.bool))
        set("fillColor", style.fillColor.map { .string($0.cssText) })
        set("fillOpacity", style.fillOpacity.map(PropertyValue.number))
        switch style.marker {
        case .shape(let shape): set("graphicName", .string("\(shape)"))
        case .icon(.file(let path)): set("externalGraphic", .string(path))
        case .icon(.url(let url)): set("externalGraphic", .string(url))
        case .icon(.picture), .pin, nil: break
        }
        set("pointRadius", style.pointRadius.map(PropertyValue.number))
        set("graphicWidth", style.iconWidth.map(PropertyValue.number))
        set("graphicHeight", style.iconHeight.map(PropertyValue.number))
        set("graphicXOffset", style.iconOffsetX.map(PropertyValue.number))
        set("graphicYOffset", style.iconOffsetY.map(PropertyValue.number))
        set("graphicOpacity", style.iconOpacity.map(PropertyValue.number))
        set("graphicColor", style.iconTint.map { .string($0.cssText) })
        set("rotation", style.rotation.map(PropertyValue.number))
        set("label", style.label.map(PropertyValue.string))
        set("labelLanguage", style.labelLanguage.map(PropertyValue.string))
        set("fontColor", style.fontColor.map { .string($0.cssText) })
        set("fontSize", style.fontSize.map(PropertyValue.number))
        set("fontFamily", style.fontFamily.map(PropertyValue.string))
        set("fontWeight", style.fontWeight.map { .string(String($0)) })
        let across = style.labelHorizontalAlignment.map { "\($0)".prefix(1) } ?? ""
        let down = style.labelVerticalAlignment.map { "\($0)".prefix(1) } ?? ""
        if !across.isEmpty || !down.isEmpty { set("labelAlign", .string(String(across + down))) }
        set("labelXOffset", style.labelOffsetX.map(PropertyValue.number))
        // The dialect counts this offset upwards.
        set("labelYOffset", style.labelOffsetY.map { .number(-$0) })
        set("labelOutlineColor", style.labelOutlineColor.map { .string($0.cssText) })
        set("labelOutlineWidth", style.labelOutlineWidth.map(PropertyValue.number))
        set("labelBackgroundColor", style.labelBackgroundColor.map { .string($0.cssText) })
        set("labelPadding", style.labelPadding.map(PropertyValue.number))
        set("labelPriority", style.labelPriority.map(PropertyValue.string))
        set("labelDeclutter", style.labelDeclutters.map(PropertyValue.bool))
        set("display", style.isHidden.map { .string($0 ? "none" : "") })
        set("geodesic", style.isGeodesic.map(PropertyValue.bool))
        return String(decoding: GeoJSONWriter.json(.object(look)), as: UTF8.self)
    }
}

extension StrokeStyle.LineCap {
    fileprivate var word: String {
        switch self {
        case .butt: "butt"
        case .round: "round"
        case .square: "square"
        }
    }
}

extension LineSymbol.DashStyle {
    fileprivate var value: PropertyValue {
        switch self {
        case .pixels(let lengths): .array(lengths.map(PropertyValue.number))
        case .solid, .dot, .dash, .dashDot, .longDash, .longDashDot: .string("\(self)")
        }
    }
}
