#if Storage
import Foundation
import Portolan
import PortolanArchives
import PortolanFetch
import PortolanPlan
import PortolanRaster
import PortolanTesting
import PortolanWeb
import Synchronization
import TestHelpers
import Testing

@Suite(.timeLimit(.minutes(20))) struct RemotePMTilesTests {
    static let red = MapColor(red: 200, green: 0, blue: 0), green = MapColor(red: 0, green: 200, blue: 0)
    static let address = "http://h.example/world.pmtiles"

    /// An archive of the levels 0 to 4 with one colour; the first tile is 16 KiB or more after the beginning.
    static func archive(
        _ color: MapColor, _ folder: TemporaryFolder, levels: ClosedRange<Int> = 0...4
    ) throws -> [UInt8] {
        let path = folder.path + "/\(UUID().uuidString).pmtiles", writer = try PMTilesWriter(path: path, job: "j")
        let tile = try World.png(color)
        for level in levels {
            var tiles: [MBTile] = []
            for row in 0..<(1 << level) {
                for column in 0..<(1 << level) where level < 4 || (7...8).contains(row) {
                    // Tiles that differ, so that each is requested.
                    tiles.append(
                        MBTile(level: level, column: column, row: row, bytes: tile + [UInt8(column), UInt8(row)]))
                }
            }
            try writer.write(tiles)
        }
        try writer.finish(MBTilesMetadata(name: "World", format: "png", levels: levels))
        return [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    static func layer() throws -> MapLayer {
        let archive = TileArchive(format: .pmtiles, address: NamedURL(address, namedBy: .user))
        let grid = try #require(TileGrid.webMercator(levels: 0...4))
        return MapLayer(name: "tiles", source: TileSource(grid: grid, address: .archive(archive)))
    }

    static func renderer(
        _ server: RangeServer, cache: TemporaryFolder? = nil, isOffline: Bool = false
    ) -> MapRenderer {
        var configuration = World.configuration()
        configuration.cacheFolder = cache.map { $0.path + "/cache" }
        configuration.isOffline = isOffline
        return MapRenderer(configuration: configuration, transport: server.transport)
    }

    static func drawn(_ renderer: MapRenderer, _ layer: MapLayer? = nil) async throws -> RenderResult {
        let result = try await renderer.render([layer ?? Self.layer()], in: World.view(), options: World.plain())
        await renderer.flush()
        return result
    }

    @Test func `a remote archive is drawn by range requests, and offline from the cache`() async throws {
        let folder = try TemporaryFolder(), server = RangeServer(try Self.archive(Self.red, folder))
        let first = try await Self.drawn(Self.renderer(server, cache: folder))
        #expect(first.report.complete)
        #expect(first.image[64, 64] == Pixel(Self.red))
        #expect(first.report.layers[0].fetched == 4)
        // The header and the root directory once, and four tiles.
        let log = server.log
        #expect(Set(log).count == 5)
        #expect(log.first == "0-16383 206")
        let again = try await Self.drawn(Self.renderer(server, cache: folder))
        #expect(server.log == log)
        #expect(again.image == first.image)
        server.stop()
        let offline = try await Self.drawn(Self.renderer(server, cache: folder, isOffline: true))
        #expect(offline.report.complete)
        #expect(offline.image == first.image)
    }

    @Test func `tiles missing from the archive are empty`() async throws {
        let folder = try TemporaryFolder(), server = RangeServer(try Self.archive(Self.red, folder, levels: 0...3))
        let result = try await Self.drawn(Self.renderer(server))
        #expect(result.report.complete)
        #expect(Set(server.log) == ["0-16383 206"])
    }

    @Test(arguments: [true, false]) func `a replaced archive is read again from its beginning`(
        isConditional: Bool
    ) async throws {
        let folder = try TemporaryFolder()
        let server = RangeServer(
            try Self.archive(Self.red, folder), RangeServer.Behaviour(ignoresConditions: !isConditional))
        let renderer = Self.renderer(server, cache: folder)
        let client = ServiceClient(configuration: World.configuration(), transport: server.transport)
        _ = try await client.openPMTiles(at: Self.address)
        _ = try await Self.drawn(renderer)
        server.replace(try Self.archive(Self.green, folder) + [0], tag: "\"2\"")
        // The cache has the old beginning, and no tile of the view beside.
        let view = try #require(try? World.view().panned(x: 512, y: 0))
        let result = try await renderer.render([Self.layer()], in: view, options: World.plain())
        #expect(result.report.complete)
        #expect(result.image[64, 64] == Pixel(Self.green))
    }

    /// An archive of one vector tile.
    static func vectorArchive(at path: String) throws {
        let line = SampleTiles.Feature(.lines, [[(100, 100), (4000, 4000)]])
        let writer = try PMTilesWriter(path: path, job: "j")
        try writer.write([
            MBTile(level: 0, column: 0, row: 0, bytes: SampleTiles([("l", [line])]).tile(column: 0, row: 0))
        ])
        try writer.finish(MBTilesMetadata(name: "Line", format: "pbf", levels: 0...0))
    }

    private static func style(_ address: String) -> String {
        #"""
        {"version": 8, "sources": {"v": {"type": "vector", "url": "\#(address)"}},
         "layers": [{"id": "l", "type": "line", "source": "v", "source-layer": "l"}]}
        """#
    }

    @Test(arguments: [
        "vector:http://h.example/planet.pmtiles?token=1", "vector:pmtiles://http://h.example/planet?token=1",
        "pmtiles:http://h.example/planet?token=1", "pmtiles://http://h.example/planet?token=1",
    ])
    func `the address of an archive may have a query, and needs no suffix behind its kind`(
        _ source: String
    ) async throws {
        let folder = try TemporaryFolder(), path = folder.path + "/a.pmtiles"
        try Self.vectorArchive(at: path)
        let server = RangeServer([UInt8](try Data(contentsOf: URL(filePath: path))))
        let client = ServiceClient(configuration: World.configuration(), transport: server.transport)
        let layer = try await LayerBuilder(client: client).build([LayerSpecification(source)]).first?.layer
        #expect(layer?.vectorTiles != nil)
        let style = try LayerSpecification(
            kind: .style, source: Self.style("pmtiles://http://h.example/planet?token=1"))
        let drawn = try await LayerBuilder(client: client).build([style]).first?.layer
        #expect(drawn?.style?.sources["v"] is VectorTileSource)
        #expect(server.log.first == "0-16383 206")
    }

    @Test func `a style file may name archives in any folder, and a style from a server none`() async throws {
        let archives = try TemporaryFolder(), styles = try TemporaryFolder()
        try Self.vectorArchive(at: archives.path + "/a.pmtiles")
        let style = Self.style("pmtiles://\(archives.path)/a.pmtiles")
        try styles.write(Array(style.utf8), to: "style.json")
        let transport = StubTransport { request throws(FetchError) in
            HTTPResponse(status: 200, body: Array(style.utf8), url: request.url)
        }
        let client = ServiceClient(configuration: World.configuration(), transport: transport)
        func source(_ style: String) async throws -> (any LayerSource)? {
            let words = try LayerSpecification(kind: .style, source: style)
            return try await LayerBuilder(client: client).build([words]).first?.layer?.style?.sources["v"]
        }
        #expect(try await source(styles.path + "/style.json") is VectorTileSource)
        #expect(try await source("http://h.example/style.json") == nil)
        // The URL is taken for a path on that server.
        #expect(transport.requests.allSatisfy { $0.url.hasPrefix("http://h.example/") })
    }

    @Test func `an archive that changes repeatedly is an error`() async throws {
        let folder = try TemporaryFolder(), file = try Self.archive(Self.red, folder)
        let count = Counter()
        let transport = StubTransport { request throws(FetchError) in
            let ends = request.header("Range")?.dropFirst(6).split(separator: "-").compactMap { Int($0) } ?? [0, 0]
            let last = min(ends[1], file.count - 1)
            return HTTPResponse(
                status: 206,
                headers: [
                    HTTPHeader(name: "ETag", value: "\"\(count.next())\""),
                    HTTPHeader(name: "Content-Range", value: "bytes \(ends[0])-\(last)/\(file.count)"),
                ], body: Array(file[ends[0]...last]), url: request.url)
        }
        let renderer = MapRenderer(configuration: World.configuration(), transport: transport)
        let error = await #expect(throws: MapError.self) { try await Self.drawn(renderer) }
        #expect(error?.description.contains("replaced while it was read") == true)
    }

    @Test func `without range support small archives are read whole and large ones refused`() async throws {
        let folder = try TemporaryFolder(), file = try Self.archive(Self.red, folder)
        let small = RangeServer(file, RangeServer.Behaviour(sendsWhole: true))
        let result = try await Self.drawn(Self.renderer(small))
        #expect(result.report.complete)
        #expect(result.image[64, 64] == Pixel(Self.red))
        #expect(Set(small.log) == ["0-16383 200"])
        let large = RangeServer(file + [UInt8](repeating: 0, count: 33 << 20), RangeServer.Behaviour(sendsWhole: true))
        let client = ServiceClient(configuration: World.configuration(), transport: large.transport)
        do throws(ServiceError) {
            _ = try await client.openPMTiles(at: Self.address)
            Issue.record("it was opened")
        } catch {
            #expect(error.code == .notOffered)
            #expect(error.detail.contains("ignored the range request"))
        }
    }

    @Test func `compressed range responses are refused`() async throws {
        let folder = try TemporaryFolder()
        let server = RangeServer(try Self.archive(Self.red, folder), RangeServer.Behaviour(encoding: "gzip"))
        let client = ServiceClient(configuration: World.configuration(), transport: server.transport)
        do throws(ServiceError) {
            _ = try await client.openPMTiles(at: Self.address)
            Issue.record("it was opened")
        } catch {
            #expect(error.code == .notOffered)
            #expect(error.detail.contains("Content-Encoding gzip"))
        }
    }

    @Test func `a file of another kind and a missing file are distinguished`() async throws {
        let client = ServiceClient(
            configuration: World.configuration(), transport: RangeServer(Array("<html>".utf8)).transport)
        do throws(ServiceError) {
            _ = try await client.openPMTiles(at: Self.address)
            Issue.record("it was opened")
        } catch {
            #expect(error.code == .unreadable)
            #expect(error.detail.contains("not a PMTiles archive"))
        }
        let nothing = ServiceClient(configuration: World.configuration(), transport: StubTransport(bodies: [:]))
        do throws(ServiceError) {
            _ = try await nothing.openPMTiles(at: Self.address)
            Issue.record("it was opened")
        } catch { #expect(error.status == 404) }
    }

    @Test func `a remote archive is opened with its name, levels and tile size`() async throws {
        let folder = try TemporaryFolder(), server = RangeServer(try Self.archive(Self.red, folder))
        let client = ServiceClient(configuration: World.configuration(), transport: server.transport)
        let opened = try await client.openPMTiles(at: Self.address)
        #expect(opened.isVector == false)
        #expect(opened.name == "World")
        #expect(opened.tiles.grid.matrices.map(\.id) == ["0", "1", "2", "3", "4"])
        #expect(opened.tiles.grid.matrices.first?.tileWidth == 256)
        // Header and root, metadata, one tile.
        #expect(server.log.count == 3)
        let result = try await Self.drawn(Self.renderer(server), opened.layer(named: "a"))
        #expect(result.image[64, 64] == Pixel(Self.red))
    }
}

/// Numbers from 1.
private final class Counter: Sendable {
    private let number = Mutex(0)

    func next() -> Int {
        number.withLock {
            $0 += 1
            return $0
        }
    }
}
#endif
