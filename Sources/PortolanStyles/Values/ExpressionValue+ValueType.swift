extension ExpressionValue {
    /// What kind of value an expression gives (MapLibre Style Specification, Types).
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
        /// Any of the others; which one is known when a feature is there.
        case value
        /// A list; how many it holds is `nil` where that is not fixed.
        case array(ExpressionValue.ValueType, count: Int?)
        /// How texts are compared.
        case collator
        /// A text in sections with looks of their own.
        case formatted
        /// The name of a picture.
        case resolvedImage
        /// Four distances from the sides of a box: top, right, bottom, left.
        case padding
        /// A list of numbers, of which one may stand alone.
        case numberArray
        /// A list of colours, of which one may stand alone.
        case colorArray
        /// Anchors, each with an offset.
        case variableAnchorOffsetCollection
        /// The name of a projection, or two between which the map is.
        case projectionDefinition
        /// What never gives a value.
        case error

        /// A list of any values.
        static let anyArray = ExpressionValue.ValueType.array(.value, count: nil)

        /// The type as the specification writes it, such as `array<number, 2>`.
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

        /// Whether a value of this type may stand where `wanted` is asked for.
        func isSubtype(of wanted: ExpressionValue.ValueType) -> Bool {
            switch (wanted, self) {
            case (_, .error): true
            case (.array(let wantedItem, let wantedCount), .array(let item, let count)):
                // An empty list of nobody knows what is a list of anything.
                (count == 0 && item == .value || item.isSubtype(of: wantedItem))
                    && (wantedCount == nil || wantedCount == count)
            case (.value, .array(let item, _)): item.isSubtype(of: .value)
            case (.value, .collator): false
            case (.value, _): true
            default: self == wanted
            }
        }

        /// Whether both are of one kind: lists are, whatever they hold.
        func isOfKind(_ other: ExpressionValue.ValueType) -> Bool {
            switch (self, other) {
            case (.array, .array): true
            default: self == other
            }
        }

        /// Whether values between two of this type can be found.
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
