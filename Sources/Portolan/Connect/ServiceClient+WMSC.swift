import PortolanCodecs
public import PortolanGeo
public import PortolanPlan
import PortolanServices
import PortolanWeb

extension ServiceClient {
    /// Creates a layer of a WMS-C tile set that the service advertises.
    ///
    /// The capabilities of version 1.1.1 are requested with `tiled=true` first, then without. For a grid that does not
    /// cover the world in whole tiles, one sample tile is requested. Some services list grids that they count from the
    /// top left, or with a wrong corner, and reject each tile that follows the recommendation. Such a set is counted
    /// from the top left. If these tiles are rejected as well, the layers are drawn as a plain WMS in the CRS of the
    /// set.
    ///
    /// - Throws: ``MapError``.
    public func wmscLayer(
        named name: String, url: String, options choice: TileSetOptions, mapCRS: CRS = .webMercator
    ) async throws(MapError) -> (layer: MapLayer, warnings: [MapWarning]) {
        do {
            return try await connectTileSet(
                named: name, url: url, options: choice, mapCRS: mapCRS)
        } catch { throw MapError(error) }
    }

    /// Implements `wmscLayer` with the typed error `ServiceError`.
    package func connectTileSet(
        named name: String, url: String, options choice: TileSetOptions, mapCRS: CRS = .webMercator
    ) async throws(ServiceError) -> (layer: MapLayer, warnings: [MapWarning]) {
        let (offered, base) = try await naming(NamedURL(url, namedBy: origin), wanted: .wms) {
            () throws(ServiceError) in
            try await capabilitiesWithTileSets(of: url)
        }
        var crs: CRS?
        if let crsName = choice.crsName {
            do { crs = try CRS(crsName) } catch { throw ServiceError(.crs(error), url: url) }
        }
        let set: WMSCTileSet, address: NamedURL, request: WMSCTileSet.TileRequest
        do {
            set = try WMSCTileSet.select(
                from: offered.tileSets, layers: choice.layers, styles: choice.styles, format: choice.format, crs: crs,
                mapCRS: mapCRS)
        } catch { throw ServiceError(.wmsc(error), url: url) }
        do { address = try WMSNegotiation.mapAddress(of: offered, baseURL: base, policy: .advertised) } catch {
            throw ServiceError(.wms(error), url: url)
        }
        do { request = try WMSCTileSet.TileRequest(tileSet: set, baseURL: address) } catch {
            throw ServiceError(.wmsc(error), url: url)
        }
        let (source, warnings) = try await confirmed(request)
        if let source {
            let titles = choice.layers.compactMap { offered.layer(named: $0)?.attribution?.title }
            var layer = MapLayer(
                name: name, source: source, attribution: titles.isEmpty ? nil : titles.joined(separator: ", "))
            layer.bounds = request.tileSet.extent.map { LayerBounds($0, crs: request.grid.crs) }
            if let picture = request.picture { layer.addQueries(picture, of: offered, baseURL: base) }
            return (layer, offered.warnings + warnings)
        }
        let options = WMSOptions(
            layers: choice.layers, styles: request.tileSet.styles, crsName: request.tileSet.crsName,
            format: request.tileSet.format)
        let plain = try await connectWMS(named: name, url: url, options: options, mapCRS: mapCRS)
        return (plain.layer, warnings + plain.warnings)
    }

    /// Returns the tile set that matches a template, with warnings, or `nil` if none exists.
    func tileSource(
        matching template: WMSMapTemplate, options: WMSOptions, url: String, mapCRS: CRS
    ) async throws(ServiceError) -> (TileSource, warnings: [MapWarning])? {
        // Existing tiles ignore times, backgrounds and other parameters.
        guard options.extraParameters.isEmpty,
            let (offered, base) = try await Self.unlessFailing({ () throws(ServiceError) in
                try await capabilitiesWithTileSets(of: url)
            })
        else { return nil }
        let fitting = offered.tileSets.filter { set in
            set.crs?.hasCoordinates(of: template.crs) == true
                && (options.format != nil || !options.isTransparent
                    || WMSCapabilities.Format(set.format).hasTransparency
                    || set.layers.contains { offered.layer(named: $0)?.isOpaque == true })
        }
        guard
            let set = try? WMSCTileSet.select(
                from: fitting, layers: template.layers, styles: template.styles,
                format: options.format == nil ? nil : template.format, mapCRS: mapCRS),
            let address = try? WMSNegotiation.mapAddress(of: offered, baseURL: base, policy: options.urlPolicy),
            let request = try? WMSCTileSet.TileRequest(tileSet: set, baseURL: address)
        else { return nil }
        let (source, warnings) = try await confirmed(request)
        guard let source else { return nil }
        return (source, warnings)
    }

    /// Returns the capabilities with tile sets, requested with `tiled=true` first.
    ///
    /// If the service rejects the parameter, or lists tile sets without it, the parameter is omitted.
    private func capabilitiesWithTileSets(
        of url: String
    ) async throws(ServiceError) -> (capabilities: WMSCapabilities, base: BaseURL) {
        do {
            let offered = try await described(by: url, withTileSets: true)
            if !offered.capabilities.tileSets.isEmpty { return offered }
        } catch {
            guard error.code != .cancelled else { throw error }
        }
        return try await described(by: url, version: .v1_1_1)
    }

    /// Returns the tile set in the row order that the service accepts, or `nil` if it rejects both.
    private func confirmed(
        _ request: WMSCTileSet.TileRequest
    ) async throws(ServiceError) -> (source: TileSource?, warnings: [MapWarning]) {
        let crsName = request.tileSet.crsName
        guard !Self.isCertain(request.grid), let refusal = try await refusal(of: request) else {
            return (TileSource(request), [])
        }
        var set = request.tileSet
        set.originCorner = .topLeft
        let above = try? WMSCTileSet.TileRequest(
            tileSet: set, baseURL: request.baseURL, isTiled: request.isTiled, isTransparent: request.isTransparent,
            extraParameters: request.extraParameters)
        if let above, try await self.refusal(of: above) == nil {
            return (
                TileSource(above),
                [
                    MapWarning(
                        .service,
                        message:
                            "the service counts the tiles of the set in \(crsName) from the top left, contrary to the recommendation; "
                            + "requests do the same")
                ]
            )
        }
        return (
            nil,
            [
                MapWarning(
                    .service,
                    message:
                        "the service refuses the tiles of its own set in \(crsName) (\(refusal)); using plain WMS")
            ]
        )
    }

    /// Returns whether tile positions are the same in both row orders: each level covers the whole world in whole tiles.
    static func isCertain(_ grid: TileGrid) -> Bool {
        guard let world = grid.crs.worldExtent else { return false }
        return grid.matrices.allSatisfy { matrix in
            let pixel = matrix.resolution.unitsPerPixel
            return abs(matrix.origin.x - world.minX) < pixel && abs(matrix.origin.y - world.minY) < pixel
                && abs(Double(matrix.rowCount) * matrix.tileSpanY - world.height) < pixel
        }
    }

    /// Returns the exception for one tile in the middle of the grid, or `nil` if the service returns the tile or cannot
    /// be reached.
    private func refusal(of request: WMSCTileSet.TileRequest) async throws(ServiceError) -> ServiceException? {
        guard let tile = Self.sampleTile(of: request), let exact = request.request(for: tile)?.address,
            let refusal = try await refusal(at: exact)
        else { return nil }
        guard let inner = request.innerRequest(for: tile)?.address else { return refusal }
        return try await self.refusal(at: inner) == nil ? nil : refusal
    }

    private func refusal(at url: NamedURL) async throws(ServiceError) -> ServiceException? {
        do throws(ServiceError) {
            try await fresh(at: url) { response throws(ServiceError) in
                let type = response.header("Content-Type")
                guard ImageFormat(recognizing: response.body) == nil,
                    let exception = ServiceExceptionReader.read(response.body, contentType: type)
                else { return }
                throw ServiceError(.exception(exception, status: response.status), url: url.text)
            }
            return nil
        } catch {
            if error.code == .cancelled { throw error }
            // An HTML page is about the route to the service, not about the tile.
            return [.html, .xml].contains(error.exception?.shape) ? nil : error.exception
        }
    }

    /// Returns a tile in the middle of the coarsest level with several rows.
    ///
    /// Levels whose extent is not a whole number of tiles high are preferred, as they reveal a wrong row order.
    package static func sampleTile(of request: WMSCTileSet.TileRequest) -> TileIndex? {
        let grid = request.grid
        let height = (request.tileSet.extent ?? grid.crs.worldExtent)?.height ?? 0
        func isUneven(_ matrix: TileGrid.Matrix) -> Bool {
            let tiles = height / matrix.tileSpanY
            return matrix.rowCount > 1 && abs(tiles - tiles.rounded()) > 1 / Double(matrix.tileHeight)
        }
        let level =
            grid.matrices.firstIndex(where: isUneven) ?? grid.matrices.firstIndex { $0.rowCount > 1 } ?? 0
        let matrix = grid.matrices[level]
        return grid.tile(level: level, column: matrix.columnCount / 2, row: matrix.rowCount / 2)
    }
}
