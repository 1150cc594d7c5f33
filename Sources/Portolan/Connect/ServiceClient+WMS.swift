public import PortolanGeo
public import PortolanPlan
public import PortolanServices
import PortolanWeb

extension ServiceClient {
    /// Returns the capabilities of a WMS.
    ///
    /// If the service answers the request for its newest version with an exception, older versions are requested.
    ///
    /// - Parameters:
    ///   - url: the URL of the service; its query is kept.
    ///   - version: the requested version, or `nil` for the newest that the service supports.
    ///   - withTileSets: whether to request WMS-C tile sets, which only version 1.1.1 documents have.
    /// - Throws: ``MapError``.
    public func capabilities(
        of url: String, version: WMSCapabilities.Version? = nil, withTileSets: Bool = false
    ) async throws(MapError) -> WMSCapabilities {
        do {
            return try await readCapabilities(
                of: url, version: version, withTileSets: withTileSets)
        } catch { throw MapError(error) }
    }

    /// Implements `capabilities` with the typed error `ServiceError`.
    package func readCapabilities(
        of url: String, version: WMSCapabilities.Version? = nil, withTileSets: Bool = false
    ) async throws(ServiceError) -> WMSCapabilities {
        try await described(by: url, version: version, withTileSets: withTileSets).capabilities
    }

    /// Returns the capabilities, and the base URL of the document.
    func described(
        by address: String, version: WMSCapabilities.Version? = nil, withTileSets: Bool = false
    ) async throws(ServiceError) -> (capabilities: WMSCapabilities, base: BaseURL) {
        let url = NamedURL(address, namedBy: origin)
        if let version = withTileSets ? .v1_1_1 : version {
            return try await answer(to: GetCapabilitiesRequest(version: version, baseURL: url, isTiled: withTileSets))
        }
        do { return try await answer(to: GetCapabilitiesRequest(version: nil, baseURL: url)) } catch {
            guard error.exception != nil else { throw error }
            for version in [WMSCapabilities.Version.v1_3_0, .v1_1_1, .v1_0_0] {
                let older = GetCapabilitiesRequest(version: version, baseURL: url)
                let answer = try await Self.unlessFailing { () throws(ServiceError) in try await self.answer(to: older)
                }
                if let answer { return answer }
            }
            throw error
        }
    }

    /// Returns the result of a request, or `nil` if it fails.
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

    /// Creates a WMS layer: one image per view, or tiles if ``/PortolanServices/WMSOptions/tiling`` is set.
    ///
    /// Version, CRS, format and URL are negotiated from the capabilities; see `WMSNegotiation`. If the capabilities
    /// contradict themselves about the axis order, version 1.1.1 is used if the service supports it, as it has only one
    /// order.
    ///
    /// With tiling, an existing tile set (WMS-C) of the service is used if it has the same layers in the same order,
    /// the same styles, an equivalent CRS and the requested format, and if no additional parameters change the content.
    /// Otherwise the client requests tiles on its own grid (``/PortolanGeo/TileGrid/powersOfTwo(in:tileSize:)``).
    /// Without tiling, no tile set is used: tiles would be resampled between their levels, while one image per view is
    /// exact.
    ///
    /// ```swift
    /// let (layer, warnings) = try await ServiceClient().wmsLayer(
    ///     named: "Depths", url: "https://maps.example.org/wms", options: WMSOptions(layers: ["depths"]))
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the layer on the map.
    ///   - url: the URL of the service.
    ///   - options: the options of the layer.
    ///   - mapCRS: the CRS of the map.
    ///   - extent: the area of interest in units of `mapCRS`, or `nil`.
    /// - Returns: the layer, and warnings about the negotiation.
    /// - Throws: ``MapError``.
    public func wmsLayer(
        named name: String, url: String, options: WMSOptions, mapCRS: CRS = .webMercator, around extent: Extent? = nil
    ) async throws(MapError) -> (layer: MapLayer, warnings: [MapWarning]) {
        do {
            return try await connectWMS(
                named: name, url: url, options: options, mapCRS: mapCRS, around: extent)
        } catch { throw MapError(error) }
    }

    /// Implements `wmsLayer` with the typed error `ServiceError`.
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
        layer.attributionLinks = template.attributions.compactMap { stated in
            AttributionLink(text: stated.title ?? "", address: stated.url ?? "")
        }
        layer.addQueries(source.request, of: chosen, baseURL: base, policy: options.urlPolicy)
        layer.addDimensions(source.request, of: chosen)
        guard let tiling = options.tiling else {
            // With tiles as the only option, a document may list tile sets without a request for them.
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
            // Stored tiles ignore times.
            layer.dimensions = []
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

    /// Returns tiles on the client's own grid, or `nil` if the layers cannot be tiled.
    private static func tiles(of source: WMSSource, tiling: WMSOptions.Tiling) -> TileSource? {
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
    /// Adds what the service offers in addition to images: bounds, feature info and legends.
    mutating func addQueries(
        _ request: GetMapRequest, of capabilities: WMSCapabilities, baseURL: BaseURL,
        policy: ServiceURLPolicy = .advertised
    ) {
        let boxes = request.layers.map { capabilities.layer(named: $0)?.geographicBox }
        // The bounds are unknown if one of the layers has none.
        if let first = boxes.first, let first, boxes.allSatisfy({ $0 != nil }) {
            bounds = LayerBounds(geographic: boxes.compactMap(\.self).reduce(first) { $0.union($1) })
        }
        featureInfo = WMSNegotiation.featureInfo(for: request, of: capabilities, baseURL: baseURL, policy: policy)
            .map { .wms($0) }
        legends = WMSNegotiation.legends(
            of: request.layers, styles: request.styles, version: request.version, in: capabilities, baseURL: baseURL,
            policy: policy)
    }

    /// Adds the dimensions of a service's layers: of several with the same name, the first.
    mutating func addDimensions(_ request: GetMapRequest, of capabilities: WMSCapabilities) {
        for dimension in request.layers.compactMap({ capabilities.layer(named: $0) }).flatMap(\.dimensions)
        where !dimensions.contains(where: { $0.name == dimension.name.lowercased() }) {
            let fixed = request.extraParameters.last { $0.name.uppercased() == dimension.parameterName }
            dimensions.append(LayerDimension(dimension, value: fixed?.value))
        }
    }
}
