import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import Testing

@Suite struct FeatureInfoPlannerTilesTests {
    private static func source(
        _ corner: TileGrid.OriginCorner = .topLeft, extent: Extent? = nil
    ) throws -> TileSource {
        let grid = try #require(TileGrid.webMercator()), world = try #require(CRS.webMercator.worldExtent)
        let origin = Coordinate(x: world.minX, y: corner == .topLeft ? world.maxY : world.minY)
        let matrices = grid.matrices.compactMap { matrix in
            TileMatrix(
                id: matrix.id, resolution: matrix.resolution, tileWidth: 256, tileHeight: 256, origin: origin,
                columnCount: matrix.columnCount, rowCount: matrix.rowCount)
        }
        return TileSource(
            grid: try #require(TileGrid(crs: .webMercator, originCorner: corner, matrices: matrices)),
            address: .xyz(try XYZTemplate("http://h/{z}/{x}/{y}")), extent: extent)
    }

    private static func found(_ source: TileSource, _ view: Viewport, x: Double, y: Double) throws -> [Int]? {
        try FeatureInfoPlanner(viewport: view, pixel: Point(x: x, y: y)).pixel(of: source).map {
            [$0.tile.level, $0.tile.column, $0.tile.row, $0.column, $0.row]
        }
    }

    /// Level 4 has 16 tiles each way, so that the middle of the world is the corner of four.
    @Test(arguments: [
        (64.0, 64.0, [4, 8, 8, 0, 0]), (63.5, 63.5, [4, 7, 7, 255, 255]), (74.5, 84.2, [4, 8, 8, 10, 20]),
        (63.5, 64, [4, 7, 8, 255, 0]), (0, 127.5, [4, 7, 8, 192, 63]),
    ])
    func `the pixel of the tile that is drawn there`(x: Double, y: Double, expected: [Int]) throws {
        let view = try View.slippy(0, 0, zoom: 4, width: 128, height: 128)
        #expect(try Self.found(Self.source(), view, x: x, y: y) == expected)
        // Counted from below the row is another, and the pixel is not.
        var below = expected
        below[2] = 15 - below[2]
        #expect(try Self.found(Self.source(.bottomLeft), view, x: x, y: y) == below)
    }

    @Test func `a turned and dense view asks the level that it is drawn from`() throws {
        // A quarter turn clockwise: what is below the middle of the picture lies ten pixels off it.
        let turned = try View.slippy(0, 0, zoom: 4, width: 128, height: 128, rotation: 90)
        let pixel = try #require(try Self.found(Self.source(), turned, x: 64.5, y: 74.5))
        let place = turned.coordinate(at: Point(x: 64.5, y: 74.5))
        let unit = try #require(Resolution(zoom: 4, in: .webMercator)).unitsPerPixel
        #expect(pixel[1] * 256 + pixel[3] == 2048 + Int((place.x / unit).rounded(.down)))
        #expect(pixel[2] * 256 + pixel[4] == 2048 + Int((-place.y / unit).rounded(.down)))
        let dense = try View.slippy(0, 0, zoom: 4, width: 128, height: 128, pixelRatio: 2)
        #expect(try Self.found(Self.source(), dense, x: 74.25, y: 84.25) == [5, 16, 16, 20, 40])
    }

    @Test func `beyond the antimeridian is the other end of the grid, and beside the tiles is nothing`() throws {
        let view = try View.slippy(180, 0, zoom: 4, width: 128, height: 128)
        #expect(try Self.found(Self.source(), view, x: 74.5, y: 64.5) == [4, 0, 8, 10, 0])
        let north = try View.slippy(0, 85, zoom: 1)
        #expect(try Self.found(Self.source(), north, x: 128, y: 2) == nil)
        let part = try #require(Extent(minX: 0, minY: 0, maxX: 1e6, maxY: 1e6))
        let middle = try View.slippy(0, 0, zoom: 4, width: 128, height: 128)
        #expect(try Self.found(Self.source(extent: part), middle, x: 65, y: 65) == nil)
        #expect(try Self.found(Self.source(extent: part), middle, x: 65, y: 63) == [4, 8, 7, 1, 255])
    }
}
