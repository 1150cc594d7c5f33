package import Portolan
package import PortolanGeo

/// The tiles of a map in a range of zoom levels that touch an extent.
///
/// They are numbered from 0: the lowest level first, and each level row by row from the north.
package struct TilePyramid: Sendable {
    /// The map.
    package let map: PublishedMap
    /// The tile range of each level.
    package let ranges: [TileGrid.TileRange]
    /// The number of tiles.
    package let count: Int

    private let grid: ServedTileGrid
    private let format: ServedFormat
    private let ratio: Int

    /// Finds the tiles.
    ///
    /// - Parameters:
    ///   - grid: the identifier of the grid.
    ///   - levels: the zoom levels, or `nil` for all levels of the map.
    ///   - degrees: the extent in degrees, or `nil` for that of the map.
    /// - Throws: ``Problem`` if there is no such tile.
    package init(
        of map: PublishedMap, grid: String = "WebMercatorQuad", levels: ClosedRange<Int>? = nil,
        degrees: Extent? = nil, format: ServedFormat = .png, ratio: Int = 1
    ) throws(Problem) {
        let levels = levels ?? map.zooms
        guard let served = ServedTileGrid.named(grid) else {
            let names = ServedTileGrid.all.map(\.id).joined(separator: ", ")
            throw Problem(.notFound, "unknown grid '\(grid)'; available: \(names)", key: "grid")
        }
        guard map.zooms.contains(levels.lowerBound), map.zooms.contains(levels.upperBound),
            levels.upperBound < served.grid.matrices.count
        else {
            throw Problem(
                .notFound, "the map has the levels \(map.zooms.lowerBound) to \(map.zooms.upperBound)", key: "zooms")
        }
        let isMercator = served.grid.crs.hasCoordinates(of: .webMercator), north = isMercator ? 85.05112 : 90
        let world = Extent(minX: -180, minY: -north, maxX: 180, maxY: north)
        guard let world, let shown = (degrees ?? map.bounds ?? world).intersection(world),
            let transform = try? CoordinateTransform(from: .crs84, to: served.grid.crs),
            let extent: Extent = transform(shown)
        else { throw Problem(.notFound, "no tiles in this extent", key: "bbox") }
        ranges = levels.compactMap { served.grid.tiles(level: $0, in: extent) }
        count = ranges.reduce(0) { $0 + $1.count }
        guard count > 0 else { throw Problem(.notFound, "no tiles in this extent", key: "bbox") }
        (self.map, self.grid, self.format, self.ratio) = (map, served, format, ratio)
    }

    /// Returns the tile at an index below ``count``.
    package func tile(_ number: Int) -> TileAddress {
        var rest = number, range = ranges[0]
        for next in ranges {
            range = next
            if rest < next.count { break }
            rest -= next.count
        }
        let (row, column) = rest.quotientAndRemainder(dividingBy: range.columns.count)
        var tile = TileAddress(
            grid: grid.id, level: range.level, column: range.columns.lowerBound + column,
            row: range.rows.lowerBound + row, format: format)
        (tile.map, tile.ratio) = (map.name, ratio)
        return tile
    }

    /// Returns the picture request for the tile at an index below ``count``, as a server with the same settings renders
    /// it.
    package func picture(_ number: Int, labelReach: Int) throws(Problem) -> PictureRequest {
        try tile(number).picture(of: map, labelReach: labelReach)
    }

    /// Returns a hexadecimal identifier of these tiles and the current state of the map.
    package func name(labelReach: Int) throws(Problem) -> String {
        let levels = ranges.map { "\($0.level) \($0.columns) \($0.rows)" }
        return EntityTag(of: [try picture(0, labelReach: labelReach).identity.text] + levels).text
    }

    /// The first layer provider whose terms forbid bulk requests of this size.
    package var refusal: TileSeeder.BulkPolicy.Refusal? {
        for source in map.layers.compactMap(\.tiles) {
            guard let matrix = source.grid.matrices.first,
                let tile = source.grid.tile(level: 0, column: matrix.columns.lowerBound, row: matrix.rows.lowerBound),
                case .url(let url)? = source.location(of: tile),
                let refusal = TileSeeder.BulkPolicy.refusal(of: url.text)
            else { continue }
            return refusal
        }
        return nil
    }
}
