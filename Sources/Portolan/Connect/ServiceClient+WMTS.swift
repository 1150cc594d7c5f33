import PortolanFetch
public import PortolanGeo
public import PortolanPlan
public import PortolanServices
import PortolanWeb

extension ServiceClient {
    /// Returns the capabilities of a WMTS.
    ///
    /// The URL of a document is used unchanged. For a service URL, the document is requested with parameters and then
    /// by path; see `WMTSDocumentAddress`.
    ///
    /// - Parameter url: the URL of the service or its capabilities document; its query is kept.
    /// - Throws: ``MapError`` of the most likely URL if all fail.
    public func wmtsCapabilities(of url: String) async throws(MapError) -> WMTSCapabilities {
        do { return try await readWMTSCapabilities(of: url) } catch { throw MapError(error) }
    }

    /// Implements `wmtsCapabilities` with the typed error `ServiceError`.
    package func readWMTSCapabilities(of url: String) async throws(ServiceError) -> WMTSCapabilities {
        try await wmtsDocument(of: url).capabilities
    }

    /// Creates a WMTS layer.
    ///
    /// Tile matrix set, style, format and URL are negotiated from the capabilities; see `WMTSNegotiation`.
    ///
    /// ```swift
    /// let (layer, warnings) = try await ServiceClient().wmtsLayer(
    ///     named: "Topography", url: "https://maps.example.org/wmts", options: WMTSOptions(layer: "topo"))
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the layer on the map.
    ///   - url: the URL of the service or its capabilities document.
    ///   - choice: the options of the layer.
    ///   - mapCRS: the CRS of the map.
    ///   - extent: the area of interest in units of `mapCRS`, or `nil`.
    /// - Returns: the layer, and warnings about the negotiation.
    /// - Throws: ``MapError``.
    public func wmtsLayer(
        named name: String, url: String, options choice: WMTSOptions, mapCRS: CRS = .webMercator,
        around extent: Extent? = nil
    ) async throws(MapError) -> (layer: MapLayer, warnings: [MapWarning]) {
        do {
            return try await connectWMTS(
                named: name, url: url, options: choice, mapCRS: mapCRS, around: extent)
        } catch { throw MapError(error) }
    }

    /// Implements `wmtsLayer` with the typed error `ServiceError`.
    package func connectWMTS(
        named name: String, url: String, options choice: WMTSOptions, mapCRS: CRS = .webMercator,
        around extent: Extent? = nil
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
        layer.dimensions = request.dimensions.compactMap { used in
            offered.layer(named: request.layer)?.dimension(named: used.name).map {
                LayerDimension($0, value: used.value)
            }
        }
        return (layer, offered.warnings + request.warnings)
    }

    /// Returns the capabilities, and the base URL of the document.
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
                // If the server cannot be reached, the other documents are unavailable as well.
                case .fetch(let error): throw failure ?? error
                case .refused(let error): failure = failure ?? error
                }
            }
        }
        throw failure ?? ServiceError(.wmts(.badAddress(url)), url: url, code: .unavailable)
    }
}
