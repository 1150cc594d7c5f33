import PortolanFetch
public import PortolanGeo
public import PortolanPlan
public import PortolanServices
import PortolanWeb

extension ServiceClient {
    /// What a WMTS offers.
    ///
    /// The address of a document is taken as it is. A service is asked with parameters, and where it fails so, for its
    /// document by path; see `WMTSDocumentAddress`.
    ///
    /// - Parameter url: the address of the service or of its capabilities document; its own query is kept.
    /// - Throws: ``MapError``, the one of the likeliest address when all fail.
    public func wmtsCapabilities(of url: String) async throws(MapError) -> WMTSCapabilities {
        do { return try await readWMTSCapabilities(of: url) } catch { throw MapError(error) }
    }

    /// The same, with the closed error of connections.
    package func readWMTSCapabilities(of url: String) async throws(ServiceError) -> WMTSCapabilities {
        try await wmtsDocument(of: url).capabilities
    }

    /// A layer of a WMTS.
    ///
    /// Matrix set, style, format and address are negotiated from the capabilities; see `WMTSNegotiation`.
    ///
    /// - Parameters:
    ///   - name: the name of the layer on the map.
    ///   - url: the address of the service or of its capabilities document.
    ///   - choice: what is wanted of it.
    ///   - mapCRS: the system of the map.
    ///   - extent: the place that matters most, in units of `mapCRS`, or `nil`.
    /// - Returns: the layer, and what a person should know of the negotiation.
    /// - Throws: ``MapError``.
    public func wmtsLayer(
        named name: String, url: String, choice: WMTSChoice, mapCRS: CRS = .webMercator, around extent: Extent? = nil
    ) async throws(MapError) -> (layer: MapLayer, warnings: [MapWarning]) {
        do {
            return try await connectWMTS(
                named: name, url: url, choice: choice, mapCRS: mapCRS, around: extent)
        } catch { throw MapError(error) }
    }

    /// The same, with the closed error of connections.
    package func connectWMTS(
        named name: String, url: String, choice: WMTSChoice, mapCRS: CRS = .webMercator, around extent: Extent? = nil
    ) async throws(ServiceError) -> (layer: MapLayer, warnings: [MapWarning]) {
        let (offered, base) = try await naming(NamedURL(url, namedBy: origin), wanted: .wmts) {
            () throws(ServiceError) in
            try await wmtsDocument(of: url)
        }
        let request: WMTSTileRequest
        do {
            request = try WMTSNegotiation.request(
                for: choice, of: offered, baseURL: base, mapCRS: mapCRS, around: extent)
        } catch { throw ServiceError(.wmts(error), url: url) }
        var layer = MapLayer(name: name, source: TileSource(request))
        let box = offered.layers.first { $0.identifier == request.layer }?.geographicBox
        layer.bounds =
            box.flatMap { LayerBounds(geographic: $0) } ?? request.extent.map { LayerBounds($0, crs: request.grid.crs) }
        layer.featureInfo = WMTSNegotiation.featureInfo(
            for: request, encoding: choice.encoding, of: offered, baseURL: base, policy: choice.urlPolicy
        ).map { .wmts($0) }
        return (layer, offered.warnings + request.warnings)
    }

    /// The capabilities, and the base of the addresses in them.
    private func wmtsDocument(
        of url: String
    ) async throws(ServiceError) -> (capabilities: WMTSCapabilities, base: BaseURL) {
        var failure: ServiceError?
        for candidate in WMTSDocumentAddress.candidates(for: url) {
            let address = NamedURL(candidate, namedBy: origin)
            do throws(Undelivered<ServiceError>) {
                return try await read(at: address) { response throws(ServiceError) in
                    let type = response.header("Content-Type")
                    do throws(CapabilitiesError) {
                        let capabilities = try WMTSCapabilitiesReader.read(response.body, contentType: type)
                        return (capabilities, base(of: response, askedFor: address))
                    } catch {
                        throw ServiceError(error, in: response, url: candidate)
                    }
                }
            } catch {
                switch error {
                // A server that cannot be reached has no other document either.
                case .fetch(let error): throw failure ?? error
                case .refused(let error): failure = failure ?? error
                }
            }
        }
        throw failure ?? ServiceError(.wmts(.badAddress(url)), url: url, code: .unavailable)
    }
}
