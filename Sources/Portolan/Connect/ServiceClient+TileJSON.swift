import PortolanGeo
public import PortolanPlan
public import PortolanServices
public import PortolanWeb

extension ServiceClient {
    /// Returns the TileJSON document at a URL.
    ///
    /// - Throws: ``MapError``.
    public func tileJSON(from url: String) async throws(MapError) -> TileJSONDocument {
        do { return try await readTileJSON(at: url) } catch { throw MapError(error) }
    }

    /// Implements `tileJSON` with the typed error `ServiceError`.
    package func readTileJSON(at url: String) async throws(ServiceError) -> TileJSONDocument {
        try await describedTiles(at: url).0
    }

    /// Creates a layer of the tiles that a TileJSON document describes: Web Mercator tiles within its bounds and
    /// levels.
    ///
    /// - Parameters:
    ///   - name: the name of the layer on the map.
    ///   - url: the URL of the document. Its templates may be relative to it.
    ///   - tileSize: the side length of a tile in pixels; `nil` for the size in the document, or 256.
    /// - Returns: the layer, and warnings about the document.
    /// - Throws: ``MapError``.
    public func tileJSONLayer(
        named name: String, url: String, tileSize: Int? = nil
    ) async throws(MapError) -> (layer: MapLayer, warnings: [MapWarning]) {
        do {
            return try await connectTileJSON(
                named: name, url: url, tileSize: tileSize)
        } catch { throw MapError(error) }
    }

    /// Implements `tileJSONLayer` with the typed error `ServiceError`.
    package func connectTileJSON(
        named name: String, url: String, tileSize: Int? = nil
    ) async throws(ServiceError) -> (layer: MapLayer, warnings: [MapWarning]) {
        let opened = try await openTileJSON(at: url, tileSize: tileSize)
        return (opened.layer(named: name), opened.warnings)
    }

    /// Opens the tiles that a document of TileJSON describes, images or vector tiles.
    ///
    /// - Parameter tileSize: the side of an image in pixels; what the document says when `nil`, or else 256.
    package func openTileJSON(at url: String, tileSize: Int? = nil) async throws(ServiceError) -> OpenedTiles {
        if VectorTileServer.isLikely(at: url) { return try await openVectorTileServer(at: url) }
        let (tiles, base) = try await describedTiles(at: url)
        return try opened(tiles, in: base, tileSize: tileSize)
    }

    /// The tiles of a document.
    func opened(
        _ tiles: TileJSONDocument, in base: BaseURL, tileSize: Int? = nil
    ) throws(ServiceError) -> OpenedTiles {
        let size = tiles.isVector ? OpenedTiles.vectorTileSize : tileSize ?? tiles.tileSize ?? 256
        guard let grid = TileGrid.webMercator(levels: tiles.levels, tileSize: size), let first = tiles.tiles.first
        else {
            throw ServiceError(.notOffered, url: base.url, detail: "its tiles have no usable size")
        }
        let template = try template(first, in: base, countsFromBottom: tiles.countsFromBottom)
        let extent = tiles.bounds.flatMap { GeographicBounds($0)?.extent(in: grid.crs) }
        var source = TileSource(grid: grid, address: .xyz(template), extent: extent)
        if tiles.isVector { source.emptyStatuses = OpenedTiles.emptyStatuses }
        return OpenedTiles(
            tiles: source, isVector: tiles.isVector, isMLT: tiles.encoding == "mlt", encoding: tiles.encoding,
            name: tiles.name,
            attribution: tiles.attribution, attributionLinks: tiles.attributionLinks,
            bounds: extent.map { LayerBounds($0, crs: grid.crs) },
            vectorLayers: tiles.vectorLayers, warnings: tiles.warnings)
    }

    private func describedTiles(at url: String) async throws(ServiceError) -> (TileJSONDocument, BaseURL) {
        let (members, base) = try await members(at: NamedURL(url, namedBy: origin))
        guard let tiles = TileJSONDocument(members) else {
            throw ServiceError(.unreadable, url: url, detail: "no tile URLs in the document; it is not TileJSON")
        }
        return (tiles, base)
    }

    /// Returns the absolute form of a template in a document, with the caller's parameters for the host of the
    /// document.
    package func template(
        _ text: String, in base: BaseURL, values: [String: String] = [:], countsFromBottom: Bool = false
    ) throws(ServiceError) -> XYZTemplate {
        let place = TemplateLocation(base)
        if let refusal = place.refusal(of: text) {
            throw ServiceError(
                .notOffered, url: base.url, detail: "not allowed to request its tile template: \(refusal)")
        }
        do {
            return try XYZTemplate(
                place.whole(text), values: values, countsFromBottom: countsFromBottom, namedBy: base.contents)
        } catch { throw ServiceError(.notOffered, url: base.url, detail: "its tile template: \(error)") }
    }
}
