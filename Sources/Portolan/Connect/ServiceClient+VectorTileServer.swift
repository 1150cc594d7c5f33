import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanServices
import PortolanWeb

/// The addresses of ArcGIS services of vector tiles.
enum VectorTileServer {
    /// Whether an address is that of a `VectorTileServer`.
    static func isLikely(at url: String) -> Bool {
        url.prefix { $0 != "?" && $0 != "#" }.lowercased().contains("/vectortileserver")
    }
}

extension ServiceClient {
    /// Opens the tiles of an ArcGIS `VectorTileServer` (ArcGIS REST API, "Vector Tile Service").
    package func openVectorTileServer(at url: String) async throws(ServiceError) -> OpenedTiles {
        let place = ServiceURL(url)
        var path = place.withoutQuery
        // Styles name the service, and their own address below it.
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        if let end = parts.firstIndex(where: { $0.lowercased() == "vectortileserver" }) {
            path = parts[...end].joined(separator: "/")
        }
        let query = place.query(without: ["F"])
        let address = NamedURL(path + "?" + (query.isEmpty ? "" : query + "&") + "f=json", namedBy: origin)
        let (members, base) = try await members(at: address)
        guard let template = members["tiles"]?.arrayValue?.first?.stringValue else {
            throw ServiceError(
                .unreadable, url: url, detail: "not an ArcGIS VectorTileServer: the document has no tile template")
        }
        let service = ArcGISService(members, isImageService: false)
        var grid = service?.grid
        if grid.map({ $0.crs.hasCoordinates(of: .webMercator) }) ?? true {
            // The levels of web mercator are those of XYZ tiles.
            let last = members["maxzoom"]?.integerValue ?? (grid?.matrices.count).map { $0 - 1 } ?? 16
            grid = TileGrid.webMercator(
                levels: 0...min(max(last, 0), 24), tileSize: OpenedTiles.vectorTileSize)
        }
        guard let grid else { throw ServiceError(.notOffered, url: url, detail: "its tiles have no usable grid") }
        // Templates are relative to the service, as to a folder.
        let whole = template.contains("://") ? template : path + "/" + template + (query.isEmpty ? "" : "?" + query)
        var tiles = TileSource(
            grid: grid, address: .xyz(try self.template(whole, in: base)), extent: service?.extent)
        tiles.emptyStatuses = OpenedTiles.emptyStatuses
        let name = members["name"]?.stringValue.map { ReadableText.line($0, limit: 500) } ?? ""
        return OpenedTiles(
            tiles: tiles, isVector: true, name: name, attribution: service?.attribution,
            bounds: service?.extent.map { LayerBounds($0, crs: grid.crs) }, warnings: service?.warnings ?? [])
    }
}
