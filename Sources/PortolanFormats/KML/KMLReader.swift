import PortolanFeatures
import PortolanRaster
import PortolanWeb
import PortolanXML

/// Reads a KML document placemark by placemark, and resolves the styles at the end.
final class KMLReader: XMLFragmentHandler {
    private struct Folder {
        var name: String?
        var isVisible = true
        /// Whether its name is part of the path of its content.
        let isInPath: Bool
    }

    /// A placemark whose style is not yet resolved.
    private struct Waiting {
        let index: Int
        let style: KMLStyles.Reference
        let use: KMLStyleUse
    }

    /// Overlays that are reported but not drawn.
    private static let overlays: Set<String> = ["ScreenOverlay", "PhotoOverlay"]
    /// The maximum number of listed network links and overlays.
    private static let listLimit = 1000

    private var gathering: FeatureGathering
    private let surroundings: KMLSurroundings
    private var folders: [Folder] = []
    private var styles = KMLStyles()
    private var schemas: [String: [String: KMLSchemaType]] = [:]
    private var waiting: [Waiting] = []
    private var members: Properties = [:]
    private var links: [PropertyValue] = []
    private var hiddenCount = 0
    private var overlayCount = 0, groundCount = 0
    private var overlays: [FeatureCollection.GroundOverlay] = []
    private var fault: FeatureFileError?

    private init(_ gathering: FeatureGathering, _ surroundings: KMLSurroundings) {
        self.gathering = gathering
        self.surroundings = surroundings
    }

    /// Reads a document.
    static func read(
        _ document: [UInt8], limits: FeatureLimits, surroundings: KMLSurroundings = KMLSurroundings()
    ) throws(FeatureFileError) -> FeatureCollection {
        try whole(document, limits, surroundings).collection()
    }

    /// Returns the shared styles of a document.
    static func styles(of document: [UInt8], limits: FeatureLimits) throws(FeatureFileError) -> KMLStyles {
        try whole(document, limits, KMLSurroundings()).styles
    }

    /// Returns a reader that has read a document.
    private static func whole(
        _ document: [UInt8], _ limits: FeatureLimits, _ surroundings: KMLSurroundings
    ) throws(FeatureFileError) -> KMLReader {
        let xml = XMLReader(limits: XMLLimits(limits))
        if let reader = try plain(document, xml, limits, surroundings) { return reader }
        let gathering = try FeatureGathering("KML", limits: limits, documentLength: document.count)
        var reader = KMLReader(gathering, surroundings)
        do {
            let warnings = try xml.readLeniently(document, closesElements: true) { document throws(XMLError) in
                reader = KMLReader(gathering, surroundings)
                return try xml.read(document, inFragmentsTo: reader)
            }
            for warning in warnings { reader.gathering.add(warning) }
        } catch { throw reader.fault ?? FeatureFileError(error, in: "KML") }
        return reader
    }

    /// Reads a document without faults, which is the common case; otherwise returns `nil`.
    private static func plain(
        _ document: [UInt8], _ xml: XMLReader, _ limits: FeatureLimits, _ surroundings: KMLSurroundings
    ) throws(FeatureFileError) -> KMLReader? {
        let reader = KMLReader(
            try FeatureGathering("KML", limits: limits, documentLength: document.count), surroundings)
        return xml.readPlain(document, inFragmentsTo: reader) ? reader : nil
    }

    func begin(_ tag: XMLStartTag) throws(XMLError) -> XMLFragmentChoice {
        switch tag.name {
        case "kml" where folders.isEmpty, "Document" where folders.allSatisfy { !$0.isInPath }:
            folders.append(Folder(isInPath: false))
            return .enter
        case "Folder", "Document":
            folders.append(Folder(isInPath: true))
            return .enter
        case "Placemark", "GroundOverlay", "Style", "StyleMap", "CascadingStyle", "Schema", "NetworkLink", "name",
            "visibility", "description":
            return .whole
        case let name where Self.overlays.contains(name): return .whole
        case let name where folders.isEmpty && KMLGeometryReader.names.contains(name): return .whole
        case let name where schemas[name] != nil && !folders.isEmpty: return .whole
        default:
            if folders.isEmpty {
                throw XMLError(
                    .refused("not KML: the root element is '\(tag.name)'"), line: tag.line)
            }
            return .skip
        }
    }

    func end() throws(XMLError) { folders.removeLast() }

    func whole(_ element: XMLElement) throws(XMLError) {
        switch element.name {
        case "Placemark": try add(element)
        case "GroundOverlay": try add(element)
        case "Style", "StyleMap", "CascadingStyle":
            var faults: [String] = []
            styles.add(element, faults: &faults)
            for fault in faults { gathering.warn(.repaired, fault) }
        case "Schema": addSchema(element)
        case "NetworkLink": addLink(element)
        case "name":
            if !folders.isEmpty { folders[folders.count - 1].name = element.text }
            if folders.last?.isInPath == false, members["name"] == nil { members["name"] = .string(element.text) }
        case "description":
            if folders.last?.isInPath == false, members["description"] == nil, !element.text.isEmpty {
                members["description"] = .string(element.text)
            }
        case "visibility":
            if ["0", "false"].contains(element.text), !folders.isEmpty { folders[folders.count - 1].isVisible = false }
        case let name where Self.overlays.contains(name): overlayCount += 1
        case let name where schemas[name] != nil: try add(element)
        default:
            // A single geometry without a placemark.
            try add(element, isShape: true)
        }
    }

    private func add(_ element: XMLElement, isShape: Bool = false) throws(XMLError) {
        let depth = gathering.limits.maximumDepth
        let placemark =
            isShape
            ? KMLPlacemark(id: nil, of: CollectionOfOne(element), fields: nil, schemas: schemas, depthLimit: depth)
            : KMLPlacemark(
                id: element.attribute("id"), of: element.children,
                fields: element.name == "Placemark" ? nil : schemas[element.name] ?? [:], schemas: schemas,
                depthLimit: depth)
        var feature = placemark.feature
        if !placemark.faults.isEmpty {
            let name = feature.warningName ?? "\(gathering.features.count + 1)"
            for fault in placemark.faults { gathering.warn(.omitted, feature: name, fault) }
        }
        let path = folders.filter(\.isInPath).compactMap(\.name).joined(separator: "/")
        if !path.isEmpty { feature.properties["folder"] = .string(path) }
        let isHidden = !placemark.isVisible || folders.contains { !$0.isVisible }
        if isHidden { hiddenCount += 1 }
        if element.name == "GroundOverlay" {
            let overlay = isHidden ? nil : KMLOverlay.overlay(element, picture: surroundings.picture)
            if let overlay { overlays.append(overlay) } else if !isHidden { groundCount += 1 }
            if let address = element.child("Icon")?.text(of: "href") { feature.properties["icon"] = .string(address) }
            if !isHidden {
                feature.properties["style"] = ["default": ["fill": false, "stroke": .bool(overlay == nil)]]
            }
        }
        if isHidden || placemark.style != KMLStyles.Reference() {
            var use = KMLStyleUse(isHidden: isHidden)
            feature.geometry?.countKinds(in: &use)
            use.isNamed = feature.properties["name"] != nil
            waiting.append(Waiting(index: gathering.features.count, style: placemark.style, use: use))
        }
        do throws(FeatureFileError) { try gathering.add(feature, at: .line(element.line)) } catch {
            fault = error
            throw XMLError(.limit(error.detail), line: element.line)
        }
    }

    private func addSchema(_ element: XMLElement) {
        guard let id = element.attribute("id") ?? element.attribute("name") else { return }
        var types: [String: KMLSchemaType] = [:]
        for field in element.children where ["SimpleField", "SimpleArrayField"].contains(field.name) {
            guard let name = field.attribute("name") else { continue }
            types[name] = KMLSchemaType(rawValue: (field.attribute("type") ?? "string").lowercased()) ?? .string
        }
        schemas[id] = types
        // Up to KML 2.1 a schema could define a custom element that was a placemark.
        if element.attribute("parent") == "Placemark", let name = element.attribute("name") { schemas[name] = types }
    }

    /// Follows a link to a document in the same archive, or lists other links.
    private func addLink(_ element: XMLElement) {
        let target = element.child("Link") ?? element.child("Url")
        guard let address = target?.text(of: "href") else { return }
        let isHidden =
            folders.contains { !$0.isVisible } || ["0", "false"].contains(element.text(of: "visibility") ?? "")
        if !isHidden, surroundings.follows(address) { return }
        gathering.warn(.note, line: element.line, "the network link to '\(address.prefix(200))' is not followed")
        guard links.count < Self.listLimit else { return }
        var link: Properties = ["href": .string(address)]
        if let name = element.text(of: "name") { link["name"] = .string(name) }
        links.append(.object(link))
    }

    private func collection() -> FeatureCollection {
        resolveStyles()
        if !links.isEmpty { members["networkLinks"] = .array(links) }
        if overlayCount > 0 {
            gathering.warn(.omitted, "\(overlayCount) screen and photo overlays left out")
        }
        if groundCount > 0 {
            gathering.warn(
                .omitted,
                "\(groundCount) ground overlays without a URL or position are drawn as outlines")
        }
        if hiddenCount > 0 {
            gathering.warn(.note, "\(hiddenCount) features with visibility 0 are not drawn")
        }
        var collection = gathering.collection(foreignMembers: members)
        collection.overlays = overlays
        collection.overlays.sortForDrawing()
        return collection
    }

    /// Sets the style keys of each feature.
    ///
    /// Features with the same style share them.
    private func resolveStyles() {
        styles.elsewhere = surroundings.styles
        struct Look: Hashable {
            let style: KMLStyles.Reference
            let use: KMLStyleUse
        }
        var looks: [Look: (keys: Properties?, pin: PropertyValue?)] = [:]
        var losses: Set<KMLStyles.Loss> = []
        var found: [(Int, Properties?, PropertyValue?)] = []
        // Consecutive features usually have the same style.
        var last: (key: Look, look: (keys: Properties?, pin: PropertyValue?))?
        for waiting in waiting {
            let key = Look(style: waiting.style, use: waiting.use)
            if last?.key != key {
                let look = looks[key] ?? look(of: waiting.style, waiting.use, &losses)
                looks[key] = look
                last = (key, look)
            }
            if let last { found.append((waiting.index, last.look.keys, last.look.pin)) }
        }
        for loss in losses.sorted(by: { "\($0)" < "\($1)" }) {
            switch loss {
            case .missing(let id): gathering.warn(.note, "unknown style '\(id.prefix(100))'")
            case .elsewhere(let address):
                gathering.warn(.note, "the style '\(address.prefix(200))' is in another file; ignored")
            case .circular(let id): gathering.warn(.note, "the style '\(id.prefix(100))' refers to itself")
            }
        }
        gathering.update { features in
            for (index, keys, pin) in found {
                if let pin { features[index].properties["marker-color"] = pin }
                if let keys { features[index].properties["style"] = .object(keys) }
            }
        }
    }

    private func look(
        of reference: KMLStyles.Reference, _ use: KMLStyleUse, _ losses: inout Set<KMLStyles.Loss>
    ) -> (keys: Properties?, pin: PropertyValue?) {
        let (normal, highlight) = styles.styles(for: reference, losses: &losses)
        var named: Properties = [:]
        var keys = normal?.keys(for: use, picture: surroundings.picture) ?? [:]
        if use.isHidden { keys["display"] = "none" }
        if !keys.isEmpty { named["default"] = .object(keys) }
        if let keys = highlight?.keys(for: use, picture: surroundings.picture), !keys.isEmpty {
            named["select"] = .object(keys)
        }
        let pin = use.hasPoints ? normal?.pinColor.map { PropertyValue.string($0.cssText) } : nil
        return (named.isEmpty ? nil : named, pin)
    }
}

extension Geometry {
    /// Records which kinds of symbols the geometry needs.
    fileprivate func countKinds(in use: inout KMLStyleUse) {
        switch kind {
        case .point, .multiPoint: use.hasPoints = true
        case .polygon, .multiPolygon: use.hasAreas = true
        case .lineString, .multiLineString: break
        case .collection: for child in children { child.countKinds(in: &use) }
        }
    }
}
