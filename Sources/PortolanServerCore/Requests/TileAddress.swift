import PortolanGeo
import PortolanPlan
import PortolanRaster

/// The address of a tile in a URL path: `{map}[/{tms}]/{z}/{x}/{y}[@{r}x].{format}`.
package struct TileAddress: Hashable, Sendable, CustomStringConvertible {
    /// The name of the map.
    package var map: String
    /// The identifier of the grid.
    package var grid: String
    /// The zoom level.
    package var level: Int
    /// The column.
    package var column: Int
    /// The row.
    package var row: Int
    /// Whether rows are counted from the south.
    package var isFromBelow: Bool
    /// The pixel ratio of the tile, 1 to 4.
    package var ratio: Int
    /// The image format.
    package var format: ServedFormat

    /// Parses path components.
    ///
    /// - Parameter isFromBelow: whether rows are counted from the south, as in TMS.
    /// - Throws: ``Problem`` with the invalid component.
    package init(_ path: some Collection<String>, isFromBelow: Bool = false) throws(Problem) {
        let parts = Array(path)
        guard parts.count == 4 || parts.count == 5 else {
            throw Problem(.notFound, "the path of a tile is {map}[/{grid}]/{z}/{x}/{y}[@2x].png")
        }
        let last = parts.count - 1
        map = parts[0]
        grid = parts.count == 5 ? parts[1] : "WebMercatorQuad"
        level = try RequestText.whole(parts[last - 2], "z")
        column = try RequestText.whole(parts[last - 1], "x")
        let file = try RequestText.file(parts[last])
        row = try RequestText.whole(file.name, "y")
        guard file.format.hasPixels else {
            throw Problem(.badRequest, "unknown format; tiles are png, jpg and webp", key: "format")
        }
        (ratio, format) = (file.ratio, file.format)
        self.isFromBelow = isFromBelow
    }

    /// Creates the address of a tile in a grid, without a map.
    package init(grid: String, level: Int, column: Int, row: Int, format: ServedFormat) {
        (map, isFromBelow, ratio) = ("", false, 1)
        (self.grid, self.level, self.column, self.row, self.format) = (grid, level, column, row, format)
    }

    /// The zoom level, column and row.
    package var description: String { "\(level)/\(column)/\(row)" }

    /// Returns the picture request for the tile of a map.
    ///
    /// - Parameters:
    ///   - labelReach: the distance that a label may extend beyond its label cell, in view pixels; 0 clips labels at
    ///     the tile border.
    ///   - key: distinguishes the map's layers from other selections of layers.
    /// - Throws: ``Problem`` if there is no such grid or tile.
    package func picture(
        of map: PublishedMap, labelReach: Int, key: String = "tile"
    ) throws(Problem) -> PictureRequest {
        guard let grid = ServedTileGrid.named(grid) else {
            let names = ServedTileGrid.all.map(\.id).joined(separator: ", ")
            throw Problem(.notFound, "unknown grid '\(grid)'; available: \(names)", key: "tms")
        }
        guard map.zooms.contains(level) else {
            throw Problem(
                .notFound, "the map has the levels \(map.zooms.lowerBound) to \(map.zooms.upperBound)", key: "z")
        }
        guard let tile = grid.tile(level, column, row, isFromBelow: isFromBelow) else {
            throw Problem(.notFound, "tile \(column), \(row) does not exist at level \(level)", key: "x, y")
        }
        let side = grid.grid.matrices[level].tileWidth
        guard let size = ImageSize(width: side, height: side),
            let viewport = try? Viewport(
                center: tile.extent.center, resolution: tile.resolution, size: size, pixelRatio: Double(ratio),
                crs: grid.grid.crs)
        else { throw Problem(.notFound, "level \(level) is too fine", key: "z") }
        var picture = PictureRequest(of: map, in: viewport, as: format, key: key)
        picture.background = format == .jpg ? .white : .clear
        if map.placesLabels, labelReach > 0 {
            let top = isFromBelow ? grid.grid.matrices[level].rowCount - 1 - row : row
            picture.tile = TilePosition(
                id: grid.id, grid: grid.grid, level: level, column: column, row: top, ratio: Double(ratio),
                reach: labelReach)
        }
        return picture
    }
}
