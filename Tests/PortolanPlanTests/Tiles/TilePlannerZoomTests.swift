import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import Testing

/// Views that are finer than the finest level or coarser than the coarsest, and pictures with fine pixels.
@Suite struct TilePlannerZoomTests {
    private static func source(
        _ levels: ClosedRange<Int>, template: String = "t:{z}/{x}/{y}{r}", tileSize: Int = 256
    ) throws -> TileSource {
        try TileSource(
            grid: #require(.webMercator(levels: levels, tileSize: tileSize)), address: .xyz(XYZTemplate(template)))
    }

    @Test func `beyond the finest level its tiles are enlarged`() throws {
        let view = try View.slippy(-0.87734, 41.65606, zoom: 18, width: 512, height: 384)
        let mosaic = try #require(TilePlannerTests.mosaics(Self.source(0...12), view).first)
        // The tile of Zaragoza at level 12, by the formulas of slippy map tile names.
        #expect(mosaic.images.map(\.url) == ["t:12/2038/1525"])
        #expect(abs(mosaic.resolutionX - 40_075_016.685578488 / 256 / 4096) < 1e-9)
    }

    @Test func `below the coarsest level its tiles are reduced, up to a limit`() throws {
        // At level 4 the view is 16 tiles of level 6 wide and 16 high: 256, and one more each way where it is not aligned.
        let source = try Self.source(6...19)
        let few = try View.slippy(0, 0, zoom: 4, width: 960, height: 960)
        #expect(try TilePlannerTests.mosaics(source, few).flatMap(\.images).count == 256)
        let many = try View.slippy(0, 0, zoom: 4, width: 1100, height: 960)
        #expect(throws: PlanError.tooManyTiles(limit: 256)) { try TilePlannerTests.mosaics(source, many) }
        #expect(TilePlanner.maximumReducedTileCount == 256)
        // Half a level coarser is no more than a view between two levels is.
        let near = try View.slippy(0, 0, zoom: 5.2, width: 3000, height: 3000)
        #expect(try TilePlannerTests.mosaics(source, near).flatMap(\.images).count > 256)
    }

    @Test(arguments: [-8.0, -2, 0, 1, 2, 3, 5, 7.5, 12, 25, 30], [0...0, 3...3, 6...19, 14...30])
    func `no view requests more tiles than the limit`(zoom: Double, levels: ClosedRange<Int>) throws {
        let view = try View.slippy(10, 20, zoom: zoom, width: 4000, height: 3000, rotation: 30, pixelRatio: 2)
        let mosaics = (try? TilePlannerTests.mosaics(Self.source(levels), view, margin: 256)) ?? []
        let count = mosaics.reduce(0) { $0 + $1.images.count + $1.margin.count }
        #expect(count <= (zoom + 1 < Double(levels.lowerBound) - 1 ? 256 : 4096))
    }

    @Test(arguments: [(1.0, ""), (1.4, ""), (1.5, "@2x"), (2, "@2x"), (3, "@2x")])
    func `from a ratio of one and a half on, tiles with twice the pixels are requested`(
        ratio: Double, mark: String
    ) throws {
        let view = try View.slippy(0, 0, zoom: 5, width: 200, height: 200, pixelRatio: ratio)
        let mosaic = try #require(TilePlannerTests.mosaics(Self.source(0...19), view).first)
        let isRetina = !mark.isEmpty
        #expect(mosaic.images.allSatisfy { $0.url.hasSuffix(mark) && $0.url.contains("@2x") == isRetina })
        #expect(mosaic.images.allSatisfy { $0.size.width == (isRetina ? 512 : 256) })
        if ratio == 2 {
            // The same tiles as at ratio 1, each with twice the pixels: nothing is resampled.
            #expect(mosaic.images.first?.url.hasPrefix("t:5/15/15") == true)
            #expect(abs(mosaic.resolutionX - 40_075_016.685578488 / 512 / 32) < 1e-9)
        }
    }

    @Test func `a template without a density placeholder uses finer levels`() throws {
        let view = try View.slippy(0, 0, zoom: 5, width: 200, height: 200, pixelRatio: 2)
        let mosaic = try #require(
            TilePlannerTests.mosaics(Self.source(0...19, template: "t:{z}/{x}/{y}"), view).first)
        #expect(mosaic.images.allSatisfy { $0.url.hasPrefix("t:6/") && $0.size.width == 256 })
    }

    @Test func `the subdomain of a tile is the same in each view`() throws {
        let source = try Self.source(0...19, template: "http://{s}.h/{z}/{x}/{y}")
        var addresses: [String: String] = [:]
        for (longitude, width) in [(0.0, 512), (1.0, 900), (-2.0, 700)] {
            let view = try View.slippy(longitude, 50, zoom: 8, width: width, height: 600)
            for image in try TilePlannerTests.mosaics(source, view).flatMap(\.images) {
                #expect(addresses.updateValue(image.url, forKey: image.name) ?? image.url == image.url)
            }
        }
        // All three are used, so that as many connections are.
        #expect(Set(addresses.values.map { $0.prefix(8) }).count == 3)
    }

    @Test func `a pyramid is not requested outside its limits, on either side of the antimeridian`() throws {
        let half = 20_037_508.342789244
        let matrix = try #require(
            TileGrid.Matrix(
                id: "3", resolution: View.resolution(2 * half / 2048), tileWidth: 256, tileHeight: 256,
                origin: Coordinate(x: -half, y: half), columnCount: 8, rowCount: 8, columns: 0...1, rows: 2...4))
        let grid = try #require(TileGrid(crs: .webMercator, originCorner: .topLeft, matrices: [matrix]))
        let source = try TileSource(grid: grid, address: .xyz(XYZTemplate("t:{z}/{x}/{y}")))
        let view = try View.slippy(180, 0, zoom: 3, width: 1600, height: 2000)
        let urls = try TilePlannerTests.mosaics(source, view).flatMap(\.images).map(\.url)
        #expect(urls.sorted() == ["t:3/0/2", "t:3/0/3", "t:3/0/4", "t:3/1/2", "t:3/1/3", "t:3/1/4"])
    }
}
