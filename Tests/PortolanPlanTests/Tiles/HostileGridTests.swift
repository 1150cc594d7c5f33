import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import Testing

/// Grids that no honest service has: the plan must be refused or empty, never a trap or a long wait.
@Suite struct HostileGridTests {
    static let numbers: [Double] = [1e-300, 0.5, 1e9, 1e300]

    @Test func `extreme grids never crash the planner`() throws {
        let most = 1 << 31
        for resolution in Self.numbers {
            for origin in [0, -1e18, 1e308] {
                for (columns, rows) in [(1, 1), (most, 1), (1, most), (most, most)] {
                    for (width, height) in [(1, 1), (1 << 14, 1 << 14)] {
                        for crs in [CRS.webMercator, .epsg4326, try CRS("EPSG:25830")] {
                            for corner in [TileGrid.OriginCorner.topLeft, .bottomLeft] {
                                let matrix = try #require(
                                    TileGrid.Matrix(
                                        id: "0", resolution: View.resolution(resolution),
                                        tileWidth: width, tileHeight: height, origin: Coordinate(x: origin, y: origin),
                                        columnCount: columns, rowCount: rows))
                                try Self.plan(#require(TileGrid(crs: crs, originCorner: corner, matrices: [matrix])))
                            }
                        }
                    }
                }
            }
        }
    }

    static func plan(_ grid: TileGrid) throws {
        let source = try TileSource(grid: grid, address: .xyz(XYZTemplate("{z}/{x}/{y}")))
        let views = [
            try View.make(), try View.make(x: 9e11, y: -9e11, resolution: 1), try View.make(resolution: 1e11),
            try View.make(resolution: 1e-200, rotation: 45),
            try View.make(x: 0.1, y: 0.1, resolution: 0.01, crs: .crs84),
        ]
        for view in views {
            guard let mosaics = try? source.seen(view, margin: 100) else {
                continue
            }
            #expect(mosaics.flatMap(\.images).count <= TilePlanner.maximumTileCount)
        }
    }

    @Test func `a world that is too small to see is drawn only once`() throws {
        let view = try View.make(resolution: 1e11)
        let mosaics = try TilePlannerTests.xyz().seen(view)
        #expect(mosaics.flatMap(\.images).count == 1)
    }
}
