import PortolanGeo

/// A spatial index of objects: a sparse grid of cells of 1/64 degree.
///
/// Each object knows its cell and its index in the cell's list, so that it can be removed without a search.
struct LiveGrid: Sendable {
    private static let cellsPerDegree = 64.0
    private static let columnCount = 360 * 64

    /// The location of an object in the grid.
    struct Card: Sendable {
        fileprivate let cell: Int64
        fileprivate var index: Int32
    }

    private var cells: [Int64: [Int32]] = [:]

    /// Inserts an object at a coordinate with a longitude of −180 to 180.
    mutating func insert(_ number: Int32, at place: Coordinate) -> Card {
        let cell = Self.cell(Self.column(place.x), Self.row(place.y))
        cells[cell, default: []].append(number)
        return Card(cell: cell, index: Int32((cells[cell]?.count ?? 1) - 1))
    }

    /// Returns whether the cell of a card contains a coordinate.
    func isFiled(_ card: Card, at place: Coordinate) -> Bool {
        card.cell == Self.cell(Self.column(place.x), Self.row(place.y))
    }

    /// Removes an object.
    ///
    /// - Returns: the object that moved to its index, if there is one.
    mutating func remove(_ card: Card) -> (number: Int32, card: Card)? {
        guard var list = cells.removeValue(forKey: card.cell), let last = list.popLast() else { return nil }
        defer { if !list.isEmpty { cells[card.cell] = list } }
        guard Int(card.index) < list.count else { return nil }
        list[Int(card.index)] = last
        return (last, card)
    }

    /// Calls `body` for each object within an extent, whose longitudes may be in any turn, and for some objects around
    /// it.
    ///
    /// - Complexity: O(cells within, or non-empty cells if these are fewer + objects in them).
    func forEach(in extent: Extent, _ body: (Int32) -> Void) {
        let rows = Self.row(extent.minY)...max(Self.row(extent.maxY), Self.row(extent.minY))
        let first = (extent.minX * Self.cellsPerDegree).rounded(.down)
        let width = ((extent.maxX * Self.cellsPerDegree).rounded(.down) - first + 1)
        guard width.isFinite, width > 0 else { return }
        let columns = Int(min(width, Double(Self.columnCount)))
        let west = Self.column(extent.minX)
        guard columns * rows.count < cells.count else {
            for (cell, numbers) in cells {
                let row = Int(cell) / Self.columnCount, column = Int(cell) % Self.columnCount
                let distance = column >= west ? column - west : column - west + Self.columnCount
                if rows.contains(row), distance < columns { numbers.forEach(body) }
            }
            return
        }
        for row in rows {
            for column in west..<west + columns {
                cells[Self.cell(column % Self.columnCount, row)]?.forEach(body)
            }
        }
    }

    private static func cell(_ column: Int, _ row: Int) -> Int64 { Int64(row * columnCount + column) }

    private static func column(_ longitude: Double) -> Int {
        let cell = (longitude * cellsPerDegree).rounded(.down).truncatingRemainder(dividingBy: Double(columnCount))
        return Int(cell < 0 ? cell + Double(columnCount) : cell)
    }

    private static func row(_ latitude: Double) -> Int { Int(((latitude + 90) * cellsPerDegree).rounded(.down)) }
}
