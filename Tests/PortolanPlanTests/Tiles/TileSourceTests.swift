import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanWeb
import Testing

@Suite struct TileSourceTests {
    @Test func `a tile source has the grid and the extent of its tile set`() throws {
        let extent = try #require(Extent(minX: 0, minY: 0, maxX: 1000, maxY: 500))
        let set = WMSCTileSet(
            crsName: "EPSG:25830", extent: extent, resolutions: [try View.resolution(1)], layers: ["x"])
        let source = try TileSource(WMSCTileSet.TileRequest(tileSet: set, baseURL: "http://h/"))
        #expect(source.extent == extent)
        #expect(source.grid.originCorner == .bottomLeft)
        #expect(source.grid.crs.name == "EPSG:25830")
    }

    @Test(arguments: [("{z}/{x}/{y}", ["coarse/0/0"]), ("{q}", []), ("{zoom-1}/{x}/{y}", [])])
    func `a level with a name instead of a number has no quadkeys`(template: String, urls: [String]) throws {
        let half = 20_037_508.342789244
        let matrix = try #require(
            TileGrid.Matrix(
                id: "coarse", resolution: View.resolution(2 * half / 256), tileWidth: 256, tileHeight: 256,
                origin: Coordinate(x: -half, y: half), columnCount: 1, rowCount: 1))
        let grid = try #require(TileGrid(crs: .webMercator, originCorner: .topLeft, matrices: [matrix]))
        let source = try TileSource(grid: grid, address: .xyz(XYZTemplate(template)))
        let mosaics = try source.seen(View.slippy(0, 0, zoom: 0))
        #expect(mosaics.flatMap(\.images).map(\.resource.location.description) == urls)
    }
}

@Suite struct TileSourceStandInsTests {
    private static let lost = ResourceError(.status, status: 500, place: "", message: "lost")

    static func source(_ grid: TileGrid?, template: String = "http://t.example/{z}/{x}/{y}.png") throws -> TileSource {
        try TileSource(grid: #require(grid), address: .xyz(XYZTemplate(template)))
    }

    static func view(x: Double, y: Double, zoom: Double, pixelRatio: Double = 1) throws -> Viewport {
        try Viewport(
            center: Coordinate(x: x, y: y), resolution: #require(Resolution(zoom: zoom, in: .webMercator)),
            size: #require(ImageSize(width: 300, height: 300)), pixelRatio: pixelRatio)
    }

    /// The tiles that are tried in place of one failed tile, if all of them fail.
    private static func standIns(of name: String, _ source: TileSource, _ view: Viewport) throws -> [SeenImage] {
        var arrivals = Arrivals(), found: [SeenImage] = []
        let lost = try #require(try source.planned(view).resources.first { $0.name == name }).id
        arrivals[lost] = .failure(Self.lost)
        while true {
            let plan = try source.planned(view, given: arrivals)
            let next = plan.resources.first { $0.use == .standIn && arrivals[$0.id] == nil }
            guard let next else { return found }
            // If it arrives, it is shown.
            var given = arrivals
            given[next.id] = .image(PixelBuffer(size: view.imageSize))
            let shown = try source.planned(view, given: given).seen.flatMap(\.images)
            found += shown.filter { $0.placement.standsIn == lost }
            arrivals[next.id] = .failure(Self.lost)
        }
    }

    @Test func `the parents of a tile are listed nearest first, each with its part`() throws {
        let source = try Self.source(.webMercator(levels: 0...6))
        let standIns = try Self.standIns(of: "5/16/15", source, Self.view(x: 1e6, y: 1e6, zoom: 5))
        #expect(standIns.map(\.name) == ["4/8/7", "3/4/3", "2/2/1", "1/1/0", "0/0/0"])
        #expect(standIns.first?.url == "http://t.example/4/8/7.png")
        // Tile 15 is the lower half of tile 7: rows go 14, 15.
        #expect(standIns.map(\.crop?.x) == [0, 0, 0, 0, 16 * 256])
        #expect(standIns.map(\.crop?.y) == [256, 3 * 256, 7 * 256, 15 * 256, 15 * 256])
        #expect(standIns.map(\.crop?.imageSize.width) == [512, 1024, 2048, 4096, 8192])
    }

    @Test func `across the antimeridian the parents are those of the original world`() throws {
        let source = try Self.source(.webMercator(levels: 0...6))
        let view = try Self.view(x: 20_037_508, y: 1e6, zoom: 5)
        let images = try source.seen(view).flatMap(\.images)
        #expect(images.count > 1)
        for image in images {
            let parts = image.name.split(separator: "/").compactMap { Int($0) }
            let parent = try #require(try Self.standIns(of: image.name, source, view).first)
            #expect(parent.name == "4/\(parts[1] / 2)/\(parts[2] / 2)", "\(image.name)")
            #expect(parent.crop?.x == parts[1] % 2 * 256 && parent.crop?.y == parts[2] % 2 * 256)
            #expect(parent.x == image.x)
            #expect(parent.y == image.y)
            #expect(parent.size == image.size)
        }
    }

    @Test func `levels that are not whole multiples have no parents`() throws {
        let matrices = [(3.0, 40), (2.5, 48), (1, 120)].compactMap { resolution, count in
            Resolution(unitsPerPixel: resolution).flatMap {
                TileGrid.Matrix(
                    id: "\(count)", resolution: $0, tileWidth: 256, tileHeight: 256,
                    origin: Coordinate(x: 0, y: 30_720), columnCount: count, rowCount: count)
            }
        }
        let source = try Self.source(TileGrid(crs: .webMercator, originCorner: .topLeft, matrices: matrices))
        for (column, parent) in [(1, "40/0/0"), (3, "40/1/0")] {
            let view = try View.make(x: Double(column) * 256 + 128, y: 30_720 - 128, width: 100, height: 100)
            #expect(try Self.standIns(of: "120/\(column)/0", source, view).map(\.name) == [parent])
        }
    }

    @Test func `at a high pixel ratio the parents are as dense as the tiles`() throws {
        let view = try Self.view(x: 1e6, y: 1e6, zoom: 5, pixelRatio: 2)
        let retina = try Self.source(.webMercator(levels: 0...6), template: "http://t.example/{z}/{x}/{y}{r}.png")
        let standIns = try Self.standIns(of: "5/16/15", retina, view)
        #expect(standIns.first?.url == "http://t.example/4/8/7@2x.png")
        #expect(standIns.first?.crop?.y == 512)
        let layer = try WMSTileRequestTests.layer(gutter: 0)
        let tiled = try #require(layer.tiles)
        let parents = try Self.standIns(of: "5/16/15", tiled, view)
        #expect(parents.map(\.name) == ["4/8/7", "3/4/3", "2/2/1", "1/1/0", "0/0/0"])
        #expect(parents.first?.crop?.imageSize.width == 1024)
        #expect(parents.first?.crop?.y == 512)
        #expect(try WMSPlannerTests.value("WIDTH", #require(parents.first)) == "512")
    }

    @Test func `no parents are requested unless a tile fails`() throws {
        let source = try Self.source(.webMercator(levels: 0...6)), view = try Self.view(x: 1e6, y: 1e6, zoom: 5)
        var arrivals = Arrivals()
        for resource in try source.planned(view).resources {
            arrivals[resource.id] = .image(PixelBuffer(size: view.imageSize))
        }
        #expect(try source.planned(view, given: arrivals).resources.allSatisfy { $0.use == .shown })
    }
}
