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
    init(distinct elements: [Element]) { self.elements = elements }

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

    /// The names in order.
    public var names: [String] { elements.map(\.name) }

    /// Zero.
    public var startIndex: Int { 0 }

    /// How many names there are.
    public var endIndex: Int { elements.count }

    /// The name and value at a place in the order.
    public subscript(position: Int) -> Element { elements[position] }
}
