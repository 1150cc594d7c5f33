import Portolan
import PortolanWeb

extension LayerBuilder {
    /// Reads the keys of the box behind labels, which are those of the route dialect under other names.
    static func readLabelBox(
        _ specification: LayerSpecification, _ style: inout StyleDeclaration
    ) throws(CommandFailure) {
        let names = [("label-background", "labelBackgroundColor"), ("label-padding", "labelPadding")]
        var keys = Properties()
        for (name, key) in names { keys[key] = specification[name].map { .string($0) } }
        var warnings: [FeatureWarning] = []
        let box = RouteStyleReader.read(keys, feature: nil, warnings: &warnings)
        if let warning = warnings.first {
            let name = names.first { $0.1 == warning.key }?.0 ?? "label"
            throw specification.bad(name, warning.expected.map { "is not \($0)" } ?? "cannot be used")
        }
        style.labelBackgroundColor = box.labelBackgroundColor
        style.labelPadding = box.labelPadding
    }

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
