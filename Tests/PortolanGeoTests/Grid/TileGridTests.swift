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
    func `places lie in the tiles that the XYZ scheme says`(
        longitude: Double, latitude: Double, level: Int, column: Int, row: Int
    ) throws {
        let grid = try #require(TileGrid.webMercator())
        let transform = try CoordinateTransform(from: .crs84, to: .webMercator)
        let place = try #require(transform(Coordinate(longitude: longitude, latitude: latitude)))
        let tile = try #require(grid.tile(level: level, column: column, row: row))
        let extent = try #require(grid.extent(of: tile))
        #expect(extent.contains(place))
    }

    @Test func `neighbouring tiles share their sides to the last bit`() throws {
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

    @Test func `an extent that ends on a tile's side does not ask for the next tile`() throws {
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
    func `the level nearest by ratio is drawn from`(resolution: Double, level: Int) throws {
        let grid = try #require(TileGrid.webMercator())
        let wanted = try #require(Resolution(unitsPerPixel: resolution))
        #expect(grid.level(nearest: wanted) == level)
    }

    @Test func `levels given in any order are sorted from coarse to fine`() throws {
        let grid = try Self.spanish(.bottomLeft)
        #expect(grid.matrices.map(\.resolution.unitsPerPixel) == [1800, 900, 450, 225, 120, 50, 25])
        #expect(grid.matrices.map(\.columnCount) == [3, 6, 12, 23, 43, 102, 204])
    }
}
