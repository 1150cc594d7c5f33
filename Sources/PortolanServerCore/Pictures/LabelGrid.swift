import PortolanGeo
import PortolanPlan
import PortolanRaster

/// A grid of cells of several tiles each, in which the labels of a zoom level are placed.
///
/// The labels of a cell depend on the cell alone, whichever tile is requested first, so that a label is complete across
/// all tiles that it touches.
struct LabelGrid: Sendable {
    /// A cell by column and row.
    ///
    /// If the world repeats in x, columns continue beyond it.
    struct Cell: Hashable, Sendable {
        let column: Int, row: Int

        /// The precedence of neighbouring cells where their labels collide.
        ///
        /// No two neighbours have the same rank.
        var rank: Int { (column & 1) * 2 + (row & 1) }
    }

    /// The approximate side length of a cell, in view pixels.
    private static let side = 1024

    /// The distance that a label may extend beyond its cell, in view pixels.
    let reach: Int
    /// The margin around a cell of the view in which labels are placed, in view pixels.
    var margin: Int { 2 * reach }
    private let matrix: TileGrid.Matrix
    private let crs: CRS
    private let ratio: Double
    /// The number of tiles per cell.
    private let span: (columns: Int, rows: Int)
    private let columnCount: Int, rowCount: Int
    private let repeats: Bool

    /// Creates the grid of a zoom level.
    ///
    /// - Parameter ratio: the number of picture pixels per view pixel.
    init(_ grid: TileGrid, level: Int, ratio: Double, reach: Int) {
        self.reach = reach
        self.ratio = ratio
        matrix = grid.matrices[level]
        crs = grid.crs
        span = (
            min(max(Self.side / matrix.tileWidth, 1), matrix.columnCount),
            min(max(Self.side / matrix.tileHeight, 1), matrix.rowCount)
        )
        columnCount = (matrix.columnCount + span.columns - 1) / span.columns
        rowCount = (matrix.rowCount + span.rows - 1) / span.rows
        let width = Double(matrix.columnCount * matrix.tileWidth) * matrix.resolution.unitsPerPixel
        // With an odd number of cells, the first and the last of a repeating row would have the same rank.
        repeats =
            matrix.columnCount.isMultiple(of: span.columns) && columnCount.isMultiple(of: 2)
            && crs.worldWidth.map { abs($0 - width) < 1e-6 * width } ?? false
    }

    /// Returns the frame of tiles, in picture pixels of the level.
    func frame(ofTiles tiles: TilePosition) -> Rectangle {
        frame(
            tiles.column * matrix.tileWidth, tiles.row * matrix.tileHeight, tiles.columns * matrix.tileWidth,
            tiles.rows * matrix.tileHeight)
    }

    /// Returns the frame of a cell, in picture pixels of the level.
    func frame(of cell: Cell) -> Rectangle {
        let width = span.columns * matrix.tileWidth, height = span.rows * matrix.tileHeight
        return frame(cell.column * width, cell.row * height, width, height)
    }

    private func frame(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Rectangle {
        Rectangle(
            minX: Double(x) * ratio, minY: Double(y) * ratio, maxX: Double(x + width) * ratio,
            maxY: Double(y + height) * ratio)
    }

    /// Returns the cells within a distance in picture pixels of a rectangle, row by row.
    func cells(near part: Rectangle, within distance: Double) -> [Cell] {
        let width = Double(span.columns * matrix.tileWidth) * ratio,
            height = Double(span.rows * matrix.tileHeight) * ratio
        func numbers(_ low: Double, _ high: Double, _ side: Double) -> ClosedRange<Int> {
            let first = Int(((low - distance) / side).rounded(.down))
            return first...max(Int(((high + distance) / side).rounded(.up)) - 1, first)
        }
        let columns = numbers(part.minX, part.maxX, width), rows = numbers(part.minY, part.maxY, height)
        return rows.filter { (0..<rowCount).contains($0) }.flatMap { row in
            columns.filter { repeats || (0..<columnCount).contains($0) }.map { Cell(column: $0, row: row) }
        }
    }

    /// Returns the cell inside the world that a cell repeats.
    func original(of cell: Cell) -> Cell {
        Cell(column: (cell.column % columnCount + columnCount) % columnCount, row: cell.row)
    }

    /// Returns the view of a cell with its margin, or `nil` if the level is too deep for a valid view.
    func viewport(of cell: Cell) -> Viewport? {
        let width = span.columns * matrix.tileWidth, height = span.rows * matrix.tileHeight
        let resolution = matrix.resolution.unitsPerPixel
        let center = Coordinate(
            x: matrix.origin.x + (Double(cell.column) + 0.5) * Double(width) * resolution,
            y: matrix.origin.y - (Double(cell.row) + 0.5) * Double(height) * resolution)
        return ImageSize(width: width + 2 * margin, height: height + 2 * margin).flatMap { size in
            try? Viewport(
                center: center, resolution: matrix.resolution, size: size, pixelRatio: ratio, crs: crs)
        }
    }
}
