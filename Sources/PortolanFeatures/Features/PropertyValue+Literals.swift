extension PropertyValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }

    /// A whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }

    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }

    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Null.
    public init(nilLiteral: ()) { self = .null }

    /// A list.
    public init(arrayLiteral elements: PropertyValue...) { self = .array(elements) }

    /// Named values; of those with the same name the last one counts.
    public init(dictionaryLiteral elements: (String, PropertyValue)...) {
        var properties = Properties()
        for (name, value) in elements { properties[name] = value }
        self = .object(properties)
    }
}
