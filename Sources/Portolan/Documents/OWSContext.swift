import PortolanFeatures
import PortolanGeo
public import PortolanWeb

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A map as an OWS Context in GeoJSON describes it (OGC 14-055r2), to be exchanged with other programs.
///
/// Layers of WMS, WMTS, GeoJSON and tile templates are read and written; each is a resource, and its offering says how it is had.
/// What is not known of a context is kept, and written again. What a context cannot say (opacity, styles of features, the exact
/// view) stands in a member `portolan`, which others pass over.
public struct OWSContext: LocatedDocument, Hashable, Sendable {
    /// The identifier, a URI.
    public var id: String
    /// The title.
    public var title: String
    /// A description.
    public var subtitle: String?
    /// The language of titles and descriptions (RFC 5646).
    public var language = "en"
    /// When it was changed last (RFC 3339).
    public var updated: String
    /// What is in it, the topmost first.
    public internal(set) var resources: [Resource] = []
    /// The map, but its layers.
    var frame = MapDocument()
    /// The collection as it was read, without its features.
    var members = Properties()

    /// Something that a context offers: a layer, or what is not drawn here.
    public struct Resource: Hashable, Sendable {
        /// The title.
        public internal(set) var title: String
        /// The layer, or `nil` where none of the offerings is drawn here.
        public internal(set) var layer: LayerSpecification?
        /// The feature as it was read; empty of a new one.
        var members = Properties()
        /// The layer as it was read.
        var layerAsRead: LayerSpecification?
        /// The place of the offering that the layer came of.
        var offering: Int?
    }

    /// What is odd about the context as it was read, and what of it is not drawn.
    public var warnings: [MapWarning] { frame.warnings }

    /// Makes a context of a document.
    ///
    /// - Parameters:
    ///   - id: a URI; one of its own is made up when `nil`.
    ///   - updated: when the document was changed (RFC 3339); now when `nil`.
    public init(_ document: MapDocument, title: String, id: String? = nil, updated: String? = nil) {
        self.id = id ?? "urn:uuid:\(UUID().uuidString.lowercased())"
        self.title = title
        self.updated = updated ?? Date.now.formatted(.iso8601)
        update(to: document)
    }

    /// Reads the context at `path`.
    ///
    /// - Parameter kinds: the kinds of layers that it may name in Portolan's words.
    /// - Throws: ``MapError``.
    public init(path: String, kinds: LayerKinds = .standard) throws(MapError) {
        self = try Self.read(path: path, kinds)
    }

    /// Reads a context that stands, or would stand, at `path`; what it names is as if a file did, wherever it came from
    /// (``/PortolanWeb/AddressPolicy``).
    ///
    /// - Parameter kinds: the kinds of layers that it may name in Portolan's words.
    /// - Throws: ``MapError``.
    public init(
        bytes: [UInt8], path: String, policy: AddressPolicy = .standard, kinds: LayerKinds = .standard
    ) throws(MapError) {
        self = try Self.read(bytes, DocumentLocation(path: path, policy: policy, kinds: kinds))
    }

    /// Reads a context that a server sent, which leads to no file, and to no host in a network of its own.
    ///
    /// - Parameter kinds: the kinds of layers that it may name in Portolan's words.
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

    /// The map that the context describes: its view, and its layers bottom first.
    public var document: MapDocument {
        var document = frame
        document.layers = resources.reversed().compactMap(\.layer)
        return document
    }

    /// Takes what a document says in place of what the context said of the map.
    ///
    /// Resources of layers that the document has under the same name stay, with all that is not known of them, and so do those
    /// that are not drawn; the latter stay below the layer that was above them.
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
        // What stood under layers that are gone.
        for rest in undrawn.sorted(by: { ($0.key ?? "") < ($1.key ?? "") }) { updated += rest.value }
        resources = updated
    }
}

extension OWSContext {
    /// Whether the members are those of a context, and not of any collection of features.
    static func isContext(_ members: Properties) -> Bool {
        guard members["type"] == .string("FeatureCollection") else { return false }
        if profiles(members["properties"]?.objectValue?["links"]).contains(where: isProfile) { return true }
        return features(members).prefix(8).contains { feature in
            feature.objectValue?["properties"]?.objectValue?["offerings"]?.arrayValue != nil
        }
    }

    /// The features of a collection.
    static func features(_ members: Properties) -> [PropertyValue] { members["features"]?.arrayValue ?? [] }

    /// The addresses of profiles: of links by their relation, of a list of profiles, and of links in a list as in Atom.
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

    /// Whether an address is that of the core of an encoding: `owc-geojson`, `owcgeojson`, `owc-atom`.
    private static func isProfile(_ address: String) -> Bool {
        let parts = address.lowercased().split(separator: "/")
        guard let host = parts.firstIndex(where: { $0.hasSuffix("opengis.net") }) else { return false }
        return parts[host...].contains { $0.hasPrefix("owc") }
    }
}
