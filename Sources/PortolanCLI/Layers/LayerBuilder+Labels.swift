import Portolan

extension LayerBuilder {
    /// What to say of a label's property that no feature has, or `nil` when one has it.
    static func labelWarning(_ property: String, in features: [Feature]) -> String? {
        guard !features.isEmpty, !features.contains(where: { $0.properties[property] != nil }) else { return nil }
        var names: Set<String> = []
        for feature in features { names.formUnion(feature.properties.names) }
        var warning = "label: no feature has a property '\(property)'"
        if let near = NearName.nearest(to: property, in: names) {
            warning += "; did you mean '\(near)'?"
        } else if !names.isEmpty {
            let listed = names.sorted().prefix(10).joined(separator: ", ")
            warning += "; there are: \(listed)\(names.count > 10 ? ", …" : "")"
        }
        return warning
    }
}
