import PortolanGeo
import PortolanPlan
import PortolanServices
import Testing

@Suite struct TileSourceTests {
    @Test func `a tile set brings its grid and its extent`() throws {
        let extent = try #require(Extent(minX: 0, minY: 0, maxX: 1000, maxY: 500))
        let set = WMSCTileSet(
            crsName: "EPSG:25830", extent: extent, resolutions: [try View.resolution(1)], layers: ["x"])
        let source = try TileSource(WMSCTileRequest(tileSet: set, baseURL: "http://h/"))
        #expect(source.extent == extent)
        #expect(source.grid.originCorner == .bottomLeft && source.grid.crs.name == "EPSG:25830")
    }

    @Test func `a grid whose levels are not numbers has no XYZ tiles`() throws {
        let half = 20_037_508.342789244
        let matrix = try #require(
            TileMatrix(
                id: "coarse", resolution: View.resolution(2 * half / 256), tileWidth: 256, tileHeight: 256,
                origin: Coordinate(x: -half, y: half), columnCount: 1, rowCount: 1))
        let grid = try #require(TileGrid(crs: .webMercator, originCorner: .topLeft, matrices: [matrix]))
        let source = try TileSource(grid: grid, address: .xyz(XYZTemplate("{z}/{x}/{y}")))
        let mosaics = try source.seen(View.slippy(0, 0, zoom: 0))
        #expect(mosaics.flatMap(\.images).isEmpty)
    }
}
