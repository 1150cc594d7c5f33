import Foundation
import Portolan
import PortolanTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct TileSeederTests {
    static func plan(_ layer: MapLayer? = nil, levels: ClosedRange<Int> = 0...4, maximum: Int = 1000) throws -> SeedPlan
    {
        let world = try #require(CRS.webMercator.worldExtent)
        return try SeedPlan(layer: layer ?? World.tiles(), levels: levels, extent: world, maximumCount: maximum)
    }

    static func seeder(_ path: String, _ transport: StubTransport) throws -> TileSeeder {
        try TileSeeder(plan: plan(), path: path, configuration: World.configuration(), transport: transport)
    }

    @Test func `the tiles of a plan`() throws {
        let plan = try Self.plan()
        #expect(plan.count == 1 + 4 + 16 + 64 + 256 && plan.ranges.map(\.level) == [0, 1, 2, 3, 4])
        let part = try SeedPlan(
            layer: World.tiles(), levels: 2...3,
            extent: #require(Extent(minX: 1e6, minY: 1e6, maxX: 1_000_001, maxY: 1_000_001)),
            maximumCount: 2)
        #expect(part.ranges.map(\.columns) == [2...2, 4...4] && part.ranges.map(\.rows) == [1...1, 3...3])
    }

    @Test func `plans that cannot be`() throws {
        func code(_ work: () throws -> SeedPlan) -> SeedError.Code? {
            do { _ = try work() } catch { return (error as? SeedError)?.code }
            return nil
        }
        #expect(code { try Self.plan(maximum: 340) } == .tooMany)
        #expect(code { try Self.plan(World.tiles(host: "a.tile.openstreetmap.org")) } == .refused)
        #expect(code { try Self.plan(levels: 19...25) } == .noTiles)
        #expect(BulkPolicy.refusal(of: "https://tile.OpenStreetMap.org/1/1/1.png") != nil)
        #expect(BulkPolicy.refusal(of: "https://notopenstreetmap.org/1/1/1.png") == nil)
        #expect(BulkPolicy.refusal(of: "https://tiles.example.org/openstreetmap.org/1.png") == nil)
    }

    @Test func `a job that is stopped goes on and fetches nothing twice`() async throws {
        let folder = MapRendererCacheTests.Folder(), body = try World.png(.black)
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let path = folder.path + "/a.mbtiles"
        let isBroken = Mutex(false)
        let transport = StubTransport { request throws(FetchError) in
            // For a while a part of level 4 is not to be had.
            if isBroken.withLock({ $0 }), request.url.contains("/4/7/") || request.url.contains("/4/1") {
                throw FetchError(.cannotConnect, url: request.url, detail: "nobody")
            }
            if request.url.hasSuffix("/4/0/0.png") { return HTTPResponse(status: 404, url: request.url) }
            return HTTPResponse(status: 200, body: body, url: request.url)
        }
        let sample = try await Self.seeder(path, transport).sample()
        #expect(sample.total == 341 && sample.fetched == 5 && sample.byteCount == 5 * body.count)
        #expect(sample.estimatedByteCount == 336 * body.count)
        isBroken.withLock { $0 = true }
        let first = try await Self.seeder(path, transport).run(name: "World")
        #expect(first.present == 5 && first.failed > 50 && first.absent == 1 && first.done == 341)
        #expect(first.firstFailure?.contains("nobody") == true)
        isBroken.withLock { $0 = false }
        let second = try await Self.seeder(path, transport).run(name: "World", attribution: "© all")
        #expect(second.failed == 0 && second.fetched == first.failed && second.present == 341 - first.failed)
        let good = Dictionary(grouping: transport.requests.map(\.url), by: \.self).filter {
            !$0.key.contains("/4/7/") && !$0.key.contains("/4/1")
        }
        #expect(good.values.allSatisfy { $0.count == 1 })
        #expect(throws: SeedError.self) { _ = try Self.seeder(path, transport) }

        // And a map is drawn of the file alone.
        let layer = try MapLayer.mbtiles(named: "file", path: path)
        #expect(layer.attribution == "© all" && layer.content.kind == "mbtiles")
        let renderer = MapRenderer(configuration: World.configuration(), transport: MapRendererCacheTests.dead())
        let result = try await renderer.render([layer], in: World.view(), options: World.plain())
        #expect(result.report.complete && result.report.layers[0].fetched == 4)
        #expect(result.image == PixelBuffer(size: result.image.size, filledWith: Pixel(.black)))
    }

    @Test(arguments: [403, 429, 418]) func `a server that asks to be left alone is`(status: Int) async throws {
        let folder = MapRendererCacheTests.Folder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let transport = StubTransport { request throws(FetchError) in HTTPResponse(status: status, url: request.url) }
        let seeder = try Self.seeder(folder.path + "/a.mbtiles", transport)
        let error = await #expect(throws: SeedError.self) { _ = try await seeder.run(name: "") }
        #expect(error?.code == .stopped && transport.requests.count <= 32)
    }

    @Test func `what is no image is not kept`() async throws {
        let folder = MapRendererCacheTests.Folder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let path = folder.path + "/a.mbtiles"
        let transport = StubTransport { request throws(FetchError) in
            HTTPResponse(status: 200, body: Array(World.exception.utf8), url: request.url)
        }
        let seeder = try Self.seeder(path, transport)
        await #expect(throws: SeedError.self) { _ = try await seeder.run(name: "") }
        #expect(try await Self.seeder(path, World.transport()).sample().present == 0)
    }
}
