import PortolanFeatures

extension Feature {
    /// The keys whose values say what a feature without a name is, in the order of preference.
    private static let kinds = [
        "amenity", "shop", "tourism", "leisure", "historic", "office", "craft", "building", "highway", "railway",
        "waterway", "natural", "landuse", "place", "man_made", "power", "barrier", "kind", "class", "category", "type",
    ]
    /// The nouns that complete the values of some keys.
    private static let nouns = [
        "building": "building", "highway": "road", "railway": "railway", "waterway": "waterway",
    ]

    /// The name, or else what the feature is: "Commercial building", "Residential road", or "Area".
    var spokenTitle: String {
        if let title, !title.isEmpty { return title }
        for key in Self.kinds {
            guard let value = properties[key]?.stringValue, !value.isEmpty, value.utf8.count < 60, value != "no" else {
                continue
            }
            let noun = Self.nouns[key]
            var kind = value.replacing("_", with: " ")
            if ["yes", "true", "1"].contains(value) { kind = key.replacing("_", with: " ") }
            if let noun, !kind.hasSuffix(noun) { kind += " \(noun)" }
            return kind.prefix(1).uppercased() + kind.dropFirst()
        }
        if let number = properties["ref"]?.displayText, !number.isEmpty { return number }
        switch geometry?.kind {
        case .point?, .multiPoint?: return "Place"
        case .lineString?, .multiLineString?: return "Line"
        case .polygon?, .multiPolygon?: return "Area"
        default: return "Feature"
        }
    }
}
