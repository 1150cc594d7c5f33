import PortolanFetch
public import PortolanGeo
public import PortolanPlan
package import PortolanServices
import PortolanWeb

extension ServiceClient {
    /// The maximum number of documents from the given URL to the tile map: services, service, map.
    private static let longestPath = 3

    /// Returns the Tile Map Service document at a URL.
    ///
    /// - Throws: ``MapError``.
    package func tmsDocument(at url: String) async throws(MapError) -> TMSDocument {
        do { return try await tmsDocument(at: NamedURL(url, namedBy: origin)).document } catch {
            throw MapError(error)
        }
    }

    private func tmsDocument(
        at url: NamedURL
    ) async throws(ServiceError) -> (document: TMSDocument, base: BaseURL) {
        try await document(at: url) { response throws(ServiceError) in
            do throws(CapabilitiesError) {
                let document = try TMSReader.read(response.body, contentType: response.header("Content-Type"))
                return (document, base(of: response, askedFor: url))
            } catch {
                throw ServiceError(error, in: response, url: url.text)
            }
        }
    }

    /// Creates a layer of Tile Map Service tiles.
    ///
    /// - Parameters:
    ///   - name: the name of the layer on the map.
    ///   - url: the URL of a tile map document, or of a document that links to it.
    ///   - mapName: the tile map: its title, its URL or the end of its URL; `nil` for the only one. If it is available
    ///     in several CRSs, the CRS of the map is preferred, then the best fit.
    ///   - levels: the levels to use, as numbered in the document; `nil` for all.
    ///   - mapCRS: the CRS of the map.
    /// - Returns: the layer, and warnings about the documents.
    /// - Throws: ``MapError``.
    public func tmsLayer(
        named name: String, url: String, map mapName: String? = nil, levels: ClosedRange<Int>? = nil,
        mapCRS: CRS = .webMercator
    ) async throws(MapError) -> (layer: MapLayer, warnings: [MapWarning]) {
        do {
            return try await connectTMS(
                named: name, url: url, map: mapName, levels: levels, mapCRS: mapCRS)
        } catch { throw MapError(error) }
    }

    /// Implements `tmsLayer` with the typed error `ServiceError`.
    package func connectTMS(
        named name: String, url: String, map mapName: String? = nil, levels: ClosedRange<Int>? = nil,
        mapCRS: CRS = .webMercator
    ) async throws(ServiceError) -> (layer: MapLayer, warnings: [MapWarning]) {
        var address = NamedURL(url, namedBy: origin), warnings: [MapWarning] = []
        for _ in 0..<Self.longestPath {
            let reference: TMSReference
            let place = address
            let (document, base) = try await naming(place, wanted: .tms) { () throws(ServiceError) in
                try await tmsDocument(at: place)
            }
            do throws(TMSError) {
                switch document {
                case .map(let map):
                    let request = try TMSTileRequest(map: map, document: base, orders: levels)
                    var layer = MapLayer(
                        name: name, source: TileSource(request), attribution: map.attribution)
                    layer.bounds = map.extent.map { LayerBounds($0, crs: request.grid.crs) }
                    return (layer, warnings + map.warnings)
                case .services(let services):
                    guard let only = services.first, services.count == 1 else {
                        throw TMSError.noMap(offers: services.map(\.href))
                    }
                    reference = only
                case .service(let service):
                    reference = try service.map(named: mapName, mapCRS: mapCRS)
                    warnings += service.warnings
                }
            } catch { throw ServiceError(.tms(error), url: address.text) }
            guard let next = TMSTileRequest.address(of: reference, from: base) else {
                throw ServiceError(.tms(.refusedAddress(reference.href)), url: address.text)
            }
            address = next
        }
        throw ServiceError(.unreadable, url: url, detail: "the documents link in a loop without a tile map")
    }
}
