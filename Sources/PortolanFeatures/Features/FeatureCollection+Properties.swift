extension FeatureCollection {
    /// The names of the properties of all features, in order of their first appearance.
    ///
    /// - Complexity: O(*n*) in the properties.
    public var propertyNames: [String] {
        var names: [String] = [], known: Set<String> = []
        for feature in features {
            for element in feature.properties where known.insert(element.name).inserted { names.append(element.name) }
        }
        return names
    }

    /// Returns the features with the named properties alone, in that order.
    ///
    /// - Throws: ``UnknownPropertyError`` for a name that no feature has.
    public func selecting(_ names: [String]) throws(UnknownPropertyError) -> FeatureCollection {
        try check(names)
        var selected = self, unique: [String] = []
        for name in names where !unique.contains(name) { unique.append(name) }
        for index in features.indices {
            let properties = features[index].properties
            selected.features[index].properties = Properties(
                distinct: unique.compactMap { name in
                    properties[name].map { Properties.Element(name: name, value: $0) }
                })
        }
        return selected
    }

    /// Returns the features in the order of a property.
    ///
    /// Numbers come before texts, and texts are in the order of their Unicode scalars. Features with other values or
    /// without the property come last in either direction. Features with equal values keep their order.
    ///
    /// - Throws: ``UnknownPropertyError`` for a name that no feature has.
    /// - Complexity: O(*n* log *n*).
    public func sorted(by property: String, descending: Bool = false) throws(UnknownPropertyError) -> FeatureCollection
    {
        try check([property])
        let keys = features.map { SortKey($0.properties[property]) }
        let order = features.indices.sorted { one, other in
            let (a, b) = (keys[one], keys[other])
            if a.isOther || b.isOther || a == b { return a.isOther == b.isOther ? one < other : b.isOther }
            return descending ? b < a : a < b
        }
        var sorted = self
        sorted.features = order.map { features[$0] }
        return sorted
    }

    /// Throws an error for a name that no feature has.
    package func check(_ names: [String]) throws(UnknownPropertyError) {
        let known = propertyNames, all = Set(known)
        for name in names where !all.contains(name) { throw UnknownPropertyError(name: name, known: known) }
    }
}

/// A property value in the order of features.
private enum SortKey: Comparable {
    case number(Double)
    case text(String)
    case other

    init(_ value: PropertyValue?) {
        if let number = value?.doubleValue, !number.isNaN {
            self = .number(number)
        } else if let text = value?.displayText {
            self = .text(text)
        } else {
            self = .other
        }
    }

    var isOther: Bool { self == .other }

    static func < (one: SortKey, other: SortKey) -> Bool {
        switch (one, other) {
        case (.number(let a), .number(let b)): a < b
        case (.text(let a), .text(let b)): a.unicodeScalars.lexicographicallyPrecedes(b.unicodeScalars)
        case (.number, _), (.text, .other): true
        default: false
        }
    }
}
