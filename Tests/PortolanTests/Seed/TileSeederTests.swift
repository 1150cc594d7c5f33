import Foundation
import Portolan
import PortolanFetch
import PortolanGeo
import PortolanRaster
import PortolanTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(20))) struct TileSeederTests {
    static func plan(
        _ layer: MapLayer? = nil, levels: ClosedRange<Int> = 0...4, maximum: Int = 1000
    ) throws -> TileSeeder.Plan {
        let world = try #require(CRS.webMercator.worldExtent)
        return try TileSeeder.Plan(layer: layer ?? World.tiles(), levels: levels, extent: world, maximumCount: maximum)
    }

    static func seeder(_ path: String, _ transport: StubTransport) throws -> TileSeeder {
        try TileSeeder(plan: plan(), path: path, configuration: World.configuration(), transport: transport)
    }

    @Test func `a plan has the tiles of its levels and extent`() throws {
        let plan = try Self.plan()
        #expect(plan.count == 1 + 4 + 16 + 64 + 256 && plan.ranges.map(\.level) == [0, 1, 2, 3, 4])
        let part = try TileSeeder.Plan(
            layer: World.tiles(), levels: 2...3,
            extent: #require(Extent(minX: 1e6, minY: 1e6, maxX: 1_000_001, maxY: 1_000_001)),
            maximumCount: 2)
        #expect(part.ranges.map(\.columns) == [2...2, 4...4] && part.ranges.map(\.rows) == [1...1, 3...3])
    }

    @Test func `invalid or disallowed plans are refused`() throws {
        func code(_ work: () throws -> TileSeeder.Plan) -> MapError.Code? {
            do { _ = try work() } catch { return (error as? MapError)?.code }
            return nil
        }
        #expect(code { try Self.plan(maximum: 340) } == .tooLarge)
        #expect(code { try Self.plan(World.tiles(host: "a.tile.openstreetmap.org")) } == .notAllowed)
        #expect(code { try Self.plan(levels: 19...25) } == .nothingFound)
        #expect(TileSeeder.BulkPolicy.refusal(of: "https://tile.OpenStreetMap.org/1/1/1.png") != nil)
        #expect(TileSeeder.BulkPolicy.refusal(of: "https://notopenstreetmap.org/1/1/1.png") == nil)
        #expect(TileSeeder.BulkPolicy.refusal(of: "https://tiles.example.org/openstreetmap.org/1.png") == nil)
    }

    /// A tile of the world's end has no gutter, and those of finer levels have.
    @Test(arguments: [(64, true), (0, false)]) func `tiles with a gutter are refused`(
        gutter: Int, isRefused: Bool
    ) async throws {
        let (client, _) = try ServiceClientTests.client(["h": ServiceClientTests.ok("mapserver/caps-1.1.1.xml")])
        var options = WMSOptions(layers: ["relief"])
        options.tiling = WMSOptions.Tiling(tileSize: 256, gutter: gutter)
        let layer = try await client.wmsLayer(named: "t", url: "http://h/wms", options: options).layer
        guard isRefused else {
            #expect(try Self.plan(layer, levels: 0...1).count == 5)
            return
        }
        let error = #expect(throws: MapError.self) { _ = try Self.plan(layer, levels: 0...1) }
        #expect(error?.code == .nothingFound && error?.message.contains("gutter=0") == true)
    }

    @Test func `tiles of a limited grid are seeded`() throws {
        let whole = try #require(TileGrid.webMercator())
        let parts = try [2, 3].map { level in
            let matrix = whole.matrices[level]
            return try #require(
                TileGrid.Matrix(
                    id: matrix.id, resolution: matrix.resolution, tileWidth: 256, tileHeight: 256,
                    origin: matrix.origin, columnCount: matrix.columnCount, rowCount: matrix.rowCount, columns: 2...3,
                    rows: 1...2))
        }
        let grid = try #require(TileGrid(crs: .webMercator, originCorner: .topLeft, matrices: parts))
        let source = try TileSource(grid: grid, address: .xyz(XYZTemplate("http://h/{z}/{x}/{y}.png")))
        let plan = try Self.plan(MapLayer(name: "part", source: source), levels: 2...3)
        #expect(plan.count == 8 && plan.ranges.map(\.columns) == [2...3, 2...3])
        // A pyramid that begins above level 0 says so.
        let error = #expect(throws: MapError.self) {
            _ = try Self.plan(MapLayer(name: "part", source: source), levels: 0...3)
        }
        #expect(error?.message == "layer 'part' has no tiles at level 0; it has levels 2 to 3")
    }

    #if Storage
    @Test func `a stopped job resumes without fetching tiles twice`() async throws {
        let folder = MapRendererCacheTests.Folder(), body = try World.png(.black)
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let path = folder.path + "/a.mbtiles"
        let isBroken = Mutex(false)
        let transport = StubTransport { request throws(FetchError) in
            // For a while a part of level 4 is unavailable.
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
        // Of a whole file nothing is asked for any more; another job finds it taken.
        let count = transport.requests.count
        let third = try Self.seeder(path, transport)
        let done = try await third.run(name: "World")
        let sampled = try await third.sample()
        #expect(third.isFinished && done.present == 341 && sampled == done && done.failed == 0)
        #expect(transport.requests.count == count)
        #expect(throws: MapError.self) {
            _ = try TileSeeder(plan: Self.plan(levels: 0...3), path: path, transport: transport)
        }

        // And a map is drawn of the file alone.
        let layer = try MapLayer.mbtiles(named: "file", path: path)
        #expect(layer.attribution == "© all" && layer.source.kind == "mbtiles")
        let renderer = MapRenderer(configuration: World.configuration(), transport: MapRendererCacheTests.dead())
        let result = try await renderer.render([layer], in: World.view(), options: World.plain())
        #expect(result.report.complete && result.report.layers[0].fetched == 4)
        #expect(result.image == PixelBuffer(size: result.image.size, filledWith: Pixel(.black)))
    }

    @Test(arguments: [403, 429, 418]) func `a job stops if the server refuses access`(status: Int) async throws {
        let folder = MapRendererCacheTests.Folder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let transport = StubTransport { request throws(FetchError) in HTTPResponse(status: status, url: request.url) }
        let seeder = try Self.seeder(folder.path + "/a.mbtiles", transport)
        let error = await #expect(throws: MapError.self) { _ = try await seeder.run(name: "") }
        #expect(error?.code == .unavailable && transport.requests.count <= 32)
    }
    #endif

    static func failing(_ parts: [String], _ body: [UInt8]) -> StubTransport {
        StubTransport { request throws(FetchError) in
            let isFailure = parts.contains { request.url.contains($0) }
            return HTTPResponse(status: isFailure ? 500 : 200, body: isFailure ? [] : body, url: request.url)
        }
    }

    #if Storage
    @Test func `a failed batch of one tile does not stop the job`() async throws {
        let folder = MapRendererCacheTests.Folder(), body = try World.png(.black)
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let path = folder.path + "/a.mbtiles"
        let sample = try await Self.seeder(folder.path + "/b.mbtiles", Self.failing([".png"], body)).sample(count: 1)
        #expect(sample.failed == 1 && sample.firstFailure?.contains("500") == true)
        for fetched in [340, 0] {
            let progress = try await Self.seeder(path, Self.failing(["/4/3/3.png"], body)).run(name: "")
            #expect(progress.failed == 1 && progress.fetched == fetched)
        }
    }

    /// Of 80 tiles the last batch has 16, rows 6 and 7 of level 3; row 5 ends the batch before.
    @Test func `consecutive failures are counted across batches`() async throws {
        let folder = MapRendererCacheTests.Folder(), body = try World.png(.black)
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        func run(_ file: String, rows: ClosedRange<Int>) async throws -> TileSeeder.Progress {
            let parts = rows.flatMap { row in (0..<8).map { "/3/\($0)/\(row).png" } }
            return try await TileSeeder(
                plan: Self.plan(levels: 2...3), path: folder.path + "/" + file, configuration: World.configuration(),
                transport: Self.failing(parts, body)
            ).run(name: "")
        }
        #expect(try await run("a.mbtiles", rows: 6...7).failed == 16)
        let error = await #expect(throws: MapError.self) { try await run("b.mbtiles", rows: 5...7) }
        #expect(error?.code == .unavailable)
    }

    @Test func `a job resumes with another API key but not with other tiles`() async throws {
        let folder = MapRendererCacheTests.Folder(), body = try World.png(.black)
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        func seeder(_ query: String, _ transport: StubTransport) throws -> TileSeeder {
            let source = try TileSource(
                grid: #require(.webMercator()), address: .xyz(XYZTemplate("http://t.example/{z}/{x}/{y}.png?" + query)))
            return try TileSeeder(
                plan: Self.plan(MapLayer(name: "t", source: source), levels: 0...2),
                path: folder.path + "/a.mbtiles", configuration: World.configuration(), transport: transport)
        }
        let long = String(repeating: "x", count: 600)
        let first = try await seeder("token=a&style=\(long)1", Self.failing(["/2/3/3.png"], body)).run(name: "")
        #expect(first.failed == 1 && first.fetched == 20)
        #expect(throws: MapError.self) { try seeder("token=a&style=\(long)2", Self.failing([], body)) }
        let second = try await seeder("token=b&style=\(long)1", Self.failing([], body)).run(name: "")
        #expect(second.present == 20 && second.fetched == 1)
    }

    @Test func `a response that is not an image is not stored`() async throws {
        let folder = MapRendererCacheTests.Folder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let path = folder.path + "/a.mbtiles"
        let transport = StubTransport { request throws(FetchError) in
            HTTPResponse(status: 200, body: Array(World.exception.utf8), url: request.url)
        }
        do {
            // Its file is its own for as long as it lives.
            let seeder = try Self.seeder(path, transport)
            await #expect(throws: MapError.self) { _ = try await seeder.run(name: "") }
        }
        #expect(try await Self.seeder(path, World.transport()).sample().present == 0)
    }
    #endif
}
