import PortolanWeb

/// A property name that no feature has.
public struct UnknownPropertyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let name: String
    /// The names that features have, in order of their first appearance.
    public let known: [String]

    /// Creates an error about a name.
    package init(name: String, known: [String]) {
        (self.name, self.known) = (name, known)
    }

    /// The error, with a similar name or the known ones.
    public var description: String {
        let names = known.prefix(20).joined(separator: ", ") + (known.count > 20 ? ", …" : "")
        let near = NearName.nearest(to: name, in: known).map { "did you mean '\($0)'? " } ?? ""
        return "no feature has the property '\(name)'; \(near)"
            + (known.isEmpty ? "features have no properties" : "available: \(names)")
    }
}
