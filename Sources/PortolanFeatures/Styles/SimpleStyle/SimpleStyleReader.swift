/// Reads the style that simplestyle-spec 1.1 keeps among a feature's properties.
///
/// Known keys: `stroke`, `stroke-width`, `stroke-opacity`, `fill`, `fill-opacity`, `marker-color`, `marker-size`
/// (`small`, `medium`, `large`) and `marker-symbol`. Any of the marker keys gives points a pin. The symbol inside the pin
/// is not drawn, which a warning says. What is left open gets the defaults of the route dialect, not those of the
/// specification, so that one map has one look. Values that cannot be used are passed over with a warning.
public enum SimpleStyleReader {
    /// The radius of the head of a pin of each size, in pixels.
    private static let pinRadii = [("small", 7.0), ("medium", 9.0), ("large", 12.0)]

    /// The names of the keys that speak of style.
    public static let keys = [
        "stroke", "stroke-width", "stroke-opacity", "fill", "fill-opacity", "marker-color", "marker-size",
        "marker-symbol",
    ]

    /// What the properties of a feature say, or `nil` when they say nothing about style.
    ///
    /// - Parameter warnings: gets one line for each value that cannot be used.
    public static func read(_ feature: Feature, warnings: inout [FeatureWarning]) -> StyleDeclaration? {
        guard feature.properties.contains(where: { keys.contains($0.name) }) else { return nil }
        return read(feature.properties, feature: feature.warningName, warnings: &warnings)
    }

    /// What some keys say, as for the defaults of a layer.
    ///
    /// - Parameter feature: the name of the feature in warnings; `nil` for a layer.
    public static func read(
        _ properties: Properties, feature: String?, warnings: inout [FeatureWarning]
    )
        -> StyleDeclaration
    {
        var reader = StyleValueReader(properties, feature: feature)
        var style = StyleDeclaration()
        style.strokeColor = reader.color("stroke")
        style.strokeWidth = reader.size("stroke-width")
        style.strokeOpacity = reader.opacity("stroke-opacity")
        style.fillColor = reader.color("fill")
        style.fillOpacity = reader.opacity("fill-opacity")
        style.pinColor = reader.color("marker-color")
        style.pinRadius = reader.word("marker-size", pinRadii)
        let symbol = reader.text("marker-symbol") ?? ""
        if !symbol.isEmpty {
            reader.warn("marker-symbol", "symbols inside pins are not drawn; '\(symbol.prefix(40))' left out")
        }
        if style.pinColor != nil || style.pinRadius != nil || !symbol.isEmpty { style.marker = .pin }
        warnings += reader.warnings
        return style
    }
}
