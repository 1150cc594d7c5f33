import PortolanGeo
import Testing

@Suite struct TileGridDensityTests {
    @Test func `denser tiles lie where they lay`() throws {
        let grid = try #require(TileGrid.webMercator(levels: 2...5)), denser = try #require(grid.denser(by: 2))
        for level in grid.matrices.indices {
            let tile = try #require(grid.tile(level: level, column: 3, row: 1))
            #expect(denser.extent(of: tile) == grid.extent(of: tile))
            #expect(denser.matrices[level].tileWidth == 512 && denser.matrices[level].id == grid.matrices[level].id)
        }
    }

    @Test func `tiles do not become larger than they may be`() throws {
        let grid = try #require(TileGrid.webMercator())
        #expect(grid.denser(by: 64) != nil && grid.denser(by: 65) == nil)
        #expect(grid.denser(by: 0) == nil && grid.denser(by: Int.max) == nil)
    }

    @Test(arguments: [(0...9, 0...9), (-5...9, 3...3), (9...9, 0...Int.max)])
    func `limits are cut to the level, and tiles to the limits`(
        columns: ClosedRange<Int>, rows: ClosedRange<Int>
    ) throws {
        let resolution = try #require(Resolution(unitsPerPixel: 1))
        func matrix(_ columns: ClosedRange<Int>?, _ rows: ClosedRange<Int>?) -> TileMatrix? {
            TileMatrix(
                id: "", resolution: resolution, tileWidth: 10, tileHeight: 10, origin: Coordinate(x: 0, y: 0),
                columnCount: 10, rowCount: 10, columns: columns, rows: rows)
        }
        let limited = try #require(matrix(columns, rows))
        #expect(limited.columns == columns.clamped(to: 0...9) && limited.rows == rows.clamped(to: 0...9))
        #expect(limited.hasAllColumns == (limited.columns == 0...9))
        let grid = try #require(TileGrid(crs: .webMercator, originCorner: .topLeft, matrices: [limited]))
        for column in 0..<10 {
            for row in 0..<10 {
                let isThere = columns.contains(column) && rows.contains(row)
                #expect((grid.tile(level: 0, column: column, row: row) != nil) == isThere)
            }
        }
        let whole = try #require(Extent(minX: -1000, minY: -1000, maxX: 1000, maxY: 1000))
        #expect(grid.tiles(level: 0, in: whole)?.count == limited.columns.count * limited.rows.count)
        #expect(matrix(10...12, nil) == nil && matrix(nil, -3 ... -1) == nil)
    }
}
