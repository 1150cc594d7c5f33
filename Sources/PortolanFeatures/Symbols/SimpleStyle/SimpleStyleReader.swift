internal import PortolanRaster
package import PortolanWeb

/// Reads the style in a feature's properties according to simplestyle-spec 1.1.
///
/// Supported keys: `stroke`, `stroke-width`, `stroke-opacity`, `fill`, `fill-opacity`, `marker-color`, `marker-size`
/// (`small`, `medium`, `large`) and `marker-symbol`. Any of the marker keys gives points a pin, with a ``PinSymbol`` in
/// its head. `none` in place of a colour means that nothing is drawn. If a document uses any of the keys, missing keys
/// have the defaults of the specification (``StyleDeclaration/simpleStyle``). Keys of a layer have those of the route
/// dialect. Invalid values are ignored with a warning.
package enum SimpleStyleReader {
    /// The radius of a pin's head for each size, in pixels.
    private static let pinRadii = [("small", 7.0), ("medium", 9.0), ("large", 12.0)]

    /// The style keys.
    package static let keys = [
        "stroke", "stroke-width", "stroke-opacity", "fill", "fill-opacity", "marker-color", "marker-size",
        "marker-symbol",
    ]

    /// Returns the style in a feature's properties, or `nil` if there are no style keys.
    ///
    /// - Parameter warnings: receives one warning per invalid value.
    package static func read(_ feature: Feature, warnings: inout [MapWarning]) -> StyleDeclaration? {
        guard feature.usesSimpleStyle else { return nil }
        return read(feature.properties, feature: feature.warningName, warnings: &warnings)
    }

    /// Returns the style of keys, such as the defaults of a layer.
    ///
    /// - Parameter feature: the name of the feature in warnings; `nil` for a layer.
    package static func read(
        _ properties: Properties, feature: String?, warnings: inout [MapWarning]
    )
        -> StyleDeclaration
    {
        var reader = StyleValueReader(properties, feature: feature)
        var style = StyleDeclaration()
        if reader.isNone("stroke") { style.isStroked = false } else { style.strokeColor = reader.color("stroke") }
        if style.strokeColor != nil { style.isStroked = true }
        style.strokeWidth = reader.size("stroke-width")
        style.strokeOpacity = reader.opacity("stroke-opacity")
        if reader.isNone("fill") { style.isFilled = false } else { style.fillColor = reader.color("fill") }
        if style.fillColor != nil { style.isFilled = true }
        style.fillOpacity = reader.opacity("fill-opacity")
        let hasNoMarker = reader.isNone("marker-color")
        if !hasNoMarker { style.pinColor = reader.color("marker-color") }
        style.pinRadius = reader.word("marker-size", pinRadii)
        let symbol = reader.isNone("marker-symbol") ? "" : reader.text("marker-symbol") ?? ""
        if !symbol.isEmpty {
            style.pinSymbol = PinSymbol(symbol)
            if style.pinSymbol == nil {
                reader.warn("marker-symbol", "unknown symbol '\(symbol.prefix(40))'; left out")
            }
        }
        if hasNoMarker {
            // A shape of size zero is not drawn.
            style.marker = .shape(.circle)
            style.pointRadius = 0
        } else if style.pinColor != nil || style.pinRadius != nil || !symbol.isEmpty {
            style.marker = .pin
        }
        warnings += reader.warnings
        return style
    }
}

extension StyleDeclaration {
    /// The defaults of simplestyle-spec 1.1: lines and areas in `#555555`, lines two pixels wide, areas with opacity
    /// 0.6, grey pins of medium size.
    public static let simpleStyle: StyleDeclaration = {
        let gray = MapColor(red: 0x55, green: 0x55, blue: 0x55)
        var style = StyleDeclaration()
        style.strokeColor = gray
        style.strokeWidth = 2
        style.strokeOpacity = 1
        style.fillColor = gray
        style.fillOpacity = 0.6
        style.marker = .pin
        style.pinColor = pinGray
        style.pinRadius = 9
        return style
    }()
}

extension Feature {
    /// Whether the feature has any simplestyle key.
    package var usesSimpleStyle: Bool { properties.contains { SimpleStyleReader.keys.contains($0.name) } }
}
