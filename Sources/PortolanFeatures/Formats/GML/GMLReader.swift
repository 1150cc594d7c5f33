import PortolanGeo
import PortolanXML

/// Reads a document of GML feature by feature.
final class GMLReader: XMLFragmentHandler {
    private enum Container {
        /// Of members, or of what describes the collection.
        case collection
        /// Of features.
        case member
    }

    private static let memberNames: Set<String> = [
        "featureMember", "featureMembers", "member", "members", "additionalObjects",
    ]
    /// What answers say of the collection, and what it is kept as.
    private static let counts = ["numberMatched", "numberReturned", "numberOfFeatures", "next"]

    private var gathering: FeatureGathering
    private var reader: GMLFeatureReader
    private var system = CommonSystem()
    private var containers: [Container] = []
    private var types = ValueTypes()
    private var typeNames: [String] = []
    private var members: Properties = [:]
    private var unknownSystems: Set<String> = []
    private var furtherCount = 0
    private var fault: FeatureFileError?

    private init(_ gathering: FeatureGathering, axisOrder: AxisOrder?) {
        self.gathering = gathering
        reader = GMLFeatureReader(geometries: GMLGeometryReader(axisOrder: axisOrder))
    }

    /// Reads a document.
    static func read(
        _ document: [UInt8], axisOrder: AxisOrder?, limits: FeatureLimits
    ) throws(FeatureFileError) -> FeatureCollection {
        let xml = XMLReader(
            limits: XMLLimits(
                byteCount: min(limits.maximumByteCount, 512 << 20), tagLength: 1 << 20, elementCount: 16_000_000))
        if let collection = try plain(document, xml, axisOrder, limits) { return collection }
        let reader = GMLReader(
            try FeatureGathering("GML", limits: limits, documentLength: document.count), axisOrder: axisOrder)
        do {
            for warning in try xml.read(document, inFragmentsTo: reader) { reader.gathering.warn(.note, warning) }
        } catch { throw reader.fault ?? FeatureFileError(error, in: "GML") }
        return reader.collection()
    }

    /// Reads a document without any fault, as most are, or gives `nil`.
    private static func plain(
        _ document: [UInt8], _ xml: XMLReader, _ axisOrder: AxisOrder?, _ limits: FeatureLimits
    ) throws(FeatureFileError) -> FeatureCollection? {
        let reader = GMLReader(
            try FeatureGathering("GML", limits: limits, documentLength: document.count), axisOrder: axisOrder)
        return xml.readPlain(document, inFragmentsTo: reader) ? reader.collection() : nil
    }

    func begin(_ tag: XMLStartTag) throws(XMLError) -> XMLFragmentChoice {
        switch containers.last {
        case nil:
            if GMLGeometryReader.names.contains(tag.name) { return .whole }
            guard GMLFormat.isCollection(tag.name) else {
                throw XMLError(
                    .refused("the document is no collection of features: its outermost element is '\(tag.name)'"),
                    line: tag.line)
            }
            for attribute in tag.attributes where Self.counts.contains(attribute.name) {
                members[attribute.name] = Int(attribute.value).map { .integer($0) } ?? .string(attribute.value)
            }
            containers.append(.collection)
            return .enter
        case .collection:
            if tag.name == "boundedBy" { return .whole }
            if Self.memberNames.contains(tag.name) || tag.name.hasSuffix("_layer") {
                containers.append(.member)
                return .enter
            }
            guard tag.name == "Tuple" else { return .skip }
            containers.append(.collection)
            return .enter
        case .member:
            // A service of several layers puts a collection of each in a member.
            guard tag.name.hasSuffix("FeatureCollection") || tag.name == "Tuple" else { return .whole }
            containers.append(.collection)
            return .enter
        }
    }

    func end() throws(XMLError) { containers.removeLast() }

    func whole(_ element: XMLElement) throws(XMLError) {
        switch containers.last {
        case .collection:
            // The box of the whole is in the system of features that name none.
            guard let box = element.children.first, let name = box.attribute("srsName") else { return }
            let (crs, isNorthFirst) = GMLGeometryReader.system(name)
            if reader.geometries.defaultCRS == nil {
                reader.geometries.defaultCRS = crs
                reader.geometries.isNorthFirst = isNorthFirst
            }
        case .member:
            // MapServer's own form has the name of the layer between the features.
            guard element.name != "name" else { return }
            try add(element)
        case nil: try add(element, isShape: true)
        }
    }

    private func add(_ element: XMLElement, isShape: Bool = false) throws(XMLError) {
        let isBare = isShape || GMLGeometryReader.isGeometry(element)
        var found = isBare ? reader.feature(nil, of: CollectionOfOne(element)) : reader.feature(element)
        let name = found.feature.warningName ?? "\(gathering.features.count + 1)"
        if found.isBroken {
            gathering.warn(.omitted, feature: name, "line \(element.line): its geometry cannot be read")
        }
        furtherCount += found.furtherCount
        if let shape = found.feature.geometry {
            if let crs = found.crs, crs.projection == nil { unknownSystems.insert(crs.name) }
            found.feature.geometry = system.geometry(shape, in: found.crs)
            if found.feature.geometry == nil {
                gathering.warn(.omitted, feature: name, "its geometry has no place in the system of the others")
            }
        }
        types.note(found.feature.properties)
        typeNames.append(element.name)
        do throws(FeatureFileError) { try gathering.add(found.feature, at: .line(element.line)) } catch {
            fault = error
            throw XMLError(.limit(error.detail), line: element.line)
        }
    }

    private func collection() -> FeatureCollection {
        if furtherCount > 0 {
            gathering.warn(
                .omitted, "\(furtherCount) geometries are left out: of several in a feature the first is kept")
        }
        for name in unknownSystems.sorted() {
            gathering.warn(.note, "the projection of the coordinate system '\(name.prefix(100))' is not known")
        }
        let isMixed = Set(typeNames).count > 1
        gathering.update { features in
            types.apply(to: &features)
            guard isMixed else { return }
            for index in features.indices where features[index].properties["typeName"] == nil {
                features[index].properties["typeName"] = .string(typeNames[index])
            }
        }
        return gathering.collection(crs: system.crs, foreignMembers: members)
    }
}
