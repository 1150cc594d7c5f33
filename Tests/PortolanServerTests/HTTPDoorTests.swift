#if Server
import Portolan
import PortolanServer
import PortolanServerCore
import TestHelpers
import Testing

/// The door to HTTP on a socket of this machine.
@Suite struct HTTPDoorTests {
    private static let square = """
        {"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[0,0]}}
        """

    /// Does something with a server that runs.
    private func serving(
        layer: String? = nil, patience: HTTPService.Patience = HTTPService.Patience(),
        _ change: (inout MapServer.Settings) -> Void = { _ in },
        _ body: (_ port: Int, _ server: MapServer) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Array(Self.square.utf8), to: "a.geojson")
        let source = MapSource(name: "m", layers: [layer ?? "\(folder.path)/a.geojson"])
        var settings = MapServer.Settings(processors: 2)
        change(&settings)
        let server = MapServer(
            try await MapBook.open([source], configuration: RendererConfiguration()), settings: settings)
        var service = HTTPService(server)
        service.port = 0
        service.patience = patience
        let (ports, found) = AsyncStream.makeStream(of: Int.self)
        let running = Task { [service] in try await service.run(signals: []) { found.yield($0) } }
        var port = 0
        for await number in ports {
            port = number
            break
        }
        do { try await body(port, server) } catch {
            running.cancel()
            _ = await running.result
            throw error
        }
        running.cancel()
        _ = await running.result
    }

    @Test func `each kind of URL gets a response`() async throws {
        try await serving { port, _ in
            for target in [
                "/", "/tiles/m/0/0/0.png", "/tms/1.0.0/m/0/0/0.png", "/tilejson/m.json", "/health/live", "/metrics",
                "/maps/m/static/0,0,3/20x10.png", "/styles/v1/a/m/static/pin-s(0,0)/auto/20x10",
                "/staticmap?size=20x10&center=0,0&zoom=3",
            ] {
                #expect(try await RawHTTP.get(target, from: port).status == 200, "\(target)")
            }
            let post = try await RawHTTP.get(
                "/maps/m/static/auto/20x10.png", from: port, method: "POST",
                headers: ["Content-Type: application/geo+json"], body: Self.square)
            #expect(post.status == 200)
        }
    }

    @Test func `hostile requests are rejected, and the server continues`() async throws {
        try await serving({ $0.limits.bodyBytes = 1000 }) { port, _ in
            let long = String(repeating: "a", count: 20_000)
            #expect(try await RawHTTP.get("/tiles/\(long)", from: port).status == 414)
            let body = String(repeating: " ", count: 2000)
            let large = try await RawHTTP.get("/maps/m/static/auto/2x1.png", from: port, method: "POST", body: body)
            #expect(large.status == 413)
            for bytes in [
                "\0\0\0\0\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET /\u{7f}\u{0} HTTP/1.1\r\n\r\n",
            ] {
                // A sentence or no answer, but no harm.
                _ = try? await RawHTTP.send(Array(bytes.utf8), to: port)
            }
            let header = "X-Long: " + String(repeating: "b", count: 200_000)
            let refused = try? await RawHTTP.get("/", from: port, headers: [header])
            #expect(refused.map { (400..<500).contains($0.status) } ?? true)
            #expect(try await RawHTTP.get("/health/live", from: port).status == 200)
        }
    }

    @Test(arguments: [
        "G", "GET /health/live HTTP/1.1\r\nHost: a\r\nX-Slow: ",
        "POST /maps/m/static/auto/2x1.png HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{",
        "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\nPOST /routes HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n",
    ])
    func `an incomplete request does not keep its connection`(begun: String) async throws {
        var patience = HTTPService.Patience()
        (patience.head, patience.body, patience.idle) = (.milliseconds(50), .milliseconds(50), .seconds(86_400))
        try await serving(patience: patience) { port, _ in
            // It comes back when the server has ended the connection.
            _ = try await RawHTTP.onThread { () -> [UInt8] in
                guard let socket = LoopbackSocket.connect(port: UInt16(port)) else { return [] }
                defer { LoopbackSocket.end(socket) }
                _ = LoopbackSocket.send(Array(begun.utf8), to: socket)
                return LoopbackSocket.readAll(socket)
            }
            // On a busy machine a whole request may take longer than the server's patience, too.
            #expect(await eventually { (try? await RawHTTP.get("/health/live", from: port).status) == 200 })
        }
    }

    @Test(arguments: [
        (
            "POST", "/maps/m/static/auto/20x10.png", "Content-Type: application/geo+json\r\nExpect: 100-continue\r\n",
            200
        ),
        ("POST", "/nothing", "eXpect: 100-CONTINUE\r\n", 404),
    ])
    func `RFC 9110 section 10_1_1: a client that expects 100-continue gets it`(
        method: String, target: String, fields: String, status: Int
    ) async throws {
        try await serving { port, _ in
            let head = "\(method) \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(fields)"
            let length = "Content-Length: \(Self.square.utf8.count)\r\n\r\n"
            let (first, rest) = try await RawHTTP.onThread { () -> (String?, [UInt8]) in
                guard let socket = LoopbackSocket.connect(port: UInt16(port)) else { return (nil, []) }
                defer { LoopbackSocket.end(socket) }
                _ = LoopbackSocket.send(Array((head + length).utf8), to: socket)
                let first = LoopbackSocket.readHead(socket)
                _ = LoopbackSocket.send(Array(Self.square.utf8), to: socket)
                return (first, LoopbackSocket.readAll(socket))
            }
            #expect(first == "HTTP/1.1 100 Continue")
            #expect(String(decoding: rest, as: UTF8.self).hasPrefix("HTTP/1.1 \(status) "))
        }
    }

    @Test(arguments: [
        ("POST", "Expect: 100-continue\r\nContent-Length: 5000\r\n", 413),
        ("POST", "Expect: 200-maybe\r\nContent-Length: 5\r\n", 417),
        ("POST", "Expect: 100-continue, tea\r\nContent-Length: 5\r\n", 417), ("GET", "Expect: tea\r\n", 417),
        ("GET", "Expect: 100-continue\r\nContent-Length: 5\r\n", 200), ("GET", "Expect: 100-continue\r\n", 200),
    ])
    func `RFC 9110 section 10_1_1: a client that may not send a body is rejected at once`(
        method: String, fields: String, status: Int
    ) async throws {
        try await serving({ $0.limits.bodyBytes = 1000 }) { port, _ in
            let target = method == "GET" ? "/health/live" : "/maps/m/static/auto/2x1.png"
            let head = "\(method) \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
            let answer = try await RawHTTP.onThread { () -> String? in
                guard let socket = LoopbackSocket.connect(port: UInt16(port)) else { return nil }
                defer { LoopbackSocket.end(socket) }
                _ = LoopbackSocket.send(Array(head.utf8), to: socket)
                return LoopbackSocket.readHead(socket)
            }
            let text = try #require(answer)
            #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(text)")
            // What was announced and not read must not be taken for a request.
            #expect(
                text.lowercased().contains("connection: close") == (status > 400 || fields.contains("Content-Length")),
                "\(text)")
        }
    }

    @Test func `rendering is cancelled when the client disconnects`() async throws {
        // A server that never answers.
        let (descriptor, slow) = try LoopbackSocket.listen()
        defer { LoopbackSocket.end(descriptor) }
        try await serving(
            layer: "xyz:http://127.0.0.1:\(slow)/{z}/{x}/{y}.png", { $0.pictures.deadline = .seconds(600) }
        ) {
            port, server in
            let socket = try #require(LoopbackSocket.connect(port: UInt16(port)))
            let request = "GET /tiles/m/0/0/0.png HTTP/1.1\r\nHost: a\r\n\r\n"
            #expect(LoopbackSocket.send(Array(request.utf8), to: socket))
            #expect(await eventually { server.gateFigures.running == 1 })
            LoopbackSocket.end(socket)
            #expect(await eventually { server.gateFigures.running == 0 })
        }
    }

    @Test func `requests of clients that have disconnected leave the queue`() async throws {
        // A server that never answers.
        let (descriptor, slow) = try LoopbackSocket.listen()
        defer { LoopbackSocket.end(descriptor) }
        try await serving(
            layer: "xyz:http://127.0.0.1:\(slow)/{z}/{x}/{y}.png",
            {
                $0.pictures.deadline = .seconds(600)
                $0.pictures.concurrency = 1
            }
        ) {
            port, server in
            var sockets: [Int32] = []
            for column in 0..<8 {
                let socket = try #require(LoopbackSocket.connect(port: UInt16(port)))
                sockets.append(socket)
                let request = "GET /tiles/m/3/\(column)/0.png HTTP/1.1\r\nHost: a\r\n\r\n"
                #expect(LoopbackSocket.send(Array(request.utf8), to: socket))
                #expect(await eventually { server.gateFigures.running + server.gateFigures.waiting == column + 1 })
            }
            for socket in sockets.dropFirst() { LoopbackSocket.end(socket) }
            #expect(await eventually { server.gateFigures.waiting == 0 })
            #expect(server.gateFigures.abandoned == 7)
            #expect(server.gateFigures.running == 1)
            LoopbackSocket.end(sockets[0])
            #expect(await eventually { server.gateFigures.running == 0 })
        }
    }

    @Test func `a connection serves many requests, pipelined ones too`() async throws {
        try await serving { port, _ in
            let one = "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n"
            let last = "GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            let bytes = Array((one + one + last).utf8)
            let received = try await RawHTTP.onThread { () -> [UInt8] in
                guard let socket = LoopbackSocket.connect(port: UInt16(port)) else { return [] }
                defer { LoopbackSocket.end(socket) }
                _ = LoopbackSocket.send(bytes, to: socket)
                return LoopbackSocket.readAll(socket)
            }
            #expect(String(decoding: received, as: UTF8.self).ranges(of: "200 OK").count == 3)
        }
    }
}
#endif
