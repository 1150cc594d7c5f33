import PortolanFeatures
import PortolanGeo
public import PortolanWeb

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A map described by an OWS Context in GeoJSON (OGC 14-055r2), for exchange with other programs.
///
/// Layers of WMS, WMTS, GeoJSON and tile templates are read and written. Each is a resource whose offering describes
/// the service. Unknown content is preserved. Content that a context cannot express (opacity, feature styles, the exact
/// view) is in a member `portolan`, which other programs ignore.
///
/// ```swift
/// let document = try MapDocument(path: "harbour.json")
/// let context = OWSContext(document, title: "Harbour")
/// try context.write(to: "harbour.owc.json")
/// ```
public struct OWSContext: LocatedDocument, Hashable, Sendable {
    /// The identifier, a URI.
    public var id: String
    /// The title.
    public var title: String
    /// A description.
    public var subtitle: String?
    /// The language of titles and descriptions (RFC 5646).
    public var language = "en"
    /// The time of the last change (RFC 3339).
    public var updated: String
    /// The resources, the topmost first.
    public internal(set) var resources: [Resource] = []
    /// The map without its layers.
    var frame = MapDocument()
    /// The members of the collection as read, without its features.
    var members = Properties()

    /// A resource of a context: a layer, or a resource that is not drawn.
    public struct Resource: Hashable, Sendable {
        /// The title.
        public internal(set) var title: String
        /// The layer, or `nil` if none of the offerings is drawn.
        public internal(set) var layer: LayerSpecification?
        /// The members of the feature as read; empty for a new one.
        var members = Properties()
        /// The layer as read.
        var layerAsRead: LayerSpecification?
        /// The index of the offering that the layer is from.
        var offering: Int?
    }

    /// Warnings from reading the context, and about content that is not drawn.
    public var warnings: [MapWarning] { frame.warnings }

    /// Creates a context from a document.
    ///
    /// - Parameters:
    ///   - id: a URI; a new one if `nil`.
    ///   - updated: the time of the last change (RFC 3339); the current time if `nil`.
    public init(_ document: MapDocument, title: String, id: String? = nil, updated: String? = nil) {
        self.id = id ?? "urn:uuid:\(UUID().uuidString.lowercased())"
        self.title = title
        self.updated = updated ?? Date.now.formatted(.iso8601)
        update(to: document)
    }

    /// Reads the context at `path`.
    ///
    /// - Parameter kinds: the layer kinds that its `portolan` members may name.
    /// - Throws: ``MapError``.
    public init(path: String, kinds: LayerKinds = .standard) throws(MapError) {
        self = try Self.read(path: path, kinds)
    }

    /// Reads a context that is, or would be, at `path`.
    ///
    /// Its URLs have only the rights of a file (``/PortolanWeb/AddressPolicy``).
    ///
    /// - Parameter kinds: the layer kinds that its `portolan` members may name.
    /// - Throws: ``MapError``.
    public init(
        bytes: [UInt8], path: String, policy: AddressPolicy = .standard, kinds: LayerKinds = .standard
    ) throws(MapError) {
        self = try Self.read(bytes, DocumentLocation(path: path, policy: policy, kinds: kinds))
    }

    /// Reads a context from a server.
    ///
    /// It may not reference files or hosts in private networks.
    ///
    /// - Parameter kinds: the layer kinds that its `portolan` members may name.
    /// - Throws: ``MapError``.
    public init(bytes: [UInt8], base: BaseURL, kinds: LayerKinds = .standard) throws(MapError) {
        self = try Self.read(bytes, DocumentLocation(base: base, kinds: kinds))
    }

    init(_ bytes: [UInt8], _ place: DocumentLocation) throws(DocumentError) {
        let members = try JSONDocument.object(in: bytes, from: place.name)
        guard Self.isContext(members) else {
            throw DocumentError(.content("not an OWS Context: no context profile"), in: place.name)
        }
        try self.init(members, place)
    }

    /// The described map: its view, and its layers, the lowest first.
    public var document: MapDocument {
        var document = frame
        document.layers = resources.reversed().compactMap(\.layer)
        return document
    }

    /// Replaces the map of the context by that of a document.
    ///
    /// Resources whose layers have the same names as layers of the document are kept with all unknown content.
    /// Resources that are not drawn are kept as well, below the layer that was above them.
    public mutating func update(to document: MapDocument) {
        frame = document
        frame.layers = []
        frame.warnings = []
        var known: [String: Resource] = [:], undrawn: [String?: [Resource]] = [:], above: String?
        for resource in resources {
            if let name = resource.layer?.name {
                known[name] = resource
                above = name
            } else {
                undrawn[above, default: []].append(resource)
            }
        }
        var updated = undrawn.removeValue(forKey: nil) ?? []
        for layer in document.layers.reversed() {
            var resource = known[layer.name] ?? Resource(title: layer.name)
            resource.layer = layer
            updated.append(resource)
            updated += undrawn.removeValue(forKey: layer.name) ?? []
        }
        // Resources below removed layers.
        for rest in undrawn.sorted(by: { ($0.key ?? "") < ($1.key ?? "") }) { updated += rest.value }
        resources = updated
    }
}

extension OWSContext {
    /// Returns whether the members are those of a context and not of another feature collection.
    static func isContext(_ members: Properties) -> Bool {
        guard members["type"] == .string("FeatureCollection") else { return false }
        if profiles(members["properties"]?.objectValue?["links"]).contains(where: isProfile) { return true }
        return features(members).prefix(8).contains { feature in
            feature.objectValue?["properties"]?.objectValue?["offerings"]?.arrayValue != nil
        }
    }

    /// Returns the features of a collection.
    static func features(_ members: Properties) -> [PropertyValue] { members["features"]?.arrayValue ?? [] }

    /// Returns profile URIs: from links by relation, from a list of profiles, and from a list of links as in Atom.
    private static func profiles(_ links: PropertyValue?) -> [String] {
        func address(_ value: PropertyValue) -> String? {
            value.stringValue ?? value.objectValue?["href"]?.stringValue
        }
        if let list = links?.arrayValue {
            return list.filter { $0.objectValue?["rel"] == .string("profile") }.compactMap(address)
        }
        guard let value = links?.objectValue?["profiles"] else { return [] }
        return (value.arrayValue ?? [value]).compactMap(address)
    }

    /// Returns whether a URI is that of an encoding's core: `owc-geojson`, `owcgeojson`, `owc-atom`.
    private static func isProfile(_ address: String) -> Bool {
        let parts = address.lowercased().split(separator: "/")
        guard let host = parts.firstIndex(where: { $0.hasSuffix("opengis.net") }) else { return false }
        return parts[host...].contains { $0.hasPrefix("owc") }
    }
}
