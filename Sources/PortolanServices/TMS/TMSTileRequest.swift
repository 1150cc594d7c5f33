package import PortolanGeo
package import PortolanWeb

/// A request template for the tiles of a Tile Map Service map.
public struct TMSTileRequest: Hashable, Sendable {
    /// The map.
    package let map: TMSTileMap
    /// The grid of its tiles, with the map's origin as its corner.
    package let grid: TileGrid
    /// The origin of the URLs.
    package let origin: NamedURL.Origin
    /// The URL prefixes of tiles, for each level of ``grid``.
    private let stems: [String]
    /// The URL suffix of tiles: the query of the map's own URL, for example a key.
    private let suffix: String

    /// Creates the request template of a map.
    ///
    /// - Parameters:
    ///   - document: the URL of the map's document, the base of relative URLs. Its query is added to tile URLs on the
    ///     same host.
    ///   - orders: the levels to use, by ``TMSTileMap/TileSet/order``; `nil` for all.
    package init(map: TMSTileMap, document: BaseURL, orders: ClosedRange<Int>? = nil) throws(TMSError) {
        let crs: CRS
        do { crs = try CRS(map.crsName) } catch { throw .crs(error.description) }
        let rule = AdvertisedAddress(document: document, subject: "tiles", dropping: [])
        let base = rule.base
        origin = document.contents
        var levels: [(matrix: TileGrid.Matrix, stem: String)] = []
        for set in map.tileSets where orders?.contains(set.order) ?? true {
            guard let matrix = Self.matrix(of: set, in: map, crs: crs) else { continue }
            // URLs in a private network are requested at the host of the document.
            guard let stem = rule.resource(base.resolving(set.href), note: { _ in }) else { continue }
            levels.append((matrix, stem.text))
        }
        levels.sort { $0.matrix.resolution > $1.matrix.resolution }
        guard
            let grid = TileGrid(
                crs: crs, originCorner: map.isCountedFromAbove ? .topLeft : .bottomLeft, matrices: levels.map(\.matrix))
        else {
            throw .noTiles
        }
        self.map = map
        self.grid = grid
        stems = levels.map(\.stem)
        let query = base.query(without: [])
        let isSameHost = stems.allSatisfy { ServiceURL($0).host == base.host && !$0.contains("?") }
        let ending = map.fileExtension.isEmpty ? "" : "." + PercentEncoding.pathPart(map.fileExtension)
        suffix = ending + (query.isEmpty || !isSameHost ? "" : "?" + query)
    }

    private static func matrix(of set: TMSTileMap.TileSet, in map: TMSTileMap, crs: CRS) -> TileGrid.Matrix? {
        var resolution = set.resolution
        let width = Double(map.tileWidth) * resolution.unitsPerPixel
        let height = Double(map.tileHeight) * resolution.unitsPerPixel
        guard let covered = map.extent ?? crs.worldExtent,
            let columns = count((covered.maxX - map.origin.x) / width),
            let rows = count(
                (map.isCountedFromAbove ? map.origin.y - covered.minY : covered.maxY - map.origin.y) / height)
        else { return nil }
        if let world = crs.worldWidth, abs(Double(columns) * width / world - 1) < 1e-6 {
            // The tiles span the whole world, and the document has a rounded resolution.
            resolution =
                Resolution(unitsPerPixel: world / Double(columns) / Double(map.tileWidth)) ?? resolution
        }
        return TileGrid.Matrix(
            id: String(set.order), resolution: resolution, tileWidth: map.tileWidth, tileHeight: map.tileHeight,
            origin: map.origin, columnCount: columns, rowCount: rows)
    }

    private static func count(_ tiles: Double) -> Int? {
        let whole = (tiles - 1e-6).rounded(.up)
        guard whole.isFinite, whole >= 1, whole <= Double(1 << 31) else { return nil }
        return Int(whole)
    }

    /// Returns the URL of a referenced document.
    ///
    /// The query is added for the same host.
    ///
    /// - Returns: `nil` if the document may not access it.
    package static func address(of reference: TMSReference, from document: BaseURL) -> NamedURL? {
        let rule = AdvertisedAddress(document: document, subject: "tiles", dropping: [])
        let slash = reference.href.hasSuffix("/") ? "/" : ""
        let named = rule.base.resolving(reference.href) + slash
        return rule.resource(named, note: { _ in }).map { document.names(rule.withParameters($0).text) }
    }

    /// Returns the URL of a tile of ``grid``, or `nil` if the grid does not have the tile.
    package func url(for tile: TileIndex) -> String? {
        guard stems.indices.contains(tile.level),
            grid.tile(level: tile.level, column: tile.column, row: tile.row) != nil
        else { return nil }
        return "\(stems[tile.level])/\(tile.column)/\(tile.row)\(suffix)"
    }
}
