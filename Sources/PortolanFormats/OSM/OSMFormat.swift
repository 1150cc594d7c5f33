public import PortolanFeatures
import PortolanGeo
import PortolanWeb
import PortolanXML

/// OpenStreetMap data as JSON, from the Overpass API.
///
/// Nodes with tags, ways, and relations that are areas or routes become features with their tags as properties. Closed
/// ways are areas depending on their tags. Coordinates are those of the elements (`out body` with the nodes, `out
/// geom`), or `out center`.
public struct OSMJSONFormat: FeatureFormat {
    /// Creates the format.
    public init() {}

    /// `OSM JSON`.
    public var name: String { "OSM JSON" }

    /// Returns `false`, as members may be in any order.
    public func recognizes(_ start: ArraySlice<UInt8>) -> Bool { false }

    /// Returns whether the top-level object has the members of the Overpass API.
    public func recognizes(document: [UInt8]) -> Bool { FeatureFileError.FileKind(foreignJSON: document) == .overpass }

    /// Reads a document.
    ///
    /// - Throws: ``FeatureFileError``.
    /// - Complexity: linear in the length of the document.
    public func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
        let root = try ForeignJSON.object(document, in: name, limits: limits)
        var gathering = try FeatureGathering(name, limits: limits, documentLength: document.count)
        var elements = OSMElements()
        for item in root["elements"]?.arrayValue ?? [] {
            guard let members = item.objectValue, let type = members["type"]?.stringValue,
                let kind = OSMElements.Element.Kind(rawValue: type)
            else { continue }
            func integer(_ value: PropertyValue?) -> Int? { value?.doubleValue.flatMap { Int(exactly: $0) } }
            func place(_ value: PropertyValue?) -> Coordinate? {
                guard let members = value?.objectValue, let x = members["lon"]?.doubleValue,
                    let y = members["lat"]?.doubleValue
                else { return nil }
                return Coordinate(x: x, y: y)
            }
            var element = OSMElements.Element(kind: kind, id: integer(members["id"]) ?? 0)
            element.tags = members["tags"]?.objectValue ?? [:]
            element.place = place(item) ?? place(members["center"])
            element.nodes = members["nodes"]?.arrayValue?.compactMap(integer) ?? []
            element.places = members["geometry"]?.arrayValue?.map(place) ?? []
            element.members =
                members["members"]?.arrayValue?.compactMap { member in
                    guard let member = member.objectValue else { return nil }
                    return OSMElements.Member(
                        kind: member["type"]?.stringValue.flatMap { OSMElements.Element.Kind(rawValue: $0) },
                        id: integer(member["ref"]) ?? 0, role: member["role"]?.stringValue ?? "",
                        places: member["geometry"]?.arrayValue?.map(place) ?? [])
                } ?? []
            elements.add(element)
        }
        if let remark = root["remark"]?.stringValue {
            gathering.warn(.omitted, "the server stopped early: \(remark.prefix(200))")
        }
        return try gathering.collection(of: elements)
    }
}

/// OpenStreetMap data as XML, from the editing API and extracts (wiki: *OSM XML*).
///
/// Features are formed as in ``OSMJSONFormat``.
public struct OSMXMLFormat: FeatureFormat {
    /// Creates the format.
    public init() {}

    /// `OSM XML`.
    public var name: String { "OSM XML" }

    /// Returns whether the first element is `osm`.
    public func recognizes(_ start: ArraySlice<UInt8>) -> Bool { XMLRoot(start)?.name == "osm" }

    /// Reads a document.
    ///
    /// - Throws: ``FeatureFileError``.
    /// - Complexity: linear in the length of the document.
    public func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
        var gathering = try FeatureGathering(name, limits: limits, documentLength: document.count)
        let xml = XMLReader(limits: XMLLimits(limits))
        var reader = Reader(limits)
        do {
            let warnings = try xml.readLeniently(document, closesElements: true) { document throws(XMLError) in
                reader = Reader(limits)
                return try xml.read(document, inFragmentsTo: reader)
            }
            for warning in warnings { gathering.add(warning) }
        } catch { throw FeatureFileError(error, in: name) }
        return try gathering.collection(of: reader.elements)
    }

    private final class Reader: XMLFragmentHandler {
        var elements = OSMElements()
        private let limits: FeatureLimits
        private var isInside = false

        init(_ limits: FeatureLimits) { self.limits = limits }

        func begin(_ tag: XMLStartTag) throws(XMLError) -> XMLFragmentChoice {
            if isInside { return OSMElements.Element.Kind(rawValue: tag.name) == nil ? .skip : .whole }
            guard tag.name == "osm" else {
                throw XMLError(
                    .refused("not OSM XML: the root element is '\(tag.name)'"), line: tag.line)
            }
            isInside = true
            return .enter
        }

        func end() {}

        func whole(_ xml: XMLElement) throws(XMLError) {
            guard let kind = OSMElements.Element.Kind(rawValue: xml.name), xml.attribute("visible") != "false",
                xml.attribute("action") != "delete"
            else { return }
            guard elements.referenceCount < limits.maximumCoordinateCount else {
                throw XMLError(.limit("more than \(limits.maximumCoordinateCount) coordinates"), line: xml.line)
            }
            func place(_ xml: XMLElement) -> Coordinate? {
                guard let x = xml.attribute("lon")?.decimalValue, let y = xml.attribute("lat")?.decimalValue else {
                    return nil
                }
                return Coordinate(x: x, y: y)
            }
            var element = OSMElements.Element(kind: kind, id: xml.attribute("id").flatMap { Int($0) } ?? 0)
            element.place = place(xml)
            var hasPlaces = false
            for child in xml.children {
                switch child.name {
                case "tag":
                    if let key = child.attribute("k"), element.tags.count < 2000 {
                        element.tags[key] = .string(child.attribute("v") ?? "")
                    }
                case "nd":
                    element.nodes.append(child.attribute("ref").flatMap { Int($0) } ?? 0)
                    element.places.append(place(child))
                    if element.places.last != .some(nil) { hasPlaces = true }
                case "center": element.place = place(child)
                case "member":
                    element.members.append(
                        OSMElements.Member(
                            kind: child.attribute("type").flatMap { OSMElements.Element.Kind(rawValue: $0) },
                            id: child.attribute("ref").flatMap { Int($0) } ?? 0, role: child.attribute("role") ?? "",
                            places: child.children("nd").map(place)))
                default: break
                }
            }
            if !hasPlaces { element.places = [] }
            elements.add(element)
        }
    }
}

extension FeatureGathering {
    /// Returns the features of OpenStreetMap data.
    fileprivate mutating func collection(of elements: OSMElements) throws(FeatureFileError) -> FeatureCollection {
        var incompleteCount = 0
        try elements.forEachFeature { (feature, isIncomplete) throws(FeatureFileError) in
            if isIncomplete { incompleteCount += 1 }
            try add(feature)
        }
        if incompleteCount > 0 {
            warn(
                .omitted,
                "\(incompleteCount) ways and relations refer to nodes or members that are missing in the document")
        }
        return collection()
    }
}
