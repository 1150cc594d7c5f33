import Portolan
import PortolanFeatures
import PortolanServices
import PortolanWeb

/// A service, or a document of features, that a person wants on the map.
struct ViewerService: Hashable, Sendable {
    /// What it is, in the words of layers: `wms`, `wmts`, `wfs`, `oaf`, `xyz` or `features`.
    let kind: String
    /// Its address.
    let url: String
    /// The names of its layers with commas, or `nil` where it is asked what it has.
    let layers: String?

    /// The kinds that have layers to choose from.
    private static let chosen: Set = ["wms", "wmts", "wfs", "oaf"]

    /// Whether it is to be asked what it has.
    var isQuestion: Bool { layers == nil && Self.chosen.contains(kind) }

    /// Reads what a page sends.
    ///
    /// - Throws: ``Problem`` that names the key.
    init(_ body: [UInt8]) throws(Problem) {
        let reader = try ViewerReader(body)
        kind = try reader.text("kind")
        url = try reader.text("url")
        layers = reader.members["layers"] == nil ? nil : try reader.text("layers")
        guard Self.chosen.contains(kind) || ["xyz", "features"].contains(kind) else {
            throw Problem(.badRequest, "a service is wms, wmts, wfs, oaf, xyz or features", key: "kind")
        }
        guard let parts = URLParts(url), parts.isHTTP, !parts.host.isEmpty else {
            throw Problem(.badRequest, "the address is none that begins with https:// or http://", key: "url")
        }
    }

    /// The layer in words.
    func specification(named name: String) throws(MapError) -> LayerSpecification {
        var values = ["name": name]
        // Of a WMTS one is drawn.
        values[kind == "wmts" ? "layer" : "layers"] = layers
        return try LayerSpecification(
            kind: LayerKinds.standard.kind(named: kind) ?? .features, source: url, values: values,
            namedBy: ViewerSession.stranger)
    }
}

extension ViewerSession {
    /// Puts a service on the map, or tells what it has.
    ///
    /// - Returns: the names and titles of its layers where those were asked for; nothing once a layer was added.
    /// - Throws: ``Problem``: `forbidden` where the server does not let people name its host, `sourceFailed` where it cannot be had.
    func add(_ service: ViewerService) async throws(Problem) -> PropertyValue? {
        guard let host = URLParts(service.url)?.host, offer.services.allows(host) else {
            throw Problem(.forbidden, "services of that host cannot be put on maps here", key: "url")
        }
        if service.isQuestion {
            do throws(MapError) { return .array(try await layers(of: service)) } catch {
                throw Problem(.sourceFailed, error.sentence, key: "url")
            }
        }
        try checkRoom()
        do {
            let specification = try service.specification(named: free(service.layers ?? host))
            for warning in try await facade.addLayer(specification).warnings { tell(warning.description) }
        } catch { throw Problem(.sourceFailed, error.sentence, key: "url") }
        changeState()
        return nil
    }

    /// The layers of a service: their names and titles.
    private func layers(of service: ViewerService) async throws(MapError) -> [PropertyValue] {
        let client = facade.services.asked(by: Self.stranger)
        var found: [(name: String, title: String)]
        switch service.kind {
        case "wmts":
            found = try await client.wmtsCapabilities(of: service.url).layers.map { ($0.identifier, $0.title) }
        case "wfs":
            found = try await client.wfsCapabilities(of: service.url).featureTypes.map { ($0.name, $0.title) }
        case "oaf":
            found = try await client.featureCollections(of: service.url).collections.map { ($0.identifier, $0.title) }
        default:
            found = try await client.capabilities(of: service.url).allLayers.compactMap { layer in
                layer.name.map { ($0, layer.title) }
            }
        }
        // A page cannot show more.
        found = Array(found.prefix(1000))
        return found.map { .array([.string($0.name), .string($0.title.isEmpty ? $0.name : $0.title)]) }
    }
}
