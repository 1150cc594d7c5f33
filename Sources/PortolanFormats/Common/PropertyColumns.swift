import PortolanFeatures

/// The columns that hold the properties of features, for formats with one type for each column.
///
/// Identifiers are in the column `id` if features have no property with this name.
struct PropertyColumns {
    /// The type of a column's values.
    enum ValueType {
        case bool, integer, number, string
        /// Lists, objects, and values of several types.
        case json

        fileprivate init(_ value: PropertyValue) {
            switch value {
            case .bool: self = .bool
            case .integer: self = .integer
            case .number: self = .number
            case .string: self = .string
            case .null, .array, .object: self = .json
            }
        }

        /// Returns the type that can hold the values of both types.
        fileprivate func joined(with other: ValueType) -> ValueType {
            if self == other { return self }
            return [self, other].allSatisfy { $0 == .integer || $0 == .number } ? .number : .json
        }
    }

    private(set) var names: [String] = []
    private(set) var types: [ValueType] = []
    private var numbers: [String: Int] = [:]

    /// Finds the columns, in order of their first values.
    ///
    /// - Parameter limit: the most columns; further ones are left out.
    init(_ features: [Feature], limit: Int = .max) {
        for feature in features {
            Self.forEachProperty(of: feature) { name, value in
                let type = ValueType(value)
                if let number = numbers[name] {
                    types[number] = types[number].joined(with: type)
                } else if names.count < limit {
                    numbers[name] = names.count
                    names.append(name)
                    types.append(type)
                }
            }
        }
    }

    /// Visits the values of a feature that are not null, with the numbers of their columns.
    func forEachValue(of feature: Feature, _ body: (Int, PropertyValue) -> Void) {
        Self.forEachProperty(of: feature) { name, value in
            if let number = numbers[name] { body(number, value) }
        }
    }

    private static func forEachProperty(of feature: Feature, _ body: (String, PropertyValue) -> Void) {
        if feature.properties["id"] == nil, let id = feature.id { body("id", id.propertyValue) }
        for property in feature.properties where property.value != .null { body(property.name, property.value) }
    }
}
