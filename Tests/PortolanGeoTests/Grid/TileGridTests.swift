import PortolanGeo
import Testing

@Suite struct TileGridTests {
    static func spanish(_ corner: TileGrid.OriginCorner) throws -> TileGrid {
        let crs = try CRS("EPSG:25830")
        let extent = try #require(Extent(minX: -100_000, minY: 3_900_000, maxX: 1_200_000, maxY: 4_900_000))
        let resolutions = [1800, 900, 450, 225, 120, 50, 25].compactMap { Resolution(unitsPerPixel: $0) }
        return try #require(TileGrid(crs: crs, extent: extent, resolutions: resolutions, originCorner: corner))
    }

    /// Well-known tiles of the XYZ scheme, as the slippy-map tile names of OpenStreetMap have them.
    @Test(arguments: [
        (0.0, 0.0, 0, 0, 0), (-0.87734, 41.65606, 12, 2038, 1525), (24.93545, 60.16952, 16, 37307, 18969),
        (-78.52495, -0.22985, 10, 288, 512), (174.76, -36.85, 5, 31, 19),
    ])
    func `positions are in the tiles that the XYZ scheme states`(
        longitude: Double, latitude: Double, level: Int, column: Int, row: Int
    ) throws {
        let grid = try #require(TileGrid.webMercator())
        let transform = try CoordinateTransform(from: .crs84, to: .webMercator)
        let place = try #require(transform(Coordinate(longitude: longitude, latitude: latitude)))
        let tile = try #require(grid.tile(level: level, column: column, row: row))
        let extent = try #require(grid.extent(of: tile))
        #expect(extent.contains(place))
    }

    @Test func `neighbouring tiles share their sides exactly`() throws {
        for corner in [TileGrid.OriginCorner.topLeft, .bottomLeft] {
            let grid = try Self.spanish(corner)
            for level in grid.matrices.indices {
                let matrix = grid.matrices[level]
                for column in 0..<(matrix.columnCount - 1) {
                    let west = try #require(grid.tile(level: level, column: column, row: 0).flatMap(grid.extent(of:)))
                    let east = try #require(
                        grid.tile(level: level, column: column + 1, row: 0).flatMap(grid.extent(of:)))
                    #expect(west.maxX == east.minX)
                }
            }
        }
    }

    @Test func `rows are counted from the origin corner`() throws {
        let top = try Self.spanish(.topLeft), bottom = try Self.spanish(.bottomLeft)
        let first = try #require(top.tile(level: 0, column: 0, row: 0).flatMap(top.extent(of:)))
        let last = try #require(bottom.tile(level: 0, column: 0, row: 0).flatMap(bottom.extent(of:)))
        #expect(first.maxY == 4_900_000)
        #expect(last.minY == 3_900_000)
    }

    @Test func `a grid has no tiles outside itself`() throws {
        let grid = try #require(TileGrid.webMercator(levels: 0...3))
        #expect(grid.tile(level: 3, column: 8, row: 0) == nil)
        #expect(grid.tile(level: 3, column: 0, row: -1) == nil)
        #expect(grid.tile(level: 4, column: 0, row: 0) == nil)
        let beside = try #require(Extent(minX: 3e7, minY: 0, maxX: 4e7, maxY: 1e6))
        #expect(grid.tiles(level: 3, in: beside) == nil)
    }

    @Test func `an extent that ends on the side of a tile excludes the next tile`() throws {
        let grid = try #require(TileGrid.webMercator())
        let tile = try #require(grid.tile(level: 7, column: 63, row: 47))
        let extent = try #require(grid.extent(of: tile))
        let range = try #require(grid.tiles(level: 7, in: extent))
        #expect(range.columns == 63...63)
        #expect(range.rows == 47...47)
        #expect(range.indexes == [tile])
    }

    @Test(arguments: [
        (156543.03392804097, 0), (78271.5, 1), (110_000, 1), (111_000, 0), (0.001, 19), (1e9, 0), (0.29858214, 19),
    ])
    func `the level nearest by ratio is chosen`(resolution: Double, level: Int) throws {
        let grid = try #require(TileGrid.webMercator())
        let wanted = try #require(Resolution(unitsPerPixel: resolution))
        #expect(grid.level(nearest: wanted) == level)
    }

    @Test func `levels given in any order are sorted from coarse to fine`() throws {
        let grid = try Self.spanish(.bottomLeft)
        #expect(grid.matrices.map(\.resolution.unitsPerPixel) == [1800, 900, 450, 225, 120, 50, 25])
        #expect(grid.matrices.map(\.columnCount) == [3, 6, 12, 23, 43, 102, 204])
    }

    @Test func `denser tiles keep their extents`() throws {
        let grid = try #require(TileGrid.webMercator(levels: 2...5)), denser = try #require(grid.denser(by: 2))
        for level in grid.matrices.indices {
            let tile = try #require(grid.tile(level: level, column: 3, row: 1))
            #expect(denser.extent(of: tile) == grid.extent(of: tile))
            #expect(denser.matrices[level].tileWidth == 512 && denser.matrices[level].id == grid.matrices[level].id)
        }
    }

    @Test func `tiles cannot exceed the maximum size`() throws {
        let grid = try #require(TileGrid.webMercator())
        #expect(grid.denser(by: 64) != nil)
        #expect(grid.denser(by: 65) == nil)
        #expect(grid.denser(by: 0) == nil)
        #expect(grid.denser(by: Int.max) == nil)
    }

    @Test(arguments: [(0...9, 0...9), (-5...9, 3...3), (9...9, 0...Int.max)])
    func `limits are clamped to the level, and tiles to the limits`(
        columns: ClosedRange<Int>, rows: ClosedRange<Int>
    ) throws {
        let resolution = try #require(Resolution(unitsPerPixel: 1))
        func matrix(_ columns: ClosedRange<Int>?, _ rows: ClosedRange<Int>?) -> TileGrid.Matrix? {
            TileGrid.Matrix(
                id: "", resolution: resolution, tileWidth: 10, tileHeight: 10, origin: Coordinate(x: 0, y: 0),
                columnCount: 10, rowCount: 10, columns: columns, rows: rows)
        }
        let limited = try #require(matrix(columns, rows))
        #expect(limited.columns == columns.clamped(to: 0...9))
        #expect(limited.rows == rows.clamped(to: 0...9))
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
        #expect(matrix(10...12, nil) == nil)
        #expect(matrix(nil, -3 ... -1) == nil)
    }

    @Test func `web mercator has the XYZ grid`() throws {
        #expect(TileGrid.powersOfTwo(in: .webMercator) == TileGrid.webMercator(levels: 0...22))
    }

    @Test func `the grid in degrees begins with two tiles side by side`() throws {
        let grid = try #require(TileGrid.powersOfTwo(in: .crs84, tileSize: 512))
        #expect(grid.matrices[0].columnCount == 2)
        #expect(grid.matrices[0].rowCount == 1)
        #expect(grid.matrices[0].resolution.unitsPerPixel == 180.0 / 512)
        #expect(grid.matrices[10].resolution.unitsPerPixel == 180.0 / 512 / 1024)
        let tile = try #require(grid.tile(level: 1, column: 3, row: 1))
        #expect(grid.extent(of: tile) == Extent(minX: 90, minY: -90, maxX: 180, maxY: 0))
    }

    @Test(arguments: ["EPSG:25830", "EPSG:3035", "EPSG:4647"])
    func `other CRSs have the resolutions of web mercator and room for all positions`(name: String) throws {
        let grid = try #require(try TileGrid.powersOfTwo(in: CRS(name)))
        let mercator = try #require(TileGrid.webMercator(levels: 0...22))
        for level in 0...22 {
            let ratio =
                grid.matrices[level + 2].resolution.unitsPerPixel / mercator.matrices[level].resolution.unitsPerPixel
            #expect(abs(ratio - 1) < 1e-12)
        }
        // The false easting of EPSG:4647 is 32 500 km.
        let place = try #require(Extent(minX: 32_400_000, minY: 5_000_000, maxX: 32_600_000, maxY: 5_100_000))
        #expect(grid.tiles(level: 8, in: place) != nil)
    }

    @Test(arguments: [0, -1, 4097]) func `invalid tile sizes are rejected`(size: Int) {
        #expect(TileGrid.powersOfTwo(in: .webMercator, tileSize: size) == nil)
    }
}
