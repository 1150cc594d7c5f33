/// A dimension of a layer of tiles besides the two of the map, as time or elevation.
public struct WMTSDimension: Hashable, Sendable {
    /// The name to ask with, as the document writes it.
    public var identifier: String
    /// The unit of its values, or `nil`.
    public var unit: String?
    /// The value the service names for when none is wanted, or `nil`.
    public var defaultValue: String?
    /// Whether `current` may be asked for.
    public var hasCurrent: Bool
    /// The values there are, in the order of the document; one may stand for several, as `2020/2024/P1Y`.
    public var values: [String]

    /// The value to ask for when none is wanted: the default, the current, the first, or the word `default`.
    public var standardValue: String {
        if let defaultValue { return defaultValue }
        return hasCurrent ? "current" : values.first ?? "default"
    }

    /// Whether a value is among those listed; lists of ranges are not looked into.
    public func mayHave(_ value: String) -> Bool {
        values.isEmpty || values.contains(value) || values.contains { $0.contains("/") || $0.contains(",") }
            || value == defaultValue || (hasCurrent && value == "current")
    }
}
