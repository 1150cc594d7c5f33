import Portolan
import PortolanCodecs
import PortolanFetch
import PortolanRaster
import PortolanServerCore
import TestHelpers
import Testing

enum ImageReading {
    static func pixels(_ bytes: [UInt8]) throws -> PixelBuffer { try ImageDecoders.standard.decode(bytes) }
}

@Suite struct MapServerTests {
    private static let tile = "/tiles/square/2/1/1.png"

    @Test func `the tag of a picture is known before drawing, and a client with it gets no other`() async throws {
        let sample = try await SampleServer(), again = try await SampleServer()
        let first = await sample.get(Self.tile)
        #expect(first.status == 200 && first[header: "Content-Type"] == "image/png")
        #expect(first[header: "Cache-Control"] == "public, max-age=60")
        #expect(first[header: "Access-Control-Allow-Origin"] == "*")
        let tag = try #require(first[header: "ETag"])
        #expect(sample.server.pictureFigures.drawn == 1)
        let second = await again.get(Self.tile, [("If-None-Match", "W/\(tag), \"x\"")])
        #expect(again.server.pictureFigures.drawn == 0, "another worker finds the same tag, and draws nothing")
        #expect(second.status == 304 && second.body.isEmpty && second[header: "ETag"] == tag)
        #expect(await sample.get("/tiles/square/2/1/2.png")[header: "ETag"] != tag)
        #expect(await sample.get("/tiles/square/2/1/1.jpg")[header: "ETag"] != tag)
    }

    @Test func `a drawn picture is cached, and simultaneous requests draw it once`() async throws {
        let sample = try await SampleServer()
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 { group.addTask { await sample.get(Self.tile).status } }
            for await status in group { #expect(status == 200) }
        }
        _ = await sample.get(Self.tile)
        #expect(sample.server.pictureFigures.drawn == 1)
    }

    @Test func `what needs no drawing is answered at once, and equals what was drawn`() async throws {
        let sample = try await SampleServer { $0.rate = TokenBuckets.Rate(perSecond: 0.001, burst: 3) }
        func begun(_ target: String, _ headers: [HTTPHeader] = []) -> ServerResponse? {
            guard case .answered(let outcome) = sample.server.begin("GET", target, headers: headers) else { return nil }
            return outcome.response
        }
        #expect(begun("/health/live")?.status == 200)
        #expect(begun("/nothing")?.status == 404)
        #expect(begun(Self.tile) == nil, "it has to be drawn")
        let drawn = await sample.get(Self.tile), kept = try #require(begun(Self.tile))
        #expect(kept.status == 200 && kept.body == drawn.body && Set(kept.headers) == Set(drawn.headers))
        let known = begun(Self.tile, [HTTPHeader(name: "If-None-Match", value: drawn[header: "ETag"] ?? "")])
        #expect(known?.status == 304)
        // The three before are of this client; the drawn one was another's.
        #expect(begun(Self.tile)?.status == 429, "kept pictures count, too")
    }

    @Test func `a changed file gives another map with other tags once the maps are reloaded`() async throws {
        let sample = try await SampleServer()
        let tag = await sample.get(Self.tile)[header: "ETag"]
        let other = SampleServer.square.replacing("#ff0000", with: "#00ff00")
        try sample.folder.write(Array(other.utf8), to: "square.geojson")
        let source = MapSource(name: "square", layers: ["\(sample.folder.path)/square.geojson"])
        sample.server.replace(try await MapBook.open([source], configuration: RendererConfiguration()))
        let response = await sample.get(Self.tile)
        #expect(response.status == 200 && response[header: "ETag"] != tag)
        #expect(try ImageReading.pixels(response.body)[255, 255] == Pixel(MapColor(red: 0, green: 255, blue: 0)))
        #expect(await sample.get("/tiles/named/0/0/0.png").status == 404)
    }

    @Test func `an incomplete picture is sent, but not cached`() async throws {
        let sample = try await SampleServer()
        var configuration = RendererConfiguration()
        configuration.retries.maximumCount = 0
        let (descriptor, port) = try LoopbackSocket.bound()
        defer { LoopbackSocket.end(descriptor) }
        var source = MapSource(
            name: "m", layers: ["xyz:http://127.0.0.1:\(port)/{z}/{x}/{y}.png", "\(sample.folder.path)/square.geojson"])
        sample.server.replace(try await MapBook.open([source], configuration: configuration))
        let response = await sample.get("/tiles/m/2/1/1.png")
        #expect(response.status == 200 && response[header: "Cache-Control"] == "no-store")
        #expect(response[header: "ETag"] == nil)
        source.layers.removeLast()
        sample.server.replace(try await MapBook.open([source], configuration: configuration))
        let nothing = await sample.get("/tiles/m/2/1/1.png")
        #expect(nothing.status == 502 && nothing[header: "Cache-Control"] == "no-store")
    }

    @Test func `requests over capacity are rejected at once, and abandoned drawing is cancelled`() async throws {
        let sample = try await SampleServer { settings in
            settings.pictures.concurrency = 1
            settings.pictures.room = 0
            settings.pictures.deadline = .seconds(600)
        }
        // A server that never answers.
        let (descriptor, port) = try LoopbackSocket.listen()
        defer { LoopbackSocket.end(descriptor) }
        let source = MapSource(name: "slow", layers: ["xyz:http://127.0.0.1:\(port)/{z}/{x}/{y}.png"])
        let square = MapSource(name: "square", layers: ["\(sample.folder.path)/square.geojson"])
        let book = try await MapBook.open([source, square], configuration: RendererConfiguration())
        sample.server.replace(book)
        let slow = Task { await sample.get("/tiles/slow/0/0/0.png") }
        #expect(await eventually { sample.server.gateFigures.running == 1 })
        let refused = await sample.get(Self.tile)
        #expect(refused.status == 503 && refused[header: "Retry-After"] != nil)
        slow.cancel()
        _ = await slow.value
        #expect(await eventually { sample.server.gateFigures.running == 0 })
        #expect(await sample.get(Self.tile).status == 200)
    }

    @Test func `a request that exceeds the deadline gets an error status`() async throws {
        let sample = try await SampleServer { $0.pictures.deadline = .milliseconds(200) }
        let (descriptor, port) = try LoopbackSocket.listen()
        defer { LoopbackSocket.end(descriptor) }
        let source = MapSource(name: "slow", layers: ["xyz:http://127.0.0.1:\(port)/{z}/{x}/{y}.png"])
        sample.server.replace(try await MapBook.open([source], configuration: RendererConfiguration()))
        let response = await sample.get("/tiles/slow/0/0/0.png")
        #expect([502, 504].contains(response.status))
        #expect(await eventually { sample.server.gateFigures.running == 0 })
    }

    @Test func `a client over its rate limit gets 429 with Retry-After`() async throws {
        let sample = try await SampleServer { $0.rate = TokenBuckets.Rate(perSecond: 0.001, burst: 2) }
        #expect(await sample.get(Self.tile).status == 200)
        #expect(await sample.get(Self.tile).status == 200)
        let response = await sample.get(Self.tile)
        #expect(response.status == 429)
        // A thousand seconds, less those since the first request.
        #expect((900...1000).contains(try #require(response[header: "Retry-After"].flatMap { Int($0) })))
        #expect(await sample.get("/health/live").status == 200)
    }

    @Test func `behind a trusted proxy clients are counted separately and cannot forge their address`() async throws {
        func statuses(trusting proxies: Set<String>, _ forwarded: [String]) async throws -> [Int] {
            let sample = try await SampleServer {
                $0.rate = TokenBuckets.Rate(perSecond: 0.001, burst: 1)
                $0.trustedProxies = proxies
            }
            var statuses: [Int] = []
            for value in forwarded { statuses.append(await sample.get(Self.tile, [("X-Forwarded-For", value)]).status) }
            return statuses
        }
        let own: Set<String> = ["192.0.2.1", "10.0.0.1"]
        #expect(try await statuses(trusting: own, ["198.51.100.1", "198.51.100.2, 10.0.0.1"]) == [200, 200])
        #expect(try await statuses(trusting: own, ["1.1.1.1, 198.51.100.1", "2.2.2.2, 198.51.100.1"]) == [200, 429])
        #expect(try await statuses(trusting: [], ["198.51.100.1", "198.51.100.2"]) == [200, 429])
    }

    @Test func `with keys static maps need a signature, and tiles do not`() async throws {
        let signature = try #require(URLSignature(keys: [[UInt8](repeating: 1, count: 16)]))
        let sample = try await SampleServer { $0.signature = signature }
        let target = "/maps/square/static/0,0,3/20x10.png"
        #expect(await sample.get(target).status == 401)
        #expect(await sample.get(signature.signing(target, expiry: 4_000_000_000)).status == 200)
        #expect(await sample.get(signature.signing(target, expiry: 1)).status == 401)
        #expect(await sample.get(Self.tile).status == 200)
    }

    @Test func `methods: HEAD as GET, OPTIONS for other origins, others rejected`() async throws {
        let sample = try await SampleServer()
        let head = await sample.answer("HEAD", Self.tile)
        #expect(head.status == 200 && head[header: "ETag"] != nil)
        let options = await sample.answer("OPTIONS", "/maps/square/static/0,0,3/20x10.png")
        #expect(options.status == 204)
        #expect(options[header: "Access-Control-Allow-Methods"] == "GET, HEAD, POST, OPTIONS")
        for method in ["DELETE", "PATCH", "get", "TRACE"] {
            let refused = await sample.answer(method, Self.tile)
            #expect(refused.status == 405 && refused[header: "Allow"] == "GET, HEAD, OPTIONS")
        }
        #expect(await sample.answer("POST", Self.tile).status == 405)
    }

    @Test(arguments: [
        "/nothing", "/tiles", "/tilejson", "/tilejson/a.xml", "/../etc/passwd", "/tiles/..%2F../0/0/0.png", "//",
    ])
    func `an unknown path is not found`(target: String) async throws {
        #expect(await (try SampleServer()).get(target).status == 404)
    }

    @Test func `health checks and metrics are served`() async throws {
        let sample = try await SampleServer()
        _ = await sample.get(Self.tile)
        _ = await sample.get("/tiles/square/99/0/0.png")
        #expect(await sample.get("/health/live").status == 200)
        #expect(await sample.get("/health/ready").status == 200)
        let page = String(decoding: await sample.get("/metrics").body, as: UTF8.self)
        #expect(page.contains("portolan_http_requests_total{route=\"tiles\",status=\"200\"} 1\n"))
        #expect(page.contains("portolan_http_requests_total{route=\"tiles\",status=\"404\"} 1\n"))
        #expect(page.contains("portolan_pictures_total{outcome=\"drawn\"} 1\n"))
        #expect(page.contains("portolan_gate_running 0\n"))
        sample.server.drain()
        #expect(await sample.get("/health/ready").status == 503)
        #expect(await sample.get(Self.tile).status == 200)
    }
}
