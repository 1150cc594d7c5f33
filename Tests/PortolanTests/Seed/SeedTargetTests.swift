#if Storage
import Foundation
import Portolan
import PortolanArchives
import PortolanFeatures
import PortolanFetch
import PortolanGeo
import PortolanRaster
import PortolanTesting
import Testing

/// Tiles of any grid, kept in GeoPackages and in the cache.
@Suite(.timeLimit(.minutes(20))) struct SeedTargetTests {
    struct Grid: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let words: String
        let levels: ClosedRange<Int>
        let box: [Double]
        let crs: String
    }

    /// Layers without a service that would have to be asked, and a box in units of a system.
    static let grids = [
        Grid(
            testDescription: "degrees, counted from below",
            words:
                "wmsc:http://t.example/w?;layers=a;crs=EPSG:4326;extent=-180,-90,180,90;resolutions=0.703125,0.3515625,0.17578125,0.087890625",
            levels: 0...3, box: [-0.9, 41.65, -0.87, 41.69], crs: "EPSG:4326"),
        Grid(
            testDescription: "a region whose height is no whole number of tiles, counted from below",
            words:
                "wmsc:http://t.example/w?;layers=a;crs=EPSG:25830;extent=500000,4000000,900000,4700000;resolutions=1000,500,250",
            levels: 0...2, box: [600_000, 4_100_000, 700_000, 4_600_000], crs: "EPSG:25830"),
        Grid(
            testDescription: "steps that do not halve",
            words:
                "xyz:http://t.example/{z}/{x}/{y}.png;crs=EPSG:2056;resolutions=500,250,100,50,20;origin=2420000,1350000",
            levels: 0...4, box: [2_600_000, 1_190_000, 2_610_000, 1_200_000], crs: "EPSG:2056"),
        Grid(
            testDescription: "tiles that are not square",
            words: "xyz:http://t.example/{z}/{x}/{y}.png;crs=EPSG:3035;resolutions=400,200;"
                + "origin=2000000,5500000;tile-size=256x128", levels: 0...1,
            box: [4_000_000, 3_000_000, 4_200_000, 3_100_000],
            crs: "EPSG:3035"),
        Grid(
            testDescription: "web mercator", words: "xyz:http://t.example/{z}/{x}/{y}.png", levels: 2...4,
            box: [-20, -20, 20, 20], crs: "EPSG:4326"),
        Grid(
            testDescription: "web mercator by a TMS", words: "tms:http://t.example/{z}/{x}/{y}.png", levels: 2...4,
            box: [-20, -20, 20, 20], crs: "EPSG:4326"),
    ]

    /// Each tile has a different colour, by its address.
    private static func transport() -> StubTransport {
        StubTransport { request throws(FetchError) in
            let hash = request.url.utf8.reduce(into: UInt32(17)) { $0 = $0 &* 31 &+ UInt32($1) }
            let color = MapColor(
                red: UInt8(hash & 0xFF), green: UInt8(hash >> 8 & 0xFF), blue: UInt8(hash >> 16 & 0xFF))
            guard let body = try? World.png(color) else {
                throw FetchError(.cannotConnect, url: request.url, detail: "no picture")
            }
            return HTTPResponse(
                status: 200, headers: [HTTPHeader(name: "Cache-Control", value: "max-age=3600")], body: body,
                url: request.url)
        }
    }

    private static func plan(_ grid: Grid, _ target: TileSeeder.Target) async throws -> (TileSeeder.Plan, MapLayer) {
        let client = ServiceClient(configuration: World.configuration(), transport: transport())
        let built = try await LayerBuilder(client: client, mapCRS: CRS(grid.crs)).build([LayerSpecification(grid.words)]
        )
        let layer = try #require(built[0].layer)
        let box = try #require(Extent(minX: grid.box[0], minY: grid.box[1], maxX: grid.box[2], maxY: grid.box[3]))
        return (
            try TileSeeder.Plan(
                layer: layer, levels: grid.levels, extent: box, in: CRS(grid.crs), margin: 1, maximumCount: 1000,
                target: target),
            layer
        )
    }

    /// A view within the box at the resolution of a level, in the system of the tiles.
    private static func view(_ grid: Grid, _ layer: MapLayer, _ level: TileSeeder.Plan.Level) throws -> Viewport {
        let tiles = try #require(layer.tiles).grid
        let matrix = try #require(tiles.matrices.first { $0.id == String(level.level) || $0.id == "0\(level.level)" })
        let box = try #require(Extent(minX: grid.box[0], minY: grid.box[1], maxX: grid.box[2], maxY: grid.box[3]))
        let place: Extent = try #require(LayerBounds(box, crs: CRS(grid.crs)).extent(in: tiles.crs))
        return try Viewport(
            center: place.center, resolution: matrix.resolution, size: #require(ImageSize(width: 64, height: 48)),
            crs: tiles.crs)
    }

    @Test(arguments: grids) func `a seeded GeoPackage gives the same picture as the service`(grid: Grid) async throws {
        let folder = MapRendererCacheTests.Folder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let path = folder.path + "/a.gpkg"
        let (plan, layer) = try await Self.plan(grid, .geoPackage)
        let transport = Self.transport()
        let seeder = try TileSeeder(plan: plan, path: path, configuration: World.configuration(), transport: transport)
        let progress = try await seeder.run(name: "Tiles", attribution: "© all")
        #expect(progress.fetched == plan.count && progress.done == plan.count && transport.requests.count == plan.count)
        // Another run of the job finds all that is there.
        let again = try TileSeeder(plan: plan, path: path, configuration: World.configuration(), transport: transport)
        #expect(again.isFinished)
        let file = try MapLayer.geoPackage(named: "file", path: path)
        #expect(file.warnings == [])
        let dead = MapRenderer(configuration: World.configuration(), transport: MapRendererCacheTests.dead())
        for level in plan.ranges {
            let view = try Self.view(grid, layer, level)
            let expected = try await World.renderer(Self.transport()).render([layer], in: view, options: World.plain())
            let found = try await dead.render([file.layer], in: view, options: World.plain())
            #expect(expected.report.complete && found.report.complete && found.report.layers[0].empty == 0)
            #expect(found.image == expected.image, "level \(level.level)")
        }
    }

    @Test(arguments: grids) func `tiles seeded into the cache are drawn without network`(grid: Grid) async throws {
        let folder = MapRendererCacheTests.Folder()
        let (plan, layer) = try await Self.plan(grid, .cache)
        var configuration = World.configuration()
        configuration.cacheFolder = folder.path
        let transport = Self.transport()
        let first = try await TileSeeder(plan: plan, configuration: configuration, transport: transport).run(name: "")
        #expect(first.fetched == plan.count && first.unkept == 0)
        let second = try await TileSeeder(plan: plan, configuration: configuration, transport: transport).run(name: "")
        #expect(second.present == plan.count && second.fetched == 0 && transport.requests.count == plan.count)
        configuration.isOffline = true
        let dead = MapRenderer(configuration: configuration, transport: MapRendererCacheTests.dead())
        for level in plan.ranges {
            let report = try await dead.render([layer], in: Self.view(grid, layer, level), options: World.plain())
                .report
            #expect(report.complete && report.layers[0].cached > 0, "level \(level.level)")
        }
    }

    @Test func `uncacheable tiles are counted, and a cache folder is required`() async throws {
        let folder = MapRendererCacheTests.Folder(), body = try World.png(.black)
        let (plan, _) = try await Self.plan(Self.grids[4], .cache)
        let transport = StubTransport { request throws(FetchError) in
            HTTPResponse(
                status: 200, headers: [HTTPHeader(name: "Cache-Control", value: "no-store")], body: body,
                url: request.url)
        }
        var configuration = World.configuration()
        #expect(throws: MapError.self) {
            try TileSeeder(plan: plan, configuration: configuration, transport: transport)
        }
        configuration.cacheFolder = folder.path
        let progress = try await TileSeeder(plan: plan, configuration: configuration, transport: transport).run(
            name: "")
        #expect(progress.unkept == plan.count && progress.done == plan.count && progress.fetched == 0)
    }

    /// Of a box in the middle of one tile, and at the end of the world.
    @Test(arguments: [
        ([10.0, 10, 11, 11], 0, 4...4, 3...3), ([10, 10, 11, 11], 1, 3...5, 2...4),
        ([170, 80, 179, 85], 2, 5...7, 0...2),
    ]) func `a margin adds tiles on each side within the world`(
        box: [Double], margin: Int, columns: ClosedRange<Int>, rows: ClosedRange<Int>
    ) throws {
        let extent = try #require(Extent(minX: box[0], minY: box[1], maxX: box[2], maxY: box[3]))
        let plan = try TileSeeder.Plan(
            layer: World.tiles(), levels: 3...3, extent: extent, in: .crs84, margin: margin, maximumCount: 100)
        #expect(plan.ranges.map(\.columns) == [columns] && plan.ranges.map(\.rows) == [rows])
    }

    @Test func `MBTiles hold only Web Mercator, and the error suggests a GeoPackage`() async throws {
        let error = await #expect(throws: MapError.self) { try await Self.plan(Self.grids[0], .mbtiles) }
        #expect(error?.code == .nothingFound && error?.message.contains("-o map.gpkg") == true)
    }

    @Test func `a GeoPackage with other content is not changed`() async throws {
        let folder = MapRendererCacheTests.Folder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let path = folder.path + "/a.gpkg", transport = Self.transport()
        let (plan, _) = try await Self.plan(Self.grids[4], .geoPackage),
            (other, _) = try await Self.plan(Self.grids[0], .geoPackage)
        _ = try await TileSeeder(plan: plan, path: path, configuration: World.configuration(), transport: transport)
            .sample()
        var error = #expect(throws: MapError.self) { try TileSeeder(plan: other, path: path, transport: transport) }
        #expect(error?.code == .duplicate && error?.message.contains("it was begun with another layer") == true)
        _ = try await TileSeeder(plan: plan, path: path, configuration: World.configuration(), transport: transport)
            .run(name: "")
        error = #expect(throws: MapError.self) { try TileSeeder(plan: other, path: path, transport: transport) }
        #expect(error?.message.contains("it is complete") == true)
        let features = folder.path + "/b.gpkg"
        try GeoPackageFeatures.Writer.write(FeatureCollection(features: []), to: features, table: "t")
        error = #expect(throws: MapError.self) { try TileSeeder(plan: plan, path: features, transport: transport) }
        #expect(error?.message.contains("has other contents") == true)
    }

    /// Empty tiles are dealt with, those that the server does not have too; what fails is tried again.
    @Test(arguments: [
        (204, "", 1, 0, 0), (200, "", 1, 0, 0), (404, ";empty-status=404", 1, 0, 0),
        (403, ";empty-status=403", 1, 0, 0),
        (404, "", 0, 1, 0), (410, "", 0, 1, 0), (500, "", 0, 0, 1), (202, "", 0, 0, 1),
    ])
    func `empty, absent and failed tiles are counted separately`(
        status: Int, keys: String, empty: Int, absent: Int, failed: Int
    ) async throws {
        let folder = MapRendererCacheTests.Folder(), body = try World.png(.black)
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let transport = StubTransport { request throws(FetchError) in
            let isOdd = request.url.contains("/2/1/1.")
            return HTTPResponse(status: isOdd ? status : 200, body: isOdd ? [] : body, url: request.url)
        }
        let usual = Self.grids[4]
        let grid = Grid(
            testDescription: "", words: usual.words + keys, levels: 2...3, box: usual.box, crs: usual.crs)
        for (name, target) in [("a.mbtiles", TileSeeder.Target.mbtiles), ("a.gpkg", .geoPackage)] {
            let (plan, _) = try await Self.plan(grid, target)
            let seeder = try TileSeeder(
                plan: plan, path: folder.path + "/" + name, configuration: World.configuration(), transport: transport)
            let progress = try await seeder.run(name: "")
            #expect(progress.empty == empty && progress.absent == absent && progress.failed == failed)
            #expect(progress.fetched == plan.count - 1 && progress.done == plan.count)
        }
    }
}
#endif
