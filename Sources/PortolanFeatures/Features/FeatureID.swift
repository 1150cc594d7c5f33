/// What tells a feature from others: a text or a number (RFC 7946 section 3.2).
public enum FeatureID: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral,
    ExpressibleByIntegerLiteral
{
    /// A text.
    case string(String)
    /// A whole number.
    case integer(Int)
    /// A number with a fraction, or too large for an `Int`.
    case number(Double)

    /// Makes the identifier that a property's value stands for, or `nil` when it is neither text nor number.
    ///
    /// A number such as `7.0` becomes the whole number 7.
    public init?(_ value: PropertyValue) {
        switch value {
        case .string(let text): self = .string(text)
        case .integer(let number): self = .integer(number)
        case .number(let number): self = Int(exactly: number).map(FeatureID.integer) ?? .number(number)
        case .null, .bool, .array, .object: return nil
        }
    }

    /// Makes a text identifier.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Makes a whole number identifier.
    public init(integerLiteral value: Int) { self = .integer(value) }

    /// The identifier as the value of a property.
    public var propertyValue: PropertyValue {
        switch self {
        case .string(let text): .string(text)
        case .integer(let number): .integer(number)
        case .number(let number): .number(number)
        }
    }

    /// The text, or the number in shortest decimals.
    public var description: String {
        switch self {
        case .string(let text): text
        case .integer(let number): String(number)
        case .number(let number): JSONNumber.text(number)
        }
    }
}
