import PortolanGeo
import PortolanServices
import PortolanWeb
import Testing

/// Shapes that documents of real tile services have: each was once refused or misread.
@Suite struct WMTSRealShapesTests {
    private func request(_ file: String, mapCRS: CRS = .webMercator) throws -> WMTSTileRequest {
        let capabilities = try WMTSCapabilitiesReader.read(Fixture.bytes("documents/wmts-\(file).xml"))
        return try WMTSNegotiation.request(
            for: WMTSOptions(), of: capabilities, baseURL: "https://h.example/wmts", mapCRS: mapCRS)
    }

    @Test(arguments: ["plain", "numbers"])
    func `the matrix set of the standard's annex is Web Mercator, also with decimal integers`(
        file: String
    ) throws {
        let grid = try request(file).grid
        #expect(grid.crs == .webMercator)
        #expect(grid.matrices.map(\.columnCount) == [1, 2, 4])
        let xyz = try #require(TileGrid.webMercator(levels: 0...2))
        #expect(grid.matrices.map(\.resolution) == xyz.matrices.map(\.resolution))
    }

    /// From 170 degrees east to 170 west: tiles at both ends of the world, and none between two latitudes.
    @Test func `a box across 180 degrees includes the tiles at both ends of the world`() throws {
        let capabilities = try WMTSCapabilitiesReader.read(Fixture.bytes("documents/wmts-numbers.xml"))
        #expect(capabilities.warnings == [])
        #expect(capabilities.layers[0].geographicBox == BoundingBox(minX: 170, minY: 50, maxX: 190, maxY: 60))
        let extent = try #require(request("numbers").extent)
        #expect(abs(extent.minX + 20_037_508.342789) < 1e-3)
        #expect(abs(extent.maxX - 20_037_508.342789) < 1e-3)
        // y = a ln tan(45° + 50°/2).
        #expect(abs(extent.minY - 6_446_275.841) < 0.01)
    }

    /// Some servers count the tiles that there are, not those from the corner on.
    @Test func `matrices that end before the layer's box are extended to it`() throws {
        let request = try request("short", mapCRS: CRS("EPSG:25832"))
        #expect(request.warnings.contains { $0.description.contains("end before the layer's box") })
        // A tile is 512 × 9449404.76 × 0.00028 m = 1354666.7 m: the box ends 6042190 m east and 4762245 m south of it.
        let matrix = request.grid.matrices[0]
        #expect(matrix.columnCount == 5)
        #expect(matrix.rowCount == 4)
        #expect(request.url(for: try #require(request.grid.tile(level: 0, column: 4, row: 3))) != nil)
    }

    @Test func `matrices that reach the layer's box keep their counts`() throws {
        let request = try request("plain")
        #expect(!request.warnings.contains { $0.description.contains("end before") })
    }
}
