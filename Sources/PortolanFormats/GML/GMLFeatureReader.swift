import PortolanFeatures
import PortolanGeo
import PortolanXML

/// Reads GML feature elements (OGC 07-036 clause 9): properties with any names, some of which are geometries.
struct GMLFeatureReader {
    /// The reader of geometries.
    var geometries: GMLGeometryReader

    init(geometries: GMLGeometryReader) { self.geometries = geometries }

    /// The maximum number of properties, including each value of a list.
    ///
    /// Lookups are linear in this number.
    static let propertyLimit = 2000

    /// A feature with details.
    struct Found {
        var feature: Feature
        /// The CRS of its geometry, or `nil` for longitude and latitude on WGS 84.
        var crs: CRS?
        /// The number of additional geometries.
        var furtherCount = 0
        /// Whether a geometry element is unreadable.
        var isBroken = false
        /// Whether its names are a prefix of those of the last feature for which this was `false`.
        var isAsLast = true
    }

    /// The properties of the last feature: the name numbers of their elements in the document, and the names.
    ///
    /// Features of one type have the same properties in the same order, which avoids lookups.
    private var last: [(number: Int, name: String)] = []

    /// Returns the feature in an element, with its first geometry.
    mutating func feature(_ element: XMLElement) -> Found {
        feature(element.attribute("fid") ?? element.attribute("id"), of: element.children)
    }

    /// Returns the feature formed by several elements.
    mutating func feature(_ id: String?, of children: some Collection<XMLElement>) -> Found {
        var found = Found(feature: Feature(geometry: nil))
        found.feature.id = id.map { .string($0) }
        var elements: [Properties.Element] = []
        elements.reserveCapacity(max(last.count, 4))
        // Whether all names so far equal those of the last feature; otherwise the numbers of all names.
        var isAsLast = true, numbers: [Int] = []
        // For few names, comparing is faster than hashing.
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
                    // A repeated name becomes a list.
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
    /// Adds a value.
    ///
    /// A repeated name becomes a list.
    mutating func add(_ value: PropertyValue, to name: String) {
        switch self[name] {
        case nil: self[name] = value
        case .array(let values): self[name] = .array(values + [value])
        case let one?: self[name] = .array([one, value])
        }
    }
}
