import PortolanGeo

/// The grid cells by which features are requested from a service.
///
/// The cells are the same for all views, so that requests repeat and caches answer them. The cells of a level are
/// squares whose size is a power of two, counted from the corner of the world, or from the coordinate origin if the
/// system has no world extent.
struct FeatureCellGrid: Hashable, Sendable {
    /// A cell.
    struct Cell: Hashable, Sendable {
        /// The level: the cell size is two to the power of it, in fractions of the world or in units.
        let level: Int
        let column: Int
        let row: Int

        /// Its level, column and row.
        var name: String { "\(level)/\(column)/\(row)" }
    }

    /// The largest number of cells in a view.
    static let maximumCellCount = 64
    /// The smallest cell width in picture pixels; the largest is twice that.
    static let leastCellWidth = 512.0

    let crs: CRS

    /// The size of a cell of level 0, and the corner from which cells are counted.
    private var unit: (size: Double, origin: Coordinate) {
        guard let world = crs.worldExtent else { return (1, Coordinate(x: 0, y: 0)) }
        return (world.width, Coordinate(x: world.minX, y: world.minY))
    }

    /// The side of the cells of a level.
    func side(ofLevel level: Int) -> Double { unit.size * Libm.power(2, Double(level)) }

    /// The level for a view resolution: cells are at least ``leastCellWidth`` wide, and at most one world.
    func level(for resolution: Resolution) -> Int {
        let level = Int(Libm.logarithm2(resolution.unitsPerPixel * Self.leastCellWidth / unit.size).rounded(.up))
        return crs.worldExtent == nil ? level : min(level, 0)
    }

    /// The cells of a level that an extent touches, row by row, or `nil` if there are too many.
    ///
    /// Each cell of a repeating world is included once. Cells beyond the height of the world are omitted.
    func cells(ofLevel level: Int, in extent: Extent) -> [Cell]? {
        let side = side(ofLevel: level), origin = unit.origin
        var rows = ((extent.minY - origin.y) / side).rounded(.down)...((extent.maxY - origin.y) / side).rounded(.down)
        let columns =
            ((extent.minX - origin.x) / side).rounded(.down)...((extent.maxX - origin.x) / side).rounded(.down)
        guard [rows.lowerBound, rows.upperBound, columns.lowerBound, columns.upperBound].allSatisfy({ abs($0) < 1e15 })
        else { return nil }
        if let world = crs.worldExtent {
            let last = max((world.height / side).rounded(.up) - 1, 0)
            guard rows.lowerBound <= last, rows.upperBound >= 0 else { return [] }
            rows = rows.clamped(to: 0...last)
        }
        let rowCount = rows.upperBound - rows.lowerBound + 1
        var columnCount = columns.upperBound - columns.lowerBound + 1
        let worldColumns = crs.worldWidth.map { ($0 / side).rounded() }
        if let worldColumns { columnCount = min(columnCount, worldColumns) }
        guard rowCount * columnCount <= Double(Self.maximumCellCount) else { return nil }
        return (0..<Int(rowCount)).flatMap { row in
            (0..<Int(columnCount)).map { offset in
                var column = columns.lowerBound + Double(offset)
                if let worldColumns { column -= (column / worldColumns).rounded(.down) * worldColumns }
                return Cell(level: level, column: Int(column), row: Int(rows.lowerBound) + row)
            }
        }
    }

    /// The bounding box of a cell, in units of the system.
    func extent(of cell: Cell) -> Extent? {
        let side = side(ofLevel: cell.level), origin = unit.origin
        let minX = origin.x + Double(cell.column) * side, minY = origin.y + Double(cell.row) * side
        guard let extent = Extent(minX: minX, minY: minY, maxX: minX + side, maxY: minY + side) else { return nil }
        // If the world is wider than high, the cell for the whole world is a square.
        return crs.worldExtent.flatMap { extent.intersection($0) } ?? extent
    }

    /// The cell of the next coarser level that contains a cell, or `nil` if the cell covers the whole world.
    func coarser(than cell: Cell) -> Cell? {
        guard crs.worldExtent == nil || cell.level < 0 else { return nil }
        func half(_ number: Int) -> Int { Int((Double(number) / 2).rounded(.down)) }
        return Cell(level: cell.level + 1, column: half(cell.column), row: half(cell.row))
    }
}
