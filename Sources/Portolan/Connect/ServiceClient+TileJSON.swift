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
        let (tiles, base) = try await describedTiles(at: url)
        guard !tiles.isVector else {
            throw ServiceError(.notOffered, url: url, detail: "its tiles hold vector data, which is not drawn")
        }
        guard
            let grid = TileGrid.webMercator(levels: tiles.levels, tileSize: tileSize ?? tiles.tileSize ?? 256),
            let first = tiles.tiles.first
        else { throw ServiceError(.notOffered, url: url, detail: "invalid tile size") }
        let template = try template(first, in: base, countsFromBottom: tiles.countsFromBottom)
        let extent = tiles.bounds.flatMap { GeographicBounds($0)?.extent(in: grid.crs) }
        var layer = MapLayer(
            name: name, source: TileSource(grid: grid, address: .xyz(template), extent: extent),
            attribution: tiles.attribution)
        layer.bounds = extent.map { LayerBounds($0, crs: grid.crs) }
        return (layer, tiles.warnings)
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
    func template(
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
