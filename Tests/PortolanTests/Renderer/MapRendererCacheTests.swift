import Foundation
import Portolan
import PortolanFetch
import PortolanRaster
import PortolanSQLite
import PortolanTesting
import PortolanWeb
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(20))) struct MapRendererCacheTests {
    /// A folder that goes with this value.
    final class Folder: Sendable {
        let path = FileManager.default.temporaryDirectory.appending(path: "portolan-cache-\(UUID().uuidString)").path
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    static func renderer(
        _ transport: StubTransport, _ folder: String?, change: (inout RendererConfiguration) -> Void = { _ in }
    ) -> MapRenderer {
        var configuration = World.configuration()
        configuration.cacheFolder = folder
        change(&configuration)
        return MapRenderer(configuration: configuration, transport: transport)
    }

    static func drawn(_ renderer: MapRenderer, _ view: Viewport? = nil) async throws -> RenderResult {
        let result = try await renderer.render([World.tiles()], in: view ?? World.view(), options: World.plain())
        await renderer.flush()
        return result
    }

    static func dead() -> StubTransport {
        StubTransport { request throws(FetchError) in
            throw FetchError(.cannotConnect, url: request.url, detail: "nobody is there")
        }
    }

    #if Storage
    @Test func `another renderer draws from the disk cache without network`() async throws {
        let folder = Folder(), transport = try World.transport(.black)
        let first = try await Self.drawn(Self.renderer(transport, folder.path))
        #expect(transport.requests.count == 4)
        let second = try await Self.drawn(Self.renderer(transport, folder.path))
        #expect(transport.requests.count == 4 && second.image == first.image)
        #expect(second.report.layers[0].cached == 4 && second.report.layers[0].fetched == 0)
        let offline = try await Self.drawn(Self.renderer(Self.dead(), folder.path) { $0.isOffline = true })
        #expect(offline.image == first.image && offline.report.complete && offline.report.warnings.isEmpty)
    }
    #endif

    @Test func `panning by half a view requests only the new tiles`() async throws {
        let transport = try World.transport(.black)
        let renderer = Self.renderer(transport, nil)
        let view = try World.view(width: 1024, height: 512)
        _ = try await Self.drawn(renderer, view)
        let before = Set(transport.requests.map(\.url))
        #expect(before.count == 8)
        let moved = try #require(try? view.panned(x: 512, y: 0))
        let result = try await Self.drawn(renderer, moved)
        let new = transport.requests.map(\.url).dropFirst(8)
        #expect(new.count == 4 && before.isDisjoint(with: new))
        #expect(result.report.layers[0].fetched == 4 && result.report.layers[0].cached == 4)
    }

    #if Storage
    @Test func `stale tiles replace those of an unreachable server, and the report states it`() async throws {
        let folder = Folder(), body = try World.png(.black)
        let transport = StubTransport { request throws(FetchError) in
            HTTPResponse(
                status: 200, headers: [HTTPHeader(name: "Cache-Control", value: "max-age=0")], body: body,
                url: request.url)
        }
        _ = try await Self.drawn(Self.renderer(transport, folder.path))
        let result = try await Self.drawn(Self.renderer(Self.dead(), folder.path))
        #expect(result.report.layers[0].stale == 4 && result.report.complete)
        #expect(
            result.report.warnings.map(\.description) == [
                "layer 'tiles': 4 of 4 are stale, from the cache, because cannot connect"
            ])
        #expect(result.image == PixelBuffer(size: result.image.size, filledWith: Pixel(.black)))
    }

    @Test func `a damaged image in the disk cache is never shown`() async throws {
        let folder = Folder(), transport = try World.transport(.black)
        _ = try await Self.drawn(Self.renderer(transport, folder.path))
        let file = URL(filePath: folder.path + "/answers.sqlite3")
        // A task of the first renderer may hold the store for a moment longer, and with it what its log has.
        try SQLiteConnection(path: file.path, access: .writing).run("PRAGMA wal_checkpoint(TRUNCATE)")
        var bytes = [UInt8](try Data(contentsOf: file))
        // The beginnings of the pictures: the signature of PNG, and the header after it.
        var count = 0
        for index in 0..<bytes.count - 24 where bytes[index..<index + 4].elementsEqual([0x89, 0x50, 0x4E, 0x47]) {
            bytes[index + 20] ^= 0xFF
            count += 1
        }
        #expect(count == 4)
        try Data(bytes).write(to: file)
        let result = try await Self.drawn(Self.renderer(transport, folder.path))
        #expect(transport.requests.count == 8 && result.report.layers[0].fetched == 4)
        #expect(result.image == PixelBuffer(size: result.image.size, filledWith: Pixel(.black)))
    }

    @Test func `an unusable cache folder is a warning and the map is drawn`() async throws {
        let transport = try World.transport(.black)
        let result = try await Self.drawn(Self.renderer(transport, "/dev/null/cache"))
        #expect(result.report.complete && result.report.layers[0].fetched == 4)
        #expect(result.report.warnings.count == 1 && result.report.warnings[0].message.contains("/dev/null/cache"))
    }

    @Test func `cache rules apply per layer and per host`() async throws {
        for change in [
            { (configuration: inout RendererConfiguration) in configuration.layerCacheRules["tiles"] = .disabled },
            { (configuration: inout RendererConfiguration) in configuration.hostCacheRules["t.example"] = .disabled },
        ] {
            let folder = Folder(), transport = try World.transport(.black)
            for _ in 0..<2 { _ = try await Self.drawn(Self.renderer(transport, folder.path, change: change)) }
            #expect(transport.requests.count == 8)
        }
    }

    @Test func `authenticated responses are not reused for other users`() async throws {
        let folder = Folder(), body = try World.png(.black)
        let transport = StubTransport { request throws(FetchError) in
            let isKnown = request.headers.contains { $0.value == "Bearer secret" }
            return HTTPResponse(status: isKnown ? 200 : 401, body: isKnown ? body : [], url: request.url)
        }
        let mine = Self.renderer(transport, folder.path) { $0.refreshCredential = { _, _ in .bearer(token: "secret") } }
        #expect(try await Self.drawn(mine).report.complete)
        await #expect(throws: MapError.self) { _ = try await Self.drawn(Self.renderer(transport, folder.path)) }
        // With a separate account the cache is used.
        let account: (inout RendererConfiguration) -> Void = { $0.credentials["T.example"] = .bearer(token: "secret") }
        _ = try await Self.drawn(Self.renderer(transport, folder.path, change: account))
        let before = transport.requests.count
        let again = try await Self.drawn(Self.renderer(transport, folder.path, change: account))
        #expect(again.report.layers[0].cached == 4 && transport.requests.count == before)
    }

    @Test(arguments: ["no-store", "no-cache", nil])
    func `responses that must not be stored are requested for each picture`(
        directive: String?
    ) async throws {
        let body = try World.png(.black)
        let transport = StubTransport { request throws(FetchError) in
            let headers = directive.map { [HTTPHeader(name: "Cache-Control", value: $0)] } ?? []
            return HTTPResponse(status: 200, headers: headers, body: body, url: request.url)
        }
        let renderer = Self.renderer(transport, nil) { if directive == nil { $0.cacheRule = .disabled } }
        for round in 1...3 {
            #expect(try await Self.drawn(renderer).report.layers[0].fetched == 4)
            #expect(transport.requests.count == 4 * round)
        }
    }

    @Test func `a document that cannot be read is requested again`() async throws {
        let folder = Folder(), count = Mutex(0)
        let good =
            "<?xml version='1.0'?><Services><TileMapService title='a' version='1.0.0' href='http://t.example/1'/></Services>"
        let transport = StubTransport { request throws(FetchError) in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            return HTTPResponse(status: 200, body: Array((isFirst ? "internal error" : good).utf8), url: request.url)
        }
        let client = Self.renderer(transport, folder.path).services
        await #expect(throws: MapError.self) { _ = try await client.tmsDocument(at: "http://t.example/tms") }
        _ = try await client.tmsDocument(at: "http://t.example/tms")
        _ = try await client.tmsDocument(at: "http://t.example/tms")
        #expect(transport.requests.count == 2)
    }

    @Test func `cache entries are removed by address prefix and by bounds`() async throws {
        let folder = Folder(), transport = try World.transport(.black)
        let renderer = Self.renderer(transport, folder.path)
        _ = try await Self.drawn(renderer)
        #expect(await renderer.storeStatistics()?.count == 4)
        #expect(try await renderer.removeStored(StoreSelection(bounds: [1, 1, 10, 10])) == 1)
        #expect(try await renderer.removeStored(StoreSelection(prefix: "http://other.example")) == 0)
        #expect(try await renderer.removeStored(StoreSelection(prefix: "http://t.example/4/7")) == 2)
        #expect(await renderer.storeStatistics()?.count == 1)
    }

    @Test func `part of a coarser tile replaces a missing one, and the report states it`() async throws {
        let folder = Folder()
        // The tile 3/3/3 has a colour for each of its quarters; level 4 is unavailable.
        let size = try #require(ImageSize(width: 256, height: 256))
        var picture = PixelBuffer(size: size, filledWith: Pixel(.black))
        for y in 0..<256 {
            for x in 0..<256 where x >= 128 && y >= 128 {
                picture[x, y] = Pixel(red: 255, green: 0, blue: 0, alpha: 255)
            }
        }
        let parent = try PNGEncoder.encode(picture)
        let transport = StubTransport { request throws(FetchError) in
            guard request.url.contains("/3/") else { return HTTPResponse(status: 503, url: request.url) }
            return HTTPResponse(status: 200, body: parent, url: request.url)
        }
        let coarse = try Viewport(
            center: Coordinate(x: 0, y: 0), resolution: #require(Resolution(zoom: 3, in: .webMercator)),
            size: #require(ImageSize(width: 64, height: 64)))
        _ = try await Self.drawn(Self.renderer(transport, folder.path), coarse)
        for renderer in [
            Self.renderer(transport, folder.path), Self.renderer(Self.dead(), folder.path) { $0.isOffline = true },
        ] {
            let result = try await Self.drawn(renderer)
            #expect(result.image[10, 10] == Pixel(red: 255, green: 0, blue: 0, alpha: 255))
            #expect(result.image[100, 100] == Pixel(.black))
            let layer = result.report.layers[0]
            #expect(!result.report.complete && layer.failed.count == 4)
            #expect(layer.failed.allSatisfy { $0.error.contains("part of the coarser tile 3/") })
        }
        // With nothing coarser there is nothing.
        await #expect(throws: MapError.self) { _ = try await Self.drawn(Self.renderer(Self.dead(), nil)) }
    }

    @Test func `documents are cached, exceptions are not`() async throws {
        let folder = Folder()
        for (text, count) in [
            ("{\"type\":\"FeatureCollection\",\"features\":[]}", 1), (World.exception, 2), ("<html>", 2),
        ] {
            let transport = StubTransport { request throws(FetchError) in
                HTTPResponse(status: 200, body: Array(text.utf8), url: request.url)
            }
            let client = Self.renderer(transport, folder.path + "\(text.count)").services
            for _ in 0..<2 { #expect(try await client.data(from: "http://t.example/doc") == Array(text.utf8)) }
            #expect(transport.requests.count == count)
        }
    }

    @Test func `a view of many tiles is drawn without requests the second time`() async throws {
        let transport = try World.transport(), renderer = World.renderer(transport)
        let view = try World.view(width: 3072, height: 3072)
        let first = try await renderer.render([World.tiles()], in: view, options: World.plain())
        let count = transport.requests.count
        #expect(count == 144 && first.report.complete)
        let second = try await renderer.render([World.tiles()], in: view, options: World.plain())
        #expect(transport.requests.count == count && second.report.layers[0].cached == 144)
    }
    #endif
}
