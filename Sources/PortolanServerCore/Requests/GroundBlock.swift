import Portolan
import PortolanFeatures
package import PortolanGeo
import PortolanPlan
import PortolanRaster

/// A rectangle of small squares of a map at any resolution, from which a viewer page composes its view.
///
/// The squares have 64 view pixels per side and are counted from the top left of the world of the map's CRS. A page
/// requests each once, in blocks that cover what it lacks. Labels are placed by cells as on tiles, so that blocks match
/// at their borders.
package struct GroundBlock: Hashable, Sendable {
    /// The side length of a square in view pixels.
    package static let unit = 64

    /// The resolution in map units per view pixel.
    package var resolution: Resolution
    /// The first column and row.
    package var column: Int, row: Int
    /// The number of columns and rows.
    package var columns: Int, rows: Int
    /// The pixel ratio, a multiple of a quarter.
    package var ratio: Double
    /// The image format.
    package var format: ServedFormat
    /// The quality of a lossy WebP, or `nil` for a lossless image.
    package var quality: Int?
    /// The indices of the map's layers that are switched off.
    package var hidden: Set<Int> = []

    /// Parses `resolution`, `x`, `y`, `columns`, `rows`, `ratio`, `format`, `quality` and `off`.
    ///
    /// - Throws: ``Problem`` with the key.
    package init(_ query: Query) throws(Problem) {
        func text(_ key: String) throws(Problem) -> String {
            guard let text = query[key] else { throw Problem(.badRequest, "missing '\(key)'", key: key) }
            return text
        }
        guard let resolution = Resolution(unitsPerPixel: try RequestText.number(try text("resolution"), "resolution"))
        else { throw Problem(.badRequest, "the resolution must be positive", key: "resolution") }
        self.resolution = resolution
        column = try RequestText.whole(try text("x"), "x")
        row = try RequestText.whole(try text("y"), "y")
        columns = try RequestText.whole(try text("columns"), "columns")
        rows = try RequestText.whole(try text("rows"), "rows")
        ratio = try RequestText.number(try text("ratio"), "ratio")
        // Rejects huge numbers before a sum could overflow.
        guard max(column, row) < 1 << 40 else {
            throw Problem(.notFound, "there is no such block at this resolution", key: "x")
        }
        let squares = 1...64
        guard squares.contains(columns), squares.contains(rows) else {
            throw Problem(.badRequest, "a block has 1 to 64 columns and rows", key: "columns")
        }
        guard (0.25...4).contains(ratio), (ratio * 4).rounded() == ratio * 4 else {
            throw Problem(.badRequest, "the ratio must be a multiple of 0.25 up to 4", key: "ratio")
        }
        let name = query["format"] ?? "png"
        guard let format = ServedFormat(name: name), ServedFormat.allCases.contains(format), format.hasPixels else {
            throw Problem(.badRequest, "unknown format '\(name)'; available: png, jpg, webp", key: "format")
        }
        self.format = format
        if let text = query["quality"] {
            let quality = try RequestText.whole(text, "quality")
            guard (1...100).contains(quality) else {
                throw Problem(.badRequest, "the quality must be 1 to 100", key: "quality")
            }
            self.quality = quality
        }
        for part in (query["off"] ?? "").split(separator: ",") { hidden.insert(try RequestText.whole(part, "off")) }
    }

    /// Returns the area in which the squares of a CRS are counted: its world, or else a square around its origin.
    package static func area(of crs: CRS) -> Extent? {
        if let world = crs.worldExtent { return world }
        let half = 2 * (CRS.webMercator.worldWidth ?? 4e7) / crs.metersPerUnit
        return Extent(minX: -half, minY: -half, maxX: half, maxY: half)
    }

    /// Returns the grid of squares at a resolution.
    private static func grid(of crs: CRS, _ resolution: Resolution) -> TileGrid? {
        area(of: crs).flatMap { area in
            TileGrid(
                crs: crs, extent: area, resolutions: [resolution], tileWidth: unit, tileHeight: unit,
                originCorner: .topLeft)
        }
    }

    /// Returns the picture request for the block of a map.
    ///
    /// - Parameter labelReach: the distance that a label may extend beyond its label cell, in view pixels.
    /// - Throws: ``Problem`` if the map has no such square or layer.
    package func picture(of map: PublishedMap, labelReach: Int) throws(Problem) -> PictureRequest {
        guard let grid = Self.grid(of: map.crs, resolution) else {
            throw Problem(.badRequest, "the resolution is too fine", key: "resolution")
        }
        guard let first = grid.tile(level: 0, column: column, row: row),
            let last = grid.tile(level: 0, column: column + columns - 1, row: row + rows - 1),
            let one = grid.extent(of: first), let extent = grid.extent(of: last).map({ one.union($0) })
        else { throw Problem(.notFound, "there is no such block at this resolution", key: "x") }
        guard let size = ImageSize(width: columns * Self.unit, height: rows * Self.unit),
            let viewport = try? Viewport(
                center: extent.center, resolution: resolution, size: size, pixelRatio: ratio, crs: map.crs)
        else { throw Problem(.notFound, "the resolution is too fine", key: "resolution") }
        guard hidden.allSatisfy(map.layers.indices.contains) else {
            throw Problem(.badRequest, "the map has \(map.layers.count) layers", key: "off")
        }
        let off = hidden.sorted().map(String.init).joined(separator: ",")
        var layers = map.layers
        for index in hidden { layers[index].isVisible = false }
        var picture = PictureRequest(of: map, layers: layers, in: viewport, as: format, key: "ground \(off)")
        picture.quality = quality
        if map.placesLabels, labelReach > 0 {
            picture.tile = TilePosition(
                id: "squares \(resolution.unitsPerPixel)", grid: grid, level: 0, column: column, row: row,
                columns: columns, rows: rows, ratio: ratio, reach: labelReach)
        }
        return picture
    }
}
