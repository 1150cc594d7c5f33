import Portolan
import PortolanTesting
import Testing

struct MapRendererPriorityTests {
    @Test func `tiles nearest to the centre of the view are requested first`() async throws {
        let transport = try World.transport()
        var configuration = World.configuration()
        configuration.maximumConnectionsPerHost = 1
        var options = World.plain()
        options.offScreenMargin = 300
        let grid = try #require(TileGrid.webMercator())
        let viewport = try Viewport(
            center: Coordinate(x: 100_000, y: -50_000), resolution: #require(Resolution(zoom: 6, in: .webMercator)),
            size: #require(ImageSize(width: 600, height: 450)), crs: .webMercator)
        let renderer = MapRenderer(configuration: configuration, transport: transport)
        _ = try await renderer.render([World.tiles()], in: viewport, options: options)
        let tiles = transport.requests.map { request in
            request.url.split(separator: "/").suffix(3).map { Int($0.prefix { $0.isNumber }) ?? 0 }
        }
        // 64 tiles of 626 km on each side: how far each tile's middle is from the view's.
        let span = 2 * 20_037_508.342789244 / 64
        #expect(grid.matrices[6].columnCount == 64)
        let distances = tiles.map { tile in
            let x = -20_037_508.342789244 + (Double(tile[1]) + 0.5) * span - 100_000
            let y = 20_037_508.342789244 - (Double(tile[2]) + 0.5) * span + 50_000
            return x * x + y * y
        }
        let shown = tiles.count { tile in
            let x = -20_037_508.342789244 + Double(tile[1]) * span, y = 20_037_508.342789244 - Double(tile[2]) * span
            let extent = viewport.extent
            return x < extent.maxX && x + span > extent.minX && y > extent.minY && y - span < extent.maxY
        }
        #expect(shown >= 6 && tiles.count > shown)
        #expect(Array(distances.prefix(shown)) == distances.prefix(shown).sorted())
        #expect(Array(distances.dropFirst(shown)) == distances.dropFirst(shown).sorted())
    }
}
