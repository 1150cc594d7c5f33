import PortolanFeatures
import PortolanWeb

/// The values of features that decide colours and sizes.
struct ThematicValues {
    /// The known values of a property, in the order of the features; `nil` for features without a value.
    private let values: (String) -> [PropertyValue?]
    /// The properties that are known.
    let names: Set<String>
    /// Whether all values are known before drawing.
    ///
    /// Vector tiles and services are read as they are drawn.
    let isWhole: Bool

    /// The values of features.
    init(_ features: [Feature]) {
        var names: Set<String> = []
        for feature in features { names.formUnion(feature.properties.names) }
        self.names = names
        values = { name in features.map { $0.properties[name] } }
        isWhole = true
    }

    /// The values of points.
    init(_ table: PointTable) {
        names = Set(table.propertyNames)
        values = { table.values(of: $0) }
        isWhole = true
    }

    /// The values of a joined table, for features that are read as they are drawn.
    init(_ join: FeatureJoin?) {
        let rows = join?.rows ?? []
        names = Set(rows.first?.names ?? [])
        values = { name in rows.map { $0[name] } }
        isWhole = false
    }

    /// The values of a property, or `nil` if no feature is known to have it.
    subscript(_ name: String) -> [PropertyValue?]? {
        guard names.contains(name) else { return nil }
        let values = values(name).map { value -> PropertyValue? in
            guard let value, value != .null, value.displayText?.isEmpty == false else { return nil }
            return value
        }
        return values.contains { $0 != nil } ? values : nil
    }

    /// The number in a value as MapLibre's `to-number` reads it, or `nil`.
    static func number(_ value: PropertyValue?) -> Double? {
        guard let value else { return nil }
        if case .string(let text) = value {
            let trimmed = text.drop { $0.isWhitespace }
            return Double(
                trimmed.prefix(
                    upTo: trimmed.lastIndex { !$0.isWhitespace }.map(trimmed.index(after:)) ?? trimmed.startIndex))
        }
        return value.doubleValue
    }
}
