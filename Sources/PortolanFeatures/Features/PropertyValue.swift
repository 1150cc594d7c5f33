/// The value of a feature property, of any JSON type.
public enum PropertyValue: Hashable, Sendable {
    /// Null.
    case null
    /// A Boolean.
    case bool(Bool)
    /// A number without fraction and exponent that fits in an `Int`.
    case integer(Int)
    /// Any other number.
    case number(Double)
    /// A text.
    case string(String)
    /// An array.
    case array([PropertyValue])
    /// An object with ordered members.
    case object(Properties)

    /// The Boolean, or `nil` for other types.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The text, or `nil` for other types.
    ///
    /// Numbers are not converted to text.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

    /// The number, or `nil` for other types.
    ///
    /// Texts are not parsed as numbers.
    public var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The integer, or `nil` for other types and numbers with a fraction.
    public var integerValue: Int? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The array, or `nil` for other types.
    public var arrayValue: [PropertyValue]? { if case .array(let value) = self { value } else { nil } }

    /// The object, or `nil` for other types.
    public var objectValue: Properties? { if case .object(let value) = self { value } else { nil } }

    /// The value as a label text: texts unchanged, numbers in shortest decimal form, `true` or `false`; `nil` for other
    /// types.
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

/// Ordered members with unique names.
///
/// A lookup is linear in the number of names, which is small for features.
public struct Properties: Hashable, Sendable, RandomAccessCollection, ExpressibleByDictionaryLiteral {
    /// A name and its value.
    public struct Element: Hashable, Sendable {
        /// The name.
        public let name: String
        /// The value.
        public var value: PropertyValue

        @inlinable package init(name: String, value: PropertyValue) {
            self.name = name
            self.value = value
        }
    }

    private var elements: [Element]

    /// Creates an empty set of properties.
    public init() { elements = [] }

    /// Creates properties in the given order.
    ///
    /// For duplicate names, the last value is used.
    public init(dictionaryLiteral elements: (String, PropertyValue)...) {
        self.init()
        for (name, value) in elements { self[name] = value }
    }

    /// Creates properties from elements with distinct names.
    package init(distinct elements: [Element]) { self.elements = elements }

    /// Creates properties in which each name has its first position and its last value.
    ///
    /// - Complexity: O(*n*).
    package init(lastOf all: [Element]) {
        // For few names, comparing is faster than hashing.
        guard all.count > 12 || !Self.areDistinct(all) else {
            elements = all
            return
        }
        elements = []
        var places: [String: Int] = [:]
        for element in all {
            if let place = places[element.name] {
                elements[place].value = element.value
            } else {
                places[element.name] = elements.count
                elements.append(element)
            }
        }
    }

    private static func areDistinct(_ all: [Element]) -> Bool {
        for index in all.indices {
            for before in 0..<index where all[before].name == all[index].name { return false }
        }
        return true
    }

    /// Accesses the value for a name; `nil` if none exists.
    ///
    /// Setting a new name appends it; setting `nil` removes the name.
    public subscript(name: String) -> PropertyValue? {
        get {
            for element in elements where element.name == name { return element.value }
            return nil
        }
        set {
            let index = elements.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): elements[index].value = value
            case (let index?, nil): elements.remove(at: index)
            case (nil, let value?): elements.append(Element(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Changes elements in place.
    package mutating func updateElements(_ body: (Int, inout Element) -> Void) {
        for index in elements.indices { body(index, &elements[index]) }
    }

    /// The names in order.
    public var names: [String] { elements.map(\.name) }

    /// Zero.
    public var startIndex: Int { 0 }

    /// The number of names.
    public var endIndex: Int { elements.count }

    /// Returns the name and value at an index.
    public subscript(position: Int) -> Element { elements[position] }
}

extension PropertyValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a text.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Creates an integer.
    public init(integerLiteral value: Int) { self = .integer(value) }

    /// Creates a number.
    public init(floatLiteral value: Double) { self = .number(value) }

    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Creates a null value.
    public init(nilLiteral: ()) { self = .null }

    /// Creates an array.
    public init(arrayLiteral elements: PropertyValue...) { self = .array(elements) }

    /// Creates an object.
    ///
    /// For duplicate names, the last value is used.
    public init(dictionaryLiteral elements: (String, PropertyValue)...) {
        var properties = Properties()
        for (name, value) in elements { properties[name] = value }
        self = .object(properties)
    }
}
