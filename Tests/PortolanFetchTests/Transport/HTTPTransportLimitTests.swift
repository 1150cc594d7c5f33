#if os(Linux)
import PortolanFetch
import TestHelpers
import Testing

/// Time and size limits; the timeouts are real but nothing here asserts how long anything took.
@Suite(.timeLimit(.minutes(20)))
struct HTTPTransportLimitTests {
    private func error(
        over kind: TestTransport, _ steps: [FaultServer.Step], timeouts: HTTPRequest.Timeouts = HTTPRequest.Timeouts(),
        limit: Int = 1 << 20
    ) async throws -> FetchError? {
        let server = try FaultServer { _ in steps }
        defer { server.stop() }
        let request = HTTPRequest(to: server.url("/"), timeouts: timeouts, maximumBodyByteCount: limit)
        let transport = kind.make()
        let error = await #expect(throws: FetchError.self) { try await transport.send(request) }
        #expect(await eventually { server.openConnectionCount == 0 }, "the connection is closed")
        // It is not its end that closed the connection.
        return withExtendedLifetime(transport) { error }
    }

    @Test(arguments: TestTransport.allCases)
    func `a server that is silent before the response times out`(over kind: TestTransport) async throws {
        let error = try await error(over: kind, [.stall], timeouts: HTTPRequest.Timeouts(stall: .milliseconds(300)))
        #expect(error?.code == .timedOut)
        #expect(error?.detail.hasPrefix("first byte") == true)
    }

    @Test(arguments: TestTransport.allCases)
    func `a server that is silent within the body has stalled`(over kind: TestTransport) async throws {
        let steps: [FaultServer.Step] = [.text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"), .stall]
        let error = try await error(over: kind, steps, timeouts: HTTPRequest.Timeouts(stall: .milliseconds(300)))
        #expect(error?.code == .timedOut)
        #expect(error?.detail.hasPrefix("stalled") == true)
        #expect(error?.status == 200)
    }

    @Test(arguments: TestTransport.allCases)
    func `a slow response is ended by the total timeout`(over kind: TestTransport) async throws {
        let drip = (0..<100).flatMap { _ in [FaultServer.Step.text("x"), .pause(milliseconds: 50)] }
        let steps = [.text("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")] + drip
        let timeouts = HTTPRequest.Timeouts(stall: .seconds(30), total: .milliseconds(400))
        let error = try await error(over: kind, steps, timeouts: timeouts)
        #expect(error?.code == .timedOut)
        #expect(error?.detail.hasPrefix("total") == true)
    }

    @Test(arguments: TestTransport.allCases)
    func `a slow response is not a stall`(over kind: TestTransport) async throws {
        let transport = kind.make()
        let drip = (0..<10).flatMap { _ in [FaultServer.Step.text("x"), .pause(milliseconds: 20)] }
        let server = try FaultServer { _ in [.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")] + drip }
        defer { server.stop() }
        let timeouts = HTTPRequest.Timeouts(stall: .seconds(10))
        let response = try await transport.send(HTTPRequest(to: server.url("/"), timeouts: timeouts))
        #expect(response.body.count == 10)
    }

    @Test(arguments: TestTransport.allCases)
    func `the total timeout covers a chain of redirects`(over kind: TestTransport) async throws {
        let steps: [FaultServer.Step] = [.pause(milliseconds: 150), .response("302 Found", headers: ["Location: /x"])]
        let error = try await error(over: kind, steps, timeouts: HTTPRequest.Timeouts(total: .milliseconds(400)))
        #expect(error?.code == .timedOut)
    }

    @Test(
        arguments: TestTransport.allCases,
        [
            ("206 Partial Content", "Content-Range: bytes 0-3/9\r\nContent-Length: 4\r\n"),
            ("200 OK", "Content-Length: 4\r\nContent-Length: 3\r\n"), ("200 OK", "Content-Length: 4, 5\r\n"),
        ])
    func `an unrequested partial response, or one with several lengths, is rejected`(
        over kind: TestTransport, _ test: (status: String, head: String)
    ) async throws {
        let transport = kind.make()
        let server = try FaultServer { _ in [.text("HTTP/1.1 \(test.status)\r\n\(test.head)\r\ntile"), .close] }
        defer { server.stop() }
        let error = await #expect(throws: FetchError.self) {
            try await transport.send(HTTPRequest(to: server.url("/")))
        }
        #expect(error?.code == .malformedResponse, "\(String(describing: error))")
    }

    @Test(arguments: TestTransport.allCases)
    func `a length that is stated twice is accepted`(over kind: TestTransport) async throws {
        let transport = kind.make()
        let head = "Content-Length: 4\r\nContent-Length: 4\r\n"
        let server = try FaultServer { _ in [.text("HTTP/1.1 200 OK\r\n\(head)\r\ntile"), .close] }
        defer { server.stop() }
        #expect(try await transport.send(HTTPRequest(to: server.url("/"))).body == Array("tile".utf8))
    }

    @Test(arguments: TestTransport.allCases)
    func `a requested partial response is accepted`(over kind: TestTransport) async throws {
        let transport = kind.make()
        let server = try FaultServer { _ in [.text("HTTP/1.1 206 Part\r\nContent-Length: 4\r\n\r\ntile"), .close] }
        defer { server.stop() }
        let request = HTTPRequest(to: server.url("/"), headers: [HTTPHeader(name: "Range", value: "bytes=0-3")])
        #expect(try await transport.send(request).status == 206)
    }

    @Test(arguments: TestTransport.allCases, ["HTTP/1.1 200 OK\r\nX: ", "HTTP/1.1 200 "])
    func `an endless line at the start of the header is rejected`(over kind: TestTransport, start: String) async throws
    {
        let transport = kind.make()
        let server = try FaultServer { _ in
            [.text(start)] + (0..<100).map { _ in .text(String(repeating: "x", count: 10_000)) } + [.stall]
        }
        defer { server.stop() }
        let error = await #expect(throws: FetchError.self) {
            try await transport.send(HTTPRequest(to: server.url("/")))
        }
        // URLSession does not say what libcurl refuses.
        #expect(
            error?.code == (kind.isURLSession ? .transportFailure : .headerTooLarge), "\(String(describing: error))")
    }

    @Test(arguments: TestTransport.allCases)
    func `a stated length over the limit is rejected`(over kind: TestTransport) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n"
        #expect(try await error(over: kind, [.text(head), .stall])?.code == .bodyTooLarge)
    }

    @Test(arguments: TestTransport.allCases)
    func `a body without a stated length is stopped at the limit`(over kind: TestTransport) async throws {
        let part = FaultServer.Step.text(String(repeating: "x", count: 100_000))
        let steps = [.text("HTTP/1.1 200 OK\r\n\r\n")] + Array(repeating: part, count: 100)
        let error = try await error(over: kind, steps, limit: 250_000)
        #expect(error?.code == .bodyTooLarge)
        #expect(error?.status == 200)
    }

    @Test(arguments: TestTransport.allCases)
    func `a body of exactly the limit is accepted`(over kind: TestTransport) async throws {
        let transport = kind.make()
        let server = try FaultServer { _ in [.text("HTTP/1.1 200 OK\r\n\r\nabc"), .close] }
        defer { server.stop() }
        let request = HTTPRequest(to: server.url("/"), maximumBodyByteCount: 3)
        #expect(try await transport.send(request).body.count == 3)
    }

    @Test(arguments: TestTransport.allCases)
    func `a gzip bomb is stopped at the limit of the decoded size`(over kind: TestTransport) async throws {
        let transport = kind.make()
        let bomb = CompressedBodies.eightMebibytesOfZero
        let step = FaultServer.Step.response(headers: ["Content-Encoding: gzip"], body: bomb)
        #expect(bomb.count < 10_000)
        let server = try FaultServer { _ in [step] }
        defer { server.stop() }
        let error = await #expect(throws: FetchError.self) {
            try await transport.send(HTTPRequest(to: server.url("/"), maximumBodyByteCount: 100_000))
        }
        #expect(error?.code == .bodyTooLarge)
        let whole = try await transport.send(HTTPRequest(to: server.url("/"), maximumBodyByteCount: 8 << 20))
        #expect(whole.body.count == 8 << 20)
    }

    @Test(arguments: TestTransport.allCases)
    func `a header that is too large is refused`(over kind: TestTransport) async throws {
        let line = FaultServer.Step.text("X-Large: " + String(repeating: "x", count: 8000) + "\r\n")
        let steps = [.text("HTTP/1.1 200 OK\r\n")] + Array(repeating: line, count: 34) + [.text("\r\n"), .stall]
        #expect(try await error(over: kind, steps)?.code == .headerTooLarge)
    }

    #if Drivers
    /// Without an end URLSession shows nothing of a header.
    @Test func `a flood of headers is stopped`() async throws {
        let line = FaultServer.Step.text("X-Flood: " + String(repeating: "x", count: 8000) + "\r\n")
        let steps = [.text("HTTP/1.1 200 OK\r\n")] + Array(repeating: line, count: 200)
        #expect(try await error(over: .curl, steps)?.code == .headerTooLarge)
    }
    #endif

    @Test(arguments: TestTransport.allCases)
    func `an endless header line is stopped`(over kind: TestTransport) async throws {
        let part = FaultServer.Step.text(String(repeating: "x", count: 100_000))
        let steps = [.text("HTTP/1.1 200 OK\r\nX: ")] + Array(repeating: part, count: 20)
        #expect(try await error(over: kind, steps) != nil)
    }
}
#endif
