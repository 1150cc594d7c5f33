/// A value of a feature's property, of any kind that JSON has.
public enum PropertyValue: Hashable, Sendable {
    /// Nothing.
    case null
    /// True or false.
    case bool(Bool)
    /// A number written without fraction and exponent that an `Int` holds.
    case integer(Int)
    /// Any other number.
    case number(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([PropertyValue])
    /// Named values in order.
    case object(Properties)

    /// The truth value, or `nil` when the value is of another kind.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The text, or `nil` when the value is of another kind; numbers are not turned into text.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

    /// The number, or `nil` when the value is of another kind; texts are not read as numbers.
    public var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The whole number, or `nil` when the value is of another kind or has a fraction.
    public var integerValue: Int? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The list, or `nil` when the value is of another kind.
    public var arrayValue: [PropertyValue]? { if case .array(let value) = self { value } else { nil } }

    /// The named values, or `nil` when the value is of another kind.
    public var objectValue: Properties? { if case .object(let value) = self { value } else { nil } }

    /// The value as a label shows it: texts as they are, numbers in shortest decimals, `true` or `false`; `nil` for the
    /// other kinds.
    public var displayText: String? {
        switch self {
        case .string(let text): text
        case .integer(let number): String(number)
        case .number(let number): JSONNumber.text(number)
        case .bool(let flag): flag ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}
