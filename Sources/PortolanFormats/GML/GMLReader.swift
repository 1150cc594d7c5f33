import PortolanFeatures
import PortolanGeo
import PortolanWeb
import PortolanXML

/// Reads a GML document feature by feature.
struct GMLReader {
    private enum Container {
        /// A container of members, or of metadata of the collection.
        case collection
        /// A container of features.
        case member
    }

    private static let memberNames: Set<String> = [
        "featureMember", "featureMembers", "member", "members", "additionalObjects",
    ]
    /// The attributes of responses that are kept as members of the collection.
    private static let counts = ["numberMatched", "numberReturned", "numberOfFeatures", "next"]

    private var gathering: FeatureGathering
    private var reader: GMLFeatureReader
    private var system = CommonSystem()
    private var containers: [Container] = []
    /// The names of the last member and feature, since most are repeated.
    private var memberName: XMLName?, featureName: XMLName?
    private var types = ValueTypes()
    /// The feature element names, each with the number of the first feature that has it.
    private var typeNames: [(name: String, first: Int)] = []
    private var members: Properties = [:]
    private var unknownSystems: Set<String> = []
    private var furtherCount = 0
    private var fault: FeatureFileError?

    private init(_ gathering: FeatureGathering, axisOrder: CRS.AxisOrder?) {
        self.gathering = gathering
        reader = GMLFeatureReader(geometries: GMLGeometryReader(axisOrder: axisOrder))
    }

    /// Reads a document.
    static func read(
        _ document: [UInt8], axisOrder: CRS.AxisOrder?, limits: FeatureLimits
    ) throws(FeatureFileError) -> FeatureCollection {
        let xml = XMLReader(limits: XMLLimits(limits, tagLength: 1 << 20), vocabulary: GMLWord.vocabulary)
        if let collection = try plain(document, xml, axisOrder, limits) { return collection }
        let gathering = try FeatureGathering("GML", limits: limits, documentLength: document.count)
        var events = Events(GMLReader(gathering, axisOrder: axisOrder))
        do {
            let warnings = try xml.readLeniently(document) { document throws(XMLError) in
                events = Events(GMLReader(gathering, axisOrder: axisOrder))
                return try xml.read(document, inFragmentsTo: events)
            }
            for warning in warnings { events.reader.gathering.add(warning) }
        } catch { throw events.reader.fault ?? FeatureFileError(error, in: "GML") }
        return events.reader.collection()
    }

    /// Reads a document without faults, which is the common case; otherwise returns `nil`.
    private static func plain(
        _ document: [UInt8], _ xml: XMLReader, _ axisOrder: CRS.AxisOrder?, _ limits: FeatureLimits
    ) throws(FeatureFileError) -> FeatureCollection? {
        let events = Events(
            GMLReader(
                try FeatureGathering("GML", limits: limits, documentLength: document.count), axisOrder: axisOrder))
        return xml.readPlain(document, inFragmentsTo: events) ? events.reader.collection() : nil
    }

    /// Passes the fragments of a document to a reader.
    private final class Events: XMLFragmentHandler {
        var reader: GMLReader

        init(_ reader: GMLReader) { self.reader = reader }

        func begin(_ tag: XMLStartTag) throws(XMLError) -> XMLFragmentChoice { try reader.begin(tag) }

        func whole(_ element: XMLElement) throws(XMLError) { try reader.whole(element) }

        func end() { reader.containers.removeLast() }
    }

    private mutating func begin(_ tag: XMLStartTag) throws(XMLError) -> XMLFragmentChoice {
        switch containers.last {
        case nil:
            if GMLGeometryReader.names.contains(tag.name) { return .whole }
            guard GMLFormat.isCollection(tag.name) else {
                throw XMLError(
                    .refused("not a feature collection: the root element is '\(tag.name)'"),
                    line: tag.line)
            }
            for attribute in tag.attributes where Self.counts.contains(attribute.name) {
                members[attribute.name] = Int(attribute.value).map { .integer($0) } ?? .string(attribute.value)
            }
            containers.append(.collection)
            return .enter
        case .collection:
            if tag.qualifiedName === memberName {
                containers.append(.member)
                return .enter
            }
            if tag.name == "boundedBy" { return .whole }
            if Self.memberNames.contains(tag.name) || tag.name.hasSuffix("_layer") {
                memberName = tag.qualifiedName
                containers.append(.member)
                return .enter
            }
            guard tag.name == "Tuple" else { return .skip }
            containers.append(.collection)
            return .enter
        case .member:
            if tag.qualifiedName === featureName { return .wholeWithout(GMLWord.boundedBy.rawValue) }
            // A service with several layers puts a collection of each in a member.
            guard tag.name.hasSuffix("FeatureCollection") || tag.name == "Tuple" else {
                let word = GMLWord(rawValue: tag.code(in: GMLWord.vocabulary)) ?? .other
                if word.isGeometry { return .whole }
                // The box of a feature is redundant.
                featureName = tag.qualifiedName
                return .wholeWithout(GMLWord.boundedBy.rawValue)
            }
            containers.append(.collection)
            return .enter
        }
    }

    private mutating func whole(_ element: XMLElement) throws(XMLError) {
        switch containers.last {
        case .collection:
            // The bounding box of the collection has the CRS of features that name none.
            guard let box = element.children.first, let name = box.attribute("srsName") else { return }
            let (crs, isNorthFirst) = GMLGeometryReader.system(name)
            if reader.geometries.defaultCRS == nil {
                reader.geometries.defaultCRS = crs
                reader.geometries.isNorthFirst = isNorthFirst
            }
        case .member:
            // MapServer's format has the name of the layer between the features.
            guard element.name != "name" else { return }
            try add(element)
        case nil: try add(element, isShape: true)
        }
    }

    private mutating func add(_ element: XMLElement, isShape: Bool = false) throws(XMLError) {
        let isBare = isShape || GMLGeometryReader.isGeometry(element)
        var found = isBare ? reader.feature(nil, of: CollectionOfOne(element)) : reader.feature(element)
        if found.isBroken {
            warn(found.feature, line: element.line, "cannot read its geometry")
        }
        furtherCount += found.furtherCount
        if let shape = found.feature.geometry {
            if let crs = found.crs, crs.projection == nil { unknownSystems.insert(crs.name) }
            found.feature.geometry = system.geometry(shape, in: found.crs)
            if found.feature.geometry == nil {
                warn(found.feature, "its geometry is outside the area of the common CRS")
            }
        }
        types.note(found.feature.properties, isAsLast: found.isAsLast)
        let typeName = element.name
        if typeName != typeNames.last?.name { typeNames.append((typeName, gathering.features.count)) }
        do throws(FeatureFileError) { try gathering.add(found.feature, at: .line(element.line)) } catch {
            fault = error
            throw XMLError(.limit(error.detail), line: element.line)
        }
    }

    private mutating func warn(_ feature: Feature, line: Int? = nil, _ words: String) {
        gathering.warn(
            .omitted, feature: feature.warningName ?? "\(gathering.features.count + 1)", line: line, words)
    }

    private mutating func collection() -> FeatureCollection {
        if furtherCount > 0 {
            gathering.warn(
                .omitted, "\(furtherCount) geometries left out: only the first of each feature is kept")
        }
        for name in unknownSystems.sorted() {
            gathering.warn(.note, "unknown projection of the coordinate system '\(name.prefix(100))'")
        }
        let ends = typeNames.dropFirst().map(\.first) + [gathering.features.count]
        gathering.update { features in
            types.apply(to: &features)
            guard typeNames.count > 1 else { return }
            for (type, end) in zip(typeNames, ends) {
                for index in type.first..<end where features[index].properties["typeName"] == nil {
                    features[index].properties["typeName"] = .string(type.name)
                }
            }
        }
        return gathering.collection(crs: system.crs, foreignMembers: members)
    }
}
