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

/// Named values in the order in which they were written, each name once.
///
/// Looking a name up is linear in the number of names, which features have few of.
public struct Properties: Hashable, Sendable, RandomAccessCollection, ExpressibleByDictionaryLiteral {
    /// A name and its value.
    public struct Element: Hashable, Sendable {
        /// The name.
        public let name: String
        /// What it stands for.
        public var value: PropertyValue

        package init(name: String, value: PropertyValue) {
            self.name = name
            self.value = value
        }
    }

    private var elements: [Element]

    /// Makes an empty set of properties.
    public init() { elements = [] }

    /// Makes properties in the order given; of those with the same name the last value counts.
    public init(dictionaryLiteral elements: (String, PropertyValue)...) {
        self.init()
        for (name, value) in elements { self[name] = value }
    }

    /// Makes properties from elements whose names are known to differ.
    package init(distinct elements: [Element]) { self.elements = elements }

    /// Makes properties of which each name keeps its first place and its last value.
    ///
    /// - Complexity: O(*n*).
    package init(lastOf all: [Element]) {
        // Few names are compared faster than they are hashed.
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

    /// The value of a name, or `nil` when it is not there.
    ///
    /// Setting a new name adds it at the end; setting `nil` takes the name away.
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

    /// Changes elements where they lie.
    package mutating func updateElements(_ body: (Int, inout Element) -> Void) {
        for index in elements.indices { body(index, &elements[index]) }
    }

    /// The names in order.
    public var names: [String] { elements.map(\.name) }

    /// Zero.
    public var startIndex: Int { 0 }

    /// How many names there are.
    public var endIndex: Int { elements.count }

    /// The name and value at a place in the order.
    public subscript(position: Int) -> Element { elements[position] }
}

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
