#if Redis
import Portolan
import PortolanDiskCache
import PortolanFetch
import PortolanPlan
import PortolanRaster
import PortolanRedis
import PortolanTesting
import PortolanWeb
import TestHelpers
import Testing

/// Whole maps with a shared cache, and what becomes of them when it fails.
@Suite(.onRedisServer, .timeLimit(.minutes(20))) struct RedisMapTests {
    static func transport() throws -> StubTransport {
        let size = try #require(ImageSize(width: 256, height: 256))
        let body = try PNGEncoder.encode(PixelBuffer(size: size, filledWith: Pixel(.black)))
        return StubTransport { request throws(FetchError) in
            HTTPResponse(
                status: 200, headers: [HTTPHeader(name: "Cache-Control", value: "max-age=600")], body: body,
                url: request.url)
        }
    }

    /// Four tiles, drawn by a separate worker.
    static func drawn(_ transport: StubTransport, _ store: any ResponseStore) async throws -> RenderResult {
        var configuration = RendererConfiguration()
        configuration.store = store
        configuration.usesSystemFonts = false
        configuration.retries = .none
        let source = try TileSource(
            grid: #require(.webMercator()), address: .xyz(XYZTemplate("http://t.example/{z}/{x}/{y}.png")))
        let view = try Viewport(
            center: Coordinate(x: 0, y: 0), resolution: #require(Resolution(zoom: 4, in: .webMercator)),
            size: #require(ImageSize(width: 128, height: 128)))
        var options = RenderOptions()
        options.attribution = .none
        let renderer = MapRenderer(configuration: configuration, transport: transport)
        return try await renderer.render([MapLayer(name: "tiles", source: source)], in: view, options: options)
    }

    static func isWhole(_ result: RenderResult) -> Bool {
        result.report.complete && result.image == PixelBuffer(size: result.image.size, filledWith: Pixel(.black))
    }

    @Test func `workers share a cache, and fetch each tile once even at the same time`() async throws {
        let server = try await RedisServer()
        let transport = try Self.transport()
        async let one = Self.drawn(transport, try server.store())
        async let two = Self.drawn(transport, try server.store())
        for result in try await [one, two] { #expect(Self.isWhole(result) && result.report.warnings.isEmpty) }
        #expect(transport.requests.count == 4)
        let third = try await Self.drawn(transport, try server.store())
        #expect(transport.requests.count == 4 && third.report.layers[0].cached == 4)
    }

    @Test func `maps are complete without the server, with one warning, and use it when it is back`() async throws {
        let server = try await RedisServer()
        let transport = try Self.transport(), store = try server.store()
        _ = try await Self.drawn(transport, store)
        server.stop()
        let without = try await Self.drawn(transport, store)
        #expect(Self.isWhole(without))
        #expect(transport.requests.count == 8)
        #expect(without.report.warnings.count == 1)
        #expect(without.report.warnings.allSatisfy { $0.message.hasPrefix("the cache is disabled: \(server.url): ") })
        try await server.start()
        _ = try await Self.drawn(transport, store)
        let again = try await Self.drawn(transport, store)
        #expect(transport.requests.count == 12 && again.report.layers[0].cached == 4)
    }

    @Test func `another store is used while the server is unavailable`() async throws {
        let server = try await RedisServer()
        let transport = try Self.transport(), folder = TemporaryFolder()
        let store = FallbackStore(try server.store(), else: SQLiteStore(folder: folder.path))
        server.stop()
        _ = try await Self.drawn(transport, store)
        let second = try await Self.drawn(transport, store)
        #expect(Self.isWhole(second) && second.report.layers[0].cached == 4 && transport.requests.count == 4)
        #expect(second.report.warnings.count == 1)
    }

    @Test func `a map is complete if the server is full, has another password or is not Redis`() async throws {
        let full = try await RedisServer("--maxmemory", "1", "--maxmemory-policy", "noeviction")
        let closed = try await RedisServer("--requirepass", "secret")
        let listener = try LoopbackListener()
        listener.start { descriptor in
            _ = LoopbackSocket.read(descriptor)
            _ = LoopbackSocket.send(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), to: descriptor)
        }
        defer { listener.stop() }
        let foreign = try RedisStore(url: "redis://127.0.0.1:\(listener.port)")
        for store in [try full.store(), try closed.store(), foreign] {
            let transport = try Self.transport()
            let result = try await Self.drawn(transport, store)
            #expect(Self.isWhole(result))
            #expect(transport.requests.count == 4)
            #expect(result.report.warnings.count == 1, "\(result.report.warnings)")
        }
    }
}
#endif
