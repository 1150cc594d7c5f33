package import PortolanFeatures
import PortolanFetch
import PortolanServices
package import PortolanWeb

extension ServiceClient {
    /// Returns the members of a service's JSON description.
    ///
    /// If a server answers with an HTML page, the request is repeated with `f=json`.
    ///
    /// - Throws: ``ServiceError``, also for an ArcGIS or OGC API error in place of the document.
    package func members(at url: NamedURL) async throws(ServiceError) -> (members: Properties, base: BaseURL) {
        do { return try await plainMembers(at: url) } catch {
            guard case .otherKind(.page, _) = error.cause else { throw error }
            let json = ServiceURL(url.text).url(with: [("f", "json")], dropping: [])
            return try await plainMembers(at: NamedURL(json, namedBy: url.origin))
        }
    }

    private func plainMembers(at url: NamedURL) async throws(ServiceError) -> (members: Properties, base: BaseURL) {
        try await document(at: url) { response throws(ServiceError) in
            let limits = FeatureLimits(maximumByteCount: 1 << 26)
            guard let members = try? JSONReader.value(bytes: response.body, limits: limits).objectValue else {
                guard response.isSuccessful else { throw ServiceError(.status(response.status), url: url.text) }
                if let kind = AnswerKind(recognizing: response.body), kind != .json {
                    throw ServiceError(.otherKind(kind, text: ""), url: url.text)
                }
                throw ServiceError(.unreadable, url: url.text, detail: "the response is not a JSON document")
            }
            let words =
                ArcGISService.words(ofError: members)
                ?? (response.isSuccessful ? nil : OGCAPIReader.words(ofException: members))
            if let words {
                throw ServiceError(.unavailable, url: url.text, detail: "the service responded: \(words)")
            }
            guard response.isSuccessful else { throw ServiceError(.status(response.status), url: url.text) }
            return (members, base(of: response, askedFor: url))
        }
    }

    /// Returns the document at a URL for tiles or maps, by its members.
    package func tileDocument(at url: String) async throws(ServiceError) -> (document: TileDocument, base: BaseURL) {
        let (members, base) = try await members(at: NamedURL(url, namedBy: origin))
        let isImage = url.prefix { $0 != "?" }.lowercased().contains("/imageserver")
        if let tiles = TileJSONDocument(members) { return (.tileJSON(tiles), base) }
        if let service = ArcGISService(members, isImageService: isImage) { return (.arcGIS(service), base) }
        if let list = members["tilesets"]?.arrayValue {
            let sets = list.prefix(1000).compactMap { $0.objectValue.map { OGCAPITileset($0) } }
            return (.tilesets(sets, links: OGCAPIReader.links(of: members)), base)
        }
        let set = OGCAPITileset(members)
        if set.matrixSetURI != nil || set.links.contains(where: { $0.leads(to: "item") && $0.href.contains("{") }) {
            return (.tileset(set), base)
        }
        throw ServiceError(
            .unreadable, url: url, detail: "the document is not TileJSON, OGC API – Tiles or ArcGIS")
    }
}

/// A JSON document that describes tiles.
package enum TileDocument: Sendable {
    /// A TileJSON document.
    case tileJSON(TileJSONDocument)
    /// An ArcGIS service.
    case arcGIS(ArcGISService)
    /// A list of OGC API tile sets, and the other links of the document.
    case tilesets([OGCAPITileset], links: [OGCAPILink])
    /// A single OGC API tile set.
    case tileset(OGCAPITileset)
}
