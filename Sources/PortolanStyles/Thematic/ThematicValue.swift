import PortolanFeatures

/// The MapLibre expressions that read a property, or the first of several that a feature has.
struct ThematicValue: Hashable {
    private let value: PropertyValue
    private let readsTexts: Bool

    /// Creates the expressions of properties.
    ///
    /// - Parameter readsTexts: whether numbers are also read from texts.
    init(_ properties: [String], readsTexts: Bool) {
        let values = properties.map { PropertyValue.array(["get", .string($0)]) }
        value = values.count == 1 ? values[0] : .array(["coalesce"] + values)
        self.readsTexts = readsTexts
    }

    /// The number, where ``isNumber`` holds.
    var number: PropertyValue { readsTexts ? ["to-number", value, 0] : value }
    /// The text of any value.
    var text: PropertyValue { ["to-string", value] }
    /// Whether the feature has a value.
    var isPresent: PropertyValue { ["!=", text, ""] }

    /// Whether the property is a number.
    var isNumber: PropertyValue {
        let isNumber: PropertyValue = ["==", ["typeof", value], "number"]
        guard readsTexts else { return isNumber }
        // A text that is not a number gives the second argument.
        let isText: PropertyValue = ["==", ["typeof", value], "string"]
        let isReadable: PropertyValue = ["==", ["to-number", value, 0], ["to-number", value, 1]]
        return ["any", isNumber, ["all", isText, isPresent, isReadable]]
    }
}
