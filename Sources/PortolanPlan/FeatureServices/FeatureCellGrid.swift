import PortolanGeo

/// The cells by which the features of a service are asked for: the same for all views, so that requests are keys of caches.
///
/// The cells of a level are squares of a power of two in size, counted from the corner of the world where the system has one,
/// and from the origin of its coordinates where it has none.
struct FeatureCellGrid: Hashable, Sendable {
    /// A cell.
    struct Cell: Hashable, Sendable {
        /// The level: the size of cells is two to the power of it, in parts of the world or in units.
        let level: Int
        let column: Int
        let row: Int

        /// Its level, column and row.
        var name: String { "\(level)/\(column)/\(row)" }
    }

    /// The most cells of a view.
    static let maximumCellCount = 64
    /// The least width of a cell, in picture pixels; the most is twice that.
    static let leastCellWidth = 512.0

    let crs: CRS

    /// The size of a cell of level 0, and the corner that cells are counted from.
    private var unit: (size: Double, origin: Coordinate) {
        guard let world = crs.worldExtent else { return (1, Coordinate(x: 0, y: 0)) }
        return (world.width, Coordinate(x: world.minX, y: world.minY))
    }

    /// The side of the cells of a level.
    func side(ofLevel level: Int) -> Double { unit.size * Libm.power(2, Double(level)) }

    /// The level for a view of some resolution: cells are at least ``leastCellWidth`` wide, and at most one world.
    func level(for resolution: Resolution) -> Int {
        let level = Int(Libm.logarithm2(resolution.unitsPerPixel * Self.leastCellWidth / unit.size).rounded(.up))
        return crs.worldExtent == nil ? level : min(level, 0)
    }

    /// The cells of a level that an extent touches, row by row, or `nil` where there are too many.
    ///
    /// Of worlds that repeat each is there once; beyond the world's height there are none.
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

    /// The box of a cell, in units of the system.
    func extent(of cell: Cell) -> Extent? {
        let side = side(ofLevel: cell.level), origin = unit.origin
        let minX = origin.x + Double(cell.column) * side, minY = origin.y + Double(cell.row) * side
        guard let extent = Extent(minX: minX, minY: minY, maxX: minX + side, maxY: minY + side) else { return nil }
        // Of a world wider than it is high the cell of all is a square.
        return crs.worldExtent.flatMap { extent.intersection($0) } ?? extent
    }

    /// The cell of the next coarser level that holds a cell, or `nil` where it is all of the world.
    func coarser(than cell: Cell) -> Cell? {
        guard crs.worldExtent == nil || cell.level < 0 else { return nil }
        func half(_ number: Int) -> Int { Int((Double(number) / 2).rounded(.down)) }
        return Cell(level: cell.level + 1, column: half(cell.column), row: half(cell.row))
    }
}
