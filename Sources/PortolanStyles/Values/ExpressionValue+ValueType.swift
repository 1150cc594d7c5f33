extension ExpressionValue {
    /// The type of an expression (MapLibre Style Specification, Types).
    public indirect enum ValueType: Hashable, Sendable, CustomStringConvertible {
        /// Nothing.
        case null
        /// A number.
        case number
        /// A text.
        case string
        /// True or false.
        case boolean
        /// A colour.
        case color
        /// Named values.
        case object
        /// Any other type, which is only known at evaluation.
        case value
        /// A list; the count is `nil` if it is not fixed.
        case array(ExpressionValue.ValueType, count: Int?)
        /// A text comparison.
        case collator
        /// A text with formatted sections.
        case formatted
        /// The name of an image.
        case resolvedImage
        /// Four distances from the sides of a box: top, right, bottom, left.
        case padding
        /// A list of numbers, or a single number.
        case numberArray
        /// A list of colours, or a single colour.
        case colorArray
        /// Anchors, each with an offset.
        case variableAnchorOffsetCollection
        /// The name of a projection, or a transition between two.
        case projectionDefinition
        /// The type of an expression that never has a value.
        case error

        /// A list of any values.
        static let anyArray = ExpressionValue.ValueType.array(.value, count: nil)

        /// The type as written in the specification, such as `array<number, 2>`.
        public var description: String {
            switch self {
            case .null: "null"
            case .number: "number"
            case .string: "string"
            case .boolean: "boolean"
            case .color: "color"
            case .object: "object"
            case .value: "value"
            case .array(let item, let count?): "array<\(item), \(count)>"
            case .array(.value, nil): "array"
            case .array(let item, nil): "array<\(item)>"
            case .collator: "collator"
            case .formatted: "formatted"
            case .resolvedImage: "resolvedImage"
            case .padding: "padding"
            case .numberArray: "numberArray"
            case .colorArray: "colorArray"
            case .variableAnchorOffsetCollection: "variableAnchorOffsetCollection"
            case .projectionDefinition: "projectionDefinition"
            case .error: "error"
            }
        }

        /// The type of the items of a list, or `nil` for other types.
        var item: ExpressionValue.ValueType? { if case .array(let item, _) = self { item } else { nil } }

        /// Returns whether a value of this type is valid where `wanted` is required.
        func isSubtype(of wanted: ExpressionValue.ValueType) -> Bool {
            switch (wanted, self) {
            case (_, .error): true
            case (.array(let wantedItem, let wantedCount), .array(let item, let count)):
                // An empty list of unknown items matches any list.
                (count == 0 && item == .value || item.isSubtype(of: wantedItem))
                    && (wantedCount == nil || wantedCount == count)
            case (.value, .array(let item, _)): item.isSubtype(of: .value)
            case (.value, .collator): false
            case (.value, _): true
            default: self == wanted
            }
        }

        /// Returns whether both are of one kind; lists are, regardless of their items.
        func isOfKind(_ other: ExpressionValue.ValueType) -> Bool {
            switch (self, other) {
            case (.array, .array): true
            default: self == other
            }
        }

        /// Whether values of this type can be interpolated.
        var isInterpolatable: Bool {
            switch self {
            case .number, .color, .padding, .numberArray, .colorArray, .variableAnchorOffsetCollection,
                .projectionDefinition, .array(.number, count: .some):
                true
            default: false
            }
        }
    }
}
