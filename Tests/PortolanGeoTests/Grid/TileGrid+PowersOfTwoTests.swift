import PortolanGeo
import Testing

@Suite struct TileGridPowersOfTwoTests {
    @Test func `web mercator has the grid of XYZ`() throws {
        #expect(TileGrid.powersOfTwo(in: .webMercator) == TileGrid.webMercator(levels: 0...22))
    }

    @Test func `degrees begin with two tiles side by side`() throws {
        let grid = try #require(TileGrid.powersOfTwo(in: .crs84, tileSize: 512))
        #expect(grid.matrices[0].columnCount == 2 && grid.matrices[0].rowCount == 1)
        #expect(grid.matrices[0].resolution.unitsPerPixel == 180.0 / 512)
        #expect(grid.matrices[10].resolution.unitsPerPixel == 180.0 / 512 / 1024)
        let tile = try #require(grid.tile(level: 1, column: 3, row: 1))
        #expect(grid.extent(of: tile) == Extent(minX: 90, minY: -90, maxX: 180, maxY: 0))
    }

    @Test(arguments: ["EPSG:25830", "EPSG:3035", "EPSG:4647"])
    func `other systems have the resolutions of web mercator and room for all their places`(name: String) throws {
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

    @Test(arguments: [0, -1, 4097]) func `sizes that are none are refused`(size: Int) {
        #expect(TileGrid.powersOfTwo(in: .webMercator, tileSize: size) == nil)
    }
}
