public import PortolanGeo
public import PortolanPlan
public import PortolanServices
import PortolanWeb

extension ServiceClient {
    /// What a WMS offers.
    ///
    /// A service that answers the question for its newest version with an exception is asked for older ones in turn.
    ///
    /// - Parameters:
    ///   - url: the address of the service; its own query is kept.
    ///   - version: the version to ask for, or `nil` for the newest that the service speaks.
    ///   - withTileSets: whether its WMS-C tile sets are wanted, which only a document of version 1.1.1 has.
    /// - Throws: ``MapError``.
    public func capabilities(
        of url: String, version: WMSVersion? = nil, withTileSets: Bool = false
    ) async throws(MapError) -> WMSCapabilities {
        do {
            return try await readCapabilities(
                of: url, version: version, withTileSets: withTileSets)
        } catch { throw MapError(error) }
    }

    /// The same, with the closed error of connections.
    package func readCapabilities(
        of url: String, version: WMSVersion? = nil, withTileSets: Bool = false
    ) async throws(ServiceError) -> WMSCapabilities {
        try await described(by: url, version: version, withTileSets: withTileSets).capabilities
    }

    /// The same, with the base of the addresses in the document.
    func described(
        by address: String, version: WMSVersion? = nil, withTileSets: Bool = false
    ) async throws(ServiceError) -> (capabilities: WMSCapabilities, base: BaseURL) {
        let url = NamedURL(address, namedBy: origin)
        if let version = withTileSets ? .v1_1_1 : version {
            return try await answer(to: GetCapabilitiesRequest(version: version, baseURL: url, isTiled: withTileSets))
        }
        do { return try await answer(to: GetCapabilitiesRequest(version: nil, baseURL: url)) } catch {
            guard error.exception != nil else { throw error }
            for version in [WMSVersion.v1_3_0, .v1_1_1, .v1_0_0] {
                let older = GetCapabilitiesRequest(version: version, baseURL: url)
                let answer = try await Self.unlessFailing { () throws(ServiceError) in try await self.answer(to: older)
                }
                if let answer { return answer }
            }
            throw error
        }
    }

    /// What comes of a request that may fail.
    ///
    /// - Throws: ``ServiceError/Code/cancelled`` only.
    static func unlessFailing<Value: Sendable>(
        _ work: () async throws(ServiceError) -> Value
    ) async throws(ServiceError) -> Value? {
        do { return try await work() } catch {
            if error.code == .cancelled { throw error }
            return nil
        }
    }

    private func answer(
        to request: GetCapabilitiesRequest
    ) async throws(ServiceError) -> (capabilities: WMSCapabilities, base: BaseURL) {
        try await document(at: request.address) { response throws(ServiceError) in
            let type = response.header("Content-Type")
            do throws(CapabilitiesError) {
                let capabilities = try WMSCapabilitiesReader.read(response.body, contentType: type)
                return (
                    capabilities, base(of: response, askedFor: request.address, at: request.baseURL.text)
                )
            } catch {
                throw ServiceError(error, in: response, url: request.url)
            }
        }
    }

    /// A layer that asks a WMS for one image a view, or with ``/PortolanServices/WMSOptions/tiling`` for tiles.
    ///
    /// Version, CRS, format and address are negotiated from the capabilities; see `WMSNegotiation`. Where these
    /// contradict themselves about the order of axes, version 1.1.1 is spoken, which has but one, if the service knows it.
    ///
    /// With tiling, a tile set (WMS-C) that the service has ready is used where it has the same layers in the same order,
    /// the same styles, a CRS of the same coordinates as the one negotiated, and the format wanted, and where no parameters
    /// of the caller's ask for anything that its tiles do not show. Otherwise tiles are cut on a grid of the client's own
    /// (``/PortolanGeo/TileGrid/powersOfTwo(in:tileSize:)``). Without tiling no tile set is used: tiles would be resampled
    /// between their levels, while one image a view is exact.
    ///
    /// - Parameters:
    ///   - name: the name of the layer on the map.
    ///   - url: the address of the service.
    ///   - options: what is wanted of it.
    ///   - mapCRS: the system of the map.
    ///   - extent: the place that matters most, in units of `mapCRS`, or `nil`.
    /// - Returns: the layer, and what a person should know of the negotiation.
    /// - Throws: ``MapError``.
    public func wmsLayer(
        named name: String, url: String, options: WMSOptions, mapCRS: CRS = .webMercator, around extent: Extent? = nil
    ) async throws(MapError) -> (layer: MapLayer, warnings: [MapWarning]) {
        do {
            return try await connectWMS(
                named: name, url: url, options: options, mapCRS: mapCRS, around: extent)
        } catch { throw MapError(error) }
    }

    /// The same, with the closed error of connections.
    package func connectWMS(
        named name: String, url: String, options: WMSOptions, mapCRS: CRS = .webMercator, around extent: Extent? = nil
    ) async throws(ServiceError) -> (layer: MapLayer, warnings: [MapWarning]) {
        let (offered, base) = try await naming(NamedURL(url, namedBy: origin), wanted: .wms) {
            () throws(ServiceError) in
            try await described(by: url, version: options.version)
        }
        var chosen = offered
        var template: WMSMapTemplate
        let repairs = offered.warnings.filter { $0.effect == .repaired }
        do {
            template = try WMSNegotiation.template(
                for: options, of: offered, baseURL: base, mapCRS: mapCRS, around: extent)
        } catch { throw ServiceError(.wms(error), url: url) }
        if template.isAxisOrderDoubtful, options.version == nil,
            let older = try await Self.unlessFailing({ () throws(ServiceError) in
                try await readCapabilities(of: url, version: .v1_1_1)
            }), older.version < .v1_3_0,
            let sure = try? WMSNegotiation.template(
                for: options, of: older, baseURL: base, mapCRS: mapCRS, around: extent)
        {
            let crsName = template.crsName
            template = sure
            chosen = older
            template.warnings.append(
                MapWarning(
                    .service,
                    message:
                        "using version \(older.version), because the capabilities of version \(offered.version) contradict "
                        + "themselves about the axis order of \(crsName)"))
        }
        // Extent and size are replaced for each view.
        guard let anywhere = template.crs.worldExtent ?? Extent(minX: 0, minY: 0, maxX: 1, maxY: 1) else {
            preconditionFailure("the unit square is an extent")
        }
        let source = WMSSource(
            request: template.request(extent: anywhere, width: 1, height: 1), limits: template.limits)
        let attribution = template.attributions.compactMap(\.title).joined(separator: ", ")
        var layer = MapLayer(
            name: name, source: source, attribution: attribution.isEmpty ? nil : attribution)
        layer.addQueries(source.request, of: chosen, baseURL: base, policy: options.urlPolicy)
        guard let tiling = options.tiling else {
            // A document lists tile sets without being asked for them where tiles are all that there is.
            if offered.tileSets.contains(where: { $0.layers == options.layers }) {
                template.warnings.append(
                    MapWarning(
                        .service,
                        message:
                            "the service lists tile sets of these layers and may refuse other maps; to use them, write "
                            + "wmsc: instead of wms:"))
            }
            return (layer, repairs + template.warnings)
        }
        if tiling.usesTileSets,
            let (set, warnings) = try await tileSource(matching: template, options: options, url: url, mapCRS: mapCRS)
        {
            layer.source = set
            return (layer, repairs + template.warnings + warnings)
        }
        if let tiles = Self.tiles(of: source, tiling: tiling) {
            layer.source = tiles
            if tiling.usesTileSets {
                template.warnings.append(
                    MapWarning(
                        .service,
                        message:
                            "no usable tile set of these layers in \(template.crsName); requesting tiles "
                            + "of \(tiles.grid.matrices.first?.tileWidth ?? tiling.tileSize) pixels on a local grid "
                            + "instead"))
            }
        } else {
            template.warnings.append(
                MapWarning(
                    .service,
                    message: "the service does not offer these layers as tiles; requesting one image per view"))
        }
        return (layer, repairs + template.warnings)
    }

    /// Tiles on the client's own grid, or `nil` where the layers cannot be cut into any.
    private static func tiles(of source: WMSSource, tiling: WMSTiling) -> TileSource? {
        let limits = source.limits
        guard limits.allowsTiles, source.request.layers.count <= limits.maxLayers ?? .max else { return nil }
        let most = min(source.maximumWidth, source.maximumHeight)
        var size = tiling.tileSize, gutter = tiling.gutter
        while size + 2 * gutter > most, size > 16 {
            size /= 2
            gutter = min(gutter, size / 4)
        }
        guard size + 2 * gutter <= most, let grid = TileGrid.powersOfTwo(in: source.crs, tileSize: size) else {
            return nil
        }
        return TileSource(grid: grid, address: .wms(WMSTileRequest(source: source, gutter: gutter)))
    }
}

extension MapLayer {
    /// Notes what the service can tell of the layer besides pictures: where it is, features at a place, and legends.
    mutating func addQueries(
        _ request: GetMapRequest, of capabilities: WMSCapabilities, baseURL: BaseURL,
        policy: ServiceURLPolicy = .advertised
    ) {
        let boxes = request.layers.map { capabilities.layer(named: $0)?.geographicBox }
        // Of several layers all must say where they are.
        if let first = boxes.first, let first, boxes.allSatisfy({ $0 != nil }) {
            bounds = LayerBounds(geographic: boxes.compactMap(\.self).reduce(first) { $0.union($1) })
        }
        featureInfo = WMSNegotiation.featureInfo(for: request, of: capabilities, baseURL: baseURL, policy: policy)
            .map { .wms($0) }
        legends = WMSNegotiation.legends(
            of: request.layers, styles: request.styles, version: request.version, in: capabilities, baseURL: baseURL,
            policy: policy)
    }
}
