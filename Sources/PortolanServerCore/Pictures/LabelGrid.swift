import PortolanGeo
import PortolanPlan
import PortolanRaster

/// The grid of cells in which the labels of a level of tiles get their places: squares of several tiles.
///
/// The labels of a cell follow from the cell alone, whichever tile is asked for first, so that a label is whole in all tiles that it
/// touches.
struct LabelGrid: Sendable {
    /// A cell by its column and row; beside the world of a system that repeats, columns go on.
    struct Cell: Hashable, Sendable {
        let column: Int, row: Int

        /// Which of two neighbours goes first where their labels meet: no two have the same.
        var rank: Int { (column & 1) * 2 + (row & 1) }
    }

    /// About how long the sides of a cell are, in view pixels.
    private static let side = 1024

    /// How far a label may lie beyond its cell, in view pixels.
    let reach: Int
    /// How wide the view is about a cell in which labels are placed, in view pixels.
    var margin: Int { 2 * reach }
    private let matrix: TileMatrix
    private let crs: CRS
    private let ratio: Int
    /// How many tiles a cell has.
    private let span: (columns: Int, rows: Int)
    private let columnCount: Int, rowCount: Int
    private let repeats: Bool

    /// Makes the grid of a level.
    ///
    /// - Parameter ratio: how many picture pixels a view pixel has.
    init(_ grid: TileGrid, level: Int, ratio: Int, reach: Int) {
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
        // In a row of an odd number of cells the first and the last would have one rank.
        repeats =
            matrix.columnCount.isMultiple(of: span.columns) && columnCount.isMultiple(of: 2)
            && crs.worldWidth.map { abs($0 - width) < 1e-6 * width } ?? false
    }

    /// What a tile shows, in picture pixels of the level.
    func frame(ofTile column: Int, _ row: Int) -> Rectangle {
        frame(column * matrix.tileWidth, row * matrix.tileHeight, matrix.tileWidth, matrix.tileHeight)
    }

    /// What a cell shows, in picture pixels of the level.
    func frame(of cell: Cell) -> Rectangle {
        let width = span.columns * matrix.tileWidth, height = span.rows * matrix.tileHeight
        return frame(cell.column * width, cell.row * height, width, height)
    }

    private func frame(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Rectangle {
        Rectangle(
            minX: Double(x * ratio), minY: Double(y * ratio), maxX: Double((x + width) * ratio),
            maxY: Double((y + height) * ratio))
    }

    /// The cells that come nearer to a part than some picture pixels, row by row.
    func cells(near part: Rectangle, within distance: Double) -> [Cell] {
        let width = Double(span.columns * matrix.tileWidth * ratio),
            height = Double(span.rows * matrix.tileHeight * ratio)
        func numbers(_ low: Double, _ high: Double, _ side: Double) -> ClosedRange<Int> {
            let first = Int(((low - distance) / side).rounded(.down))
            return first...max(Int(((high + distance) / side).rounded(.up)) - 1, first)
        }
        let columns = numbers(part.minX, part.maxX, width), rows = numbers(part.minY, part.maxY, height)
        return rows.filter { (0..<rowCount).contains($0) }.flatMap { row in
            columns.filter { repeats || (0..<columnCount).contains($0) }.map { Cell(column: $0, row: row) }
        }
    }

    /// The cell of the world that a cell beside it repeats.
    func original(of cell: Cell) -> Cell {
        Cell(column: (cell.column % columnCount + columnCount) % columnCount, row: cell.row)
    }

    /// The view of a cell with its margin, or `nil` where the level is too fine for one.
    func viewport(of cell: Cell) -> Viewport? {
        let width = span.columns * matrix.tileWidth, height = span.rows * matrix.tileHeight
        let resolution = matrix.resolution.unitsPerPixel
        let center = Coordinate(
            x: matrix.origin.x + (Double(cell.column) + 0.5) * Double(width) * resolution,
            y: matrix.origin.y - (Double(cell.row) + 0.5) * Double(height) * resolution)
        return ImageSize(width: width + 2 * margin, height: height + 2 * margin).flatMap { size in
            try? Viewport(
                center: center, resolution: matrix.resolution, size: size, pixelRatio: Double(ratio), crs: crs)
        }
    }
}
