import Portolan
import PortolanFeatures
import PortolanServices
import PortolanWeb

/// A service or feature document that a user wants to add to the map.
struct ViewerService: Hashable, Sendable {
    /// The layer kind: `wms`, `wmts`, `wfs`, `oaf`, `xyz` or `features`.
    let kind: String
    /// The URL.
    let url: String
    /// The comma-separated layer names, or `nil` to request the list of layers.
    let layers: String?

    /// The kinds whose services have several layers.
    private static let chosen: Set = ["wms", "wmts", "wfs", "oaf"]

    /// Whether the list of layers is requested.
    var isQuestion: Bool { layers == nil && Self.chosen.contains(kind) }

    /// Parses the request of a page.
    ///
    /// - Throws: ``Problem`` with the key.
    init(_ body: [UInt8]) throws(Problem) {
        let reader = try ViewerReader(body)
        kind = try reader.text("kind")
        url = try reader.text("url")
        layers = reader.members["layers"] == nil ? nil : try reader.text("layers")
        guard Self.chosen.contains(kind) || ["xyz", "features"].contains(kind) else {
            throw Problem(.badRequest, "unknown kind; use wms, wmts, wfs, oaf, xyz or features", key: "kind")
        }
        guard let parts = URLParts(url), parts.isHTTP, !parts.host.isEmpty else {
            throw Problem(.badRequest, "the URL must begin with https:// or http://", key: "url")
        }
    }

    /// Returns the layer specification.
    func specification(named name: String) throws(MapError) -> LayerSpecification {
        var values = ["name": name]
        // A WMTS request has a single layer.
        values[kind == "wmts" ? "layer" : "layers"] = layers
        return try LayerSpecification(
            kind: LayerKinds.standard.kind(named: kind) ?? .features, source: url, values: values,
            namedBy: ViewerSession.stranger)
    }
}

extension ViewerSession {
    /// Adds a service to the map, or lists its layers.
    ///
    /// - Returns: the names and titles of the layers if they were requested, or `nil` once a layer was added.
    /// - Throws: ``Problem``: `forbidden` if its host is not allowed, `sourceFailed` if the service is unavailable.
    func add(_ service: ViewerService) async throws(Problem) -> PropertyValue? {
        guard let host = URLParts(service.url)?.host, offer.services.allows(host) else {
            throw Problem(.forbidden, "services of this host are not allowed here", key: "url")
        }
        if service.isQuestion {
            do throws(MapError) { return .array(try await layers(of: service)) } catch {
                throw Self.problem(error)
            }
        }
        try checkRoom()
        do {
            let specification = try service.specification(named: free(service.layers ?? host))
            for warning in try await facade.addLayer(specification).warnings { tell(warning.description) }
        } catch { throw Self.problem(error) }
        changeState()
        return nil
    }

    /// Returns the problem of a service that cannot be added.
    private static func problem(_ error: MapError) -> Problem {
        guard error.code == .notAllowed else { return Problem(.sourceFailed, error.sentence, key: "url") }
        return Problem(
            .sourceFailed,
            "this server may not read services of its own network; its administrator can name the host under 'services'",
            key: "url")
    }

    /// Returns the names and titles of the layers of a service.
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
        // The page cannot show more layers.
        found = Array(found.prefix(1000))
        return found.map { .array([.string($0.name), .string($0.title.isEmpty ? $0.name : $0.title)]) }
    }
}
