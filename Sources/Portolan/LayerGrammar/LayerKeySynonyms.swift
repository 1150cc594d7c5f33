/// The names by which other programs call the keys of layers, for "did you mean" messages.
enum LayerKeySynonyms {
    private static let names: [String: [String]] = [
        "fill": ["color", "colour", "fill-color", "fill-colour", "column", "by", "value", "color-by"],
        "stroke": ["line-color", "stroke-color", "outline-color", "border", "border-color"],
        "stroke-width": ["width", "line-width", "weight", "border-width"],
        "radius": ["size", "size-by", "bubble", "circle-radius", "marker-radius", "symbol-size"],
        "classes": ["bins", "k", "groups", "buckets", "number-of-classes"],
        "method": ["scheme", "classification", "scale", "mode", "classify"],
        "palette": ["colors", "colours", "ramp", "cmap", "colormap", "color-scheme", "color-ramp"],
        "breaks": ["thresholds", "intervals", "limits", "bounds"],
        "no-data": ["nodata", "no_data", "missing", "na"],
        "join": ["csv", "data", "table", "merge"],
        "on": ["key", "join-key", "join-on", "id"],
        "label": ["labels", "text", "text-field", "label-text", "label-format", "number-format", "format"],
        "language": ["lang", "locale"],
        "opacity": ["alpha", "transparency"],
    ]

    /// Returns the key that is meant by another name, or `nil` if none of the known ones is.
    static func key(for name: String, among known: [String]) -> String? {
        let name = name.lowercased()
        return names.first { $0.value.contains(name) && known.contains($0.key) }?.key
    }
}
