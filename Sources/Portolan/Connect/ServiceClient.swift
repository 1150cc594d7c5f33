public import PortolanFetch
public import PortolanGeo
public import PortolanPlan
public import PortolanServices

/// Asks services what they offer and makes layers of them.
///
/// Capabilities are fetched anew for each call; keep the layers that come of them.
public struct ServiceClient: Sendable {
    private let fetcher: Fetcher
    private let configuration: RendererConfiguration

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - configuration: header fields, time limits and the identification to use; give the renderer's own.
    ///   - transport: what carries the requests; the platform's own when `nil`.
    public init(configuration: RendererConfiguration = RendererConfiguration(), transport: (any HTTPTransport)? = nil) {
        self.init(configuration: configuration, fetcher: configuration.fetcher(over: transport))
    }

    init(configuration: RendererConfiguration, fetcher: Fetcher) {
        self.configuration = configuration
        self.fetcher = fetcher
    }

    /// What a WMS offers.
    ///
    /// - Parameters:
    ///   - url: the address of the service; its own query is kept.
    ///   - version: the version to ask for, or `nil` for the newest that the service speaks.
    ///   - withTileSets: whether its WMS-C tile sets are wanted, which only a document of version 1.1.1 has.
    /// - Throws: ``ServiceError``.
    public func capabilities(
        of url: String, version: WMSVersion? = nil, withTileSets: Bool = false
    ) async throws(ServiceError) -> WMSCapabilities {
        let request = GetCapabilitiesRequest(
            version: withTileSets ? .v1_1_1 : version, baseURL: url, isTiled: withTileSets)
        let response = try await document(at: request.url)
        do { return try WMSCapabilitiesReader.read(response.body, contentType: response.header("Content-Type")) } catch
        {
            // A body that says nothing useful is less to go by than its status.
            if !response.isSuccessful, case .otherDocument = error {
                throw ServiceError(.unavailable, url: request.url, detail: "HTTP status \(response.status): \(error)")
            }
            throw ServiceError(.unreadable, url: request.url, detail: error.description)
        }
    }

    /// A layer that asks a WMS for one image a view.
    ///
    /// Version, CRS, format and address are negotiated from the capabilities; see ``WMSNegotiation``.
    ///
    /// - Parameters:
    ///   - name: the name of the layer on the map.
    ///   - url: the address of the service.
    ///   - options: what is wanted of it.
    ///   - mapCRS: the system of the map.
    ///   - extent: the place that matters most, in units of `mapCRS`, or `nil`.
    /// - Returns: the layer, and what a person should know of the negotiation.
    /// - Throws: ``ServiceError``.
    public func wmsLayer(
        named name: String, url: String, options: WMSOptions, mapCRS: CRS = .webMercator, around extent: Extent? = nil
    ) async throws(ServiceError) -> (layer: MapLayer, warnings: [String]) {
        let offered = try await capabilities(of: url, version: options.version)
        let template: WMSMapTemplate
        do {
            template = try WMSNegotiation.template(
                for: options, of: offered, baseURL: url, mapCRS: mapCRS, around: extent)
        } catch { throw ServiceError(.notOffered, url: url, detail: error.description) }
        // Extent and size are replaced for each view.
        guard let anywhere = template.crs.worldExtent ?? Extent(minX: 0, minY: 0, maxX: 1, maxY: 1) else {
            preconditionFailure("the unit square is an extent")
        }
        let source = WMSSource(
            request: template.request(extent: anywhere, width: 1, height: 1), maximumWidth: template.maxWidth,
            maximumHeight: template.maxHeight)
        let attribution = template.attributions.compactMap(\.title).joined(separator: ", ")
        let layer = MapLayer(
            name: name, content: .wms(source), attribution: attribution.isEmpty ? nil : attribution)
        return (layer, template.warnings)
    }

    /// What is wanted of a service's tile sets.
    public struct TileSetChoice: Hashable, Sendable {
        /// The layers in the tiles, the bottommost first.
        public var layers: [String]
        /// A style for each layer, or `nil` for any.
        public var styles: [String]?
        /// The format, or `nil` for the best.
        public var format: String?
        /// The system of the tiles in any spelling, or `nil` for the map's where there is such a set, else the first.
        public var crsName: String?

        /// Makes a choice.
        public init(layers: [String], styles: [String]? = nil, format: String? = nil, crsName: String? = nil) {
            self.layers = layers
            self.styles = styles
            self.format = format
            self.crsName = crsName
        }
    }

    /// A layer that takes tiles from a WMS-C tile set that the service advertises.
    ///
    /// The document of version 1.1.1 is asked for with `tiled=true` first, then without.
    ///
    /// - Throws: ``ServiceError``.
    public func wmscLayer(
        named name: String, url: String, choice: TileSetChoice, mapCRS: CRS = .webMercator
    ) async throws(ServiceError) -> (layer: MapLayer, warnings: [String]) {
        let offered = try await capabilitiesWithTileSets(of: url)
        let request: WMSCTileRequest
        do {
            var crs: CRS?
            if let crsName = choice.crsName { crs = try CRS(crsName) }
            let set = try WMSCTileSet.select(
                from: offered.tileSets, layers: choice.layers, styles: choice.styles, format: choice.format, crs: crs,
                mapCRS: mapCRS)
            let address = try WMSNegotiation.mapAddress(of: offered, baseURL: url, policy: .advertised)
            request = try WMSCTileRequest(tileSet: set, baseURL: address)
        } catch { throw ServiceError(.notOffered, url: url, detail: "\(error)") }
        let titles = choice.layers.compactMap { offered.layer(named: $0)?.attribution?.title }
        let layer = MapLayer(
            name: name, content: .tiles(TileSource(request)),
            attribution: titles.isEmpty ? nil : titles.joined(separator: ", "))
        return (layer, offered.warnings)
    }

    /// The capabilities with tile sets, asked for with `tiled=true` first.
    ///
    /// A service may refuse that, and one that lists its tile sets all the same is asked without.
    private func capabilitiesWithTileSets(of url: String) async throws(ServiceError) -> WMSCapabilities {
        do {
            let offered = try await capabilities(of: url, withTileSets: true)
            if !offered.tileSets.isEmpty { return offered }
        } catch {
            guard error.code != .cancelled else { throw error }
        }
        return try await capabilities(of: url, version: .v1_1_1)
    }

    /// The bytes of a document at a URL, a file among them.
    ///
    /// - Throws: ``ServiceError`` when it cannot be had or the server answers with an error status and no document.
    public func data(at url: String) async throws(ServiceError) -> [UInt8] {
        let response = try await document(at: url)
        guard response.isSuccessful else {
            throw ServiceError(.unavailable, url: url, detail: "HTTP status \(response.status)")
        }
        return response.body
    }

    func document(at url: String) async throws(ServiceError) -> HTTPResponse {
        let request = HTTPRequest(
            url: url, headers: configuration.headers(for: url), timeouts: configuration.timeouts,
            maximumBodyByteCount: max(configuration.documentByteLimit, 0))
        do { return try await fetcher.fetch(request) } catch {
            let code: ServiceError.Code =
                switch error.code {
                case .fileNotFound: .notFound
                case .cancelled: .cancelled
                case .bodyTooLarge: .unreadable
                default: .unavailable
                }
            throw ServiceError(code, url: url, detail: "\(error.code.words): \(error.detail)")
        }
    }
}
