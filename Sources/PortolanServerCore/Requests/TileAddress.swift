import PortolanGeo
import PortolanPlan
import PortolanRaster

/// The tile that a path names: `{map}[/{tms}]/{z}/{x}/{y}[@{r}x].{format}`.
package struct TileAddress: Hashable, Sendable, CustomStringConvertible {
    /// The name of the map.
    package var map: String
    /// The identifier of the grid.
    package var grid: String
    /// The level.
    package var level: Int
    /// The column.
    package var column: Int
    /// The row.
    package var row: Int
    /// Whether rows are counted from the south.
    package var isFromBelow: Bool
    /// How dense the tile is, 1 to 4.
    package var ratio: Int
    /// The format.
    package var format: ServedFormat

    /// Reads the parts of a path.
    ///
    /// - Parameter isFromBelow: whether rows are counted from the south, as in TMS.
    /// - Throws: ``Problem`` that names the part.
    package init(_ path: some Collection<String>, isFromBelow: Bool = false) throws(Problem) {
        let parts = Array(path)
        guard parts.count == 4 || parts.count == 5 else {
            throw Problem(.notFound, "a tile is at {map}[/{grid}]/{z}/{x}/{y}[@2x].png")
        }
        let last = parts.count - 1
        map = parts[0]
        grid = parts.count == 5 ? parts[1] : "WebMercatorQuad"
        level = try RequestText.whole(parts[last - 2], "z")
        column = try RequestText.whole(parts[last - 1], "x")
        let file = try RequestText.file(parts[last])
        row = try RequestText.whole(file.name, "y")
        guard file.format.hasPixels else {
            throw Problem(.badRequest, "a tile is a png, jpg or webp", key: "format")
        }
        (ratio, format) = (file.ratio, file.format)
        self.isFromBelow = isFromBelow
    }

    /// A tile of a grid, as services name it.
    package init(grid: String, level: Int, column: Int, row: Int, format: ServedFormat) {
        (map, isFromBelow, ratio) = ("", false, 1)
        (self.grid, self.level, self.column, self.row, self.format) = (grid, level, column, row, format)
    }

    /// The level, column and row.
    package var description: String { "\(level)/\(column)/\(row)" }

    /// The tile of a map.
    ///
    /// - Parameters:
    ///   - labelReach: how far a label may lie beyond the cell of tiles that it belongs to, in view pixels; 0 has the labels of
    ///     each tile end at its border.
    ///   - key: what tells the map's layers from others of it.
    /// - Throws: ``Problem`` where there is no such grid or tile.
    package func picture(
        of map: PublishedMap, labelReach: Int, key: String = "tile"
    ) throws(Problem) -> PictureRequest {
        guard let grid = ServedTileGrid.named(grid) else {
            let names = ServedTileGrid.all.map(\.id).joined(separator: ", ")
            throw Problem(.notFound, "there is no grid '\(grid)'; there are: \(names)", key: "tms")
        }
        guard map.zooms.contains(level) else {
            throw Problem(
                .notFound, "the map has the levels \(map.zooms.lowerBound) to \(map.zooms.upperBound)", key: "z")
        }
        guard let tile = grid.tile(level, column, row, isFromBelow: isFromBelow) else {
            throw Problem(.notFound, "there is no tile \(column), \(row) at level \(level)", key: "x, y")
        }
        let side = grid.grid.matrices[level].tileWidth
        guard let size = ImageSize(width: side, height: side),
            let viewport = try? Viewport(
                center: tile.extent.center, resolution: tile.resolution, size: size, pixelRatio: Double(ratio),
                crs: grid.grid.crs)
        else { throw Problem(.notFound, "level \(level) is too fine to be drawn here", key: "z") }
        var picture = PictureRequest(of: map, in: viewport, as: format, key: key)
        picture.background = format == .jpg ? .white : .clear
        if map.placesLabels, labelReach > 0 {
            let top = isFromBelow ? grid.grid.matrices[level].rowCount - 1 - row : row
            picture.tile = TilePosition(
                grid: grid.id, level: level, column: column, row: top, ratio: ratio, reach: labelReach)
        }
        return picture
    }
}
