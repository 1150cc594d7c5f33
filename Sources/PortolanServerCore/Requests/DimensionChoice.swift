import PortolanPlan
import PortolanServices

/// The values of dimensions that a request chooses (OGC 06-042, annex C.4; OGC 07-057r7, clause 7.2.1).
struct DimensionChoice {
    /// The values by lowercase name; those without a value are drawn with their default.
    private(set) var values: [String: String] = [:]
    /// The warnings about defaults, for the header field `Warning`.
    private(set) var warnings: [String] = []

    /// Checks values for all dimensions of the layers.
    ///
    /// - Parameters:
    ///   - codes: the exception codes of the service.
    ///   - given: returns the name of a dimension's parameter, and its value or `nil`.
    init(
        of layers: [NamedLayer], codes: (missing: ServiceFault.Code, invalid: ServiceFault.Code),
        _ given: (WMSCapabilities.Dimension) -> (key: String, value: String?)
    ) throws(ServiceFault) {
        for dimension in layers.flatMap(\.map.layers).flatMap(\.dimensions) {
            let (key, value) = given(dimension.facts)
            guard let value else {
                guard let usual = dimension.facts.defaultValue, !usual.isEmpty else {
                    throw ServiceFault(
                        codes.missing, "'\(key)' has no default; values: \(dimension.facts.values.prefix(200))",
                        key: key)
                }
                let warning = "99 Default value used: \(dimension.name)=\(usual) \(dimension.facts.units)"
                if !warnings.contains(warning) { warnings.append(warning) }
                continue
            }
            guard DimensionValues(dimension.facts).contain(value) else {
                throw ServiceFault(
                    codes.invalid,
                    "'\(value.prefix(100))' is not a value of '\(key)': \(dimension.facts.values.prefix(200))", key: key
                )
            }
            values[dimension.name] = value
        }
    }

    /// A text that distinguishes pictures by their values.
    var key: String { values.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined() }

    /// Adds the warnings to a response.
    func note(in response: inout ServerResponse) {
        guard !warnings.isEmpty, response.status < 400 else { return }
        let text = warnings.joined(separator: ", ").prefix(1000)
        response.set("Warning", String(text.map { (" "..."~").contains($0) ? $0 : "?" }))
    }
}

extension NamedLayer {
    /// Returns the layer with other values of its dimensions.
    func choosing(_ choice: DimensionChoice) -> NamedLayer {
        guard !choice.values.isEmpty else { return self }
        var map = map
        map.layers = map.layers.map { $0.choosing(choice.values) }
        return NamedLayer(name: name, title: title, map: map, isWhole: isWhole)
    }

    /// The dimensions in capabilities: of several with the same name, the first.
    var dimensions: [WMSCapabilities.Dimension] {
        map.layers.flatMap(\.dimensions).reduce(into: []) { found, dimension in
            if !found.contains(where: { $0.name.lowercased() == dimension.name }) { found.append(dimension.facts) }
        }
    }
}
