import PortolanFeatures
import PortolanGeo
import PortolanXML

/// Reads the elements that are features in GML (OGC 07-036 clause 9): properties of any names, some of them shapes.
struct GMLFeatureReader {
    /// How shapes are read.
    var geometries: GMLGeometryReader

    init(geometries: GMLGeometryReader) { self.geometries = geometries }

    /// The most properties of a feature, lists' values counted each; looking one up costs as much as there are.
    static let propertyLimit = 2000

    /// What a feature is.
    struct Found {
        var feature: Feature
        /// The system of its shape, or `nil` for longitude and latitude on WGS 84.
        var crs: CRS?
        /// How many more shapes it has.
        var furtherCount = 0
        /// Whether an element that is a shape could not be read.
        var isBroken = false
        /// Whether its names are the first of those of the last feature for which that was not so.
        var isAsLast = true
    }

    /// The properties of the last feature: the numbers of their elements' names in the document, and the names.
    ///
    /// Features of one type have the same in the same order, so that names need not be looked for.
    private var last: [(number: Int, name: String)] = []

    /// The feature that an element is; its shape is the first of those that it has.
    mutating func feature(_ element: XMLElement) -> Found {
        feature(element.attribute("fid") ?? element.attribute("id"), of: element.children)
    }

    /// The feature that elements are together.
    mutating func feature(_ id: String?, of children: some Collection<XMLElement>) -> Found {
        var found = Found(feature: Feature(geometry: nil))
        found.feature.id = id.map { .string($0) }
        var elements: [Properties.Element] = []
        elements.reserveCapacity(max(last.count, 4))
        // Whether all names so far are those of the last feature, and the numbers of all once they are not.
        var isAsLast = true, numbers: [Int] = []
        // Few names are compared faster than they are hashed.
        var places: [String: Int] = [:]
        var count = 0
        for child in children {
            count += 1
            guard count <= Self.propertyLimit else { break }
            let word = child.word
            guard word != .boundedBy else { continue }
            let isShape = word.isGeometry && GMLGeometryReader.isGeometry(child)
            guard let shape = isShape ? child : Self.shape(in: child) else {
                let value = Self.value(of: child), place = elements.count
                if isAsLast, place < last.count, last[place].number == child.nameNumber {
                    elements.append(Properties.Element(name: last[place].name, value: value))
                    continue
                }
                if isAsLast {
                    isAsLast = false
                    numbers = last.prefix(place).map(\.number)
                }
                let name = child.name
                if place == 16, places.isEmpty {
                    for (place, element) in elements.enumerated() { places[element.name] = place }
                }
                let known = places.isEmpty ? elements.firstIndex { $0.name == name } : places[name]
                if let known {
                    // A name that is there twice has a list.
                    let list =
                        if case .array(let values) = elements[known].value { values } else { [elements[known].value] }
                    elements[known].value = .array(list + [value])
                } else {
                    if !places.isEmpty { places[name] = place }
                    elements.append(Properties.Element(name: name, value: value))
                    numbers.append(child.nameNumber)
                }
                continue
            }
            guard found.feature.geometry == nil else {
                found.furtherCount += 1
                continue
            }
            if let read = geometries.shape(shape) {
                found.feature.geometry = read.geometry
                found.crs = read.crs
            } else {
                found.isBroken = true
            }
        }
        if !isAsLast { last = zip(numbers, elements).map { ($0, $1.name) } }
        found.isAsLast = isAsLast
        found.feature.properties = Properties(distinct: elements)
        return found
    }

    private static func shape(in element: XMLElement) -> XMLElement? {
        element.hasChildren ? element.children.first(where: GMLGeometryReader.isGeometry) : nil
    }

    static func value(of element: XMLElement) -> PropertyValue {
        if !element.hasChildren {
            guard element.isTextEmpty, let word = element.attribute("nil") else { return .string(element.text) }
            return word == "true" || word == "1" ? .null : .string("")
        }
        var properties = Properties()
        for child in element.children.prefix(propertyLimit) { properties.add(value(of: child), to: child.name) }
        return .object(properties)
    }
}

extension Properties {
    /// Adds a value; a name that is there twice has a list.
    mutating func add(_ value: PropertyValue, to name: String) {
        switch self[name] {
        case nil: self[name] = value
        case .array(let values): self[name] = .array(values + [value])
        case let one?: self[name] = .array([one, value])
        }
    }
}
