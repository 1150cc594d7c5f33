#if os(Linux)
import PortolanFetch
import TestHelpers
import Testing

/// Time and size limits; the timeouts are real but nothing here asserts how long anything took.
@Suite(.timeLimit(.minutes(20)))
struct CurlTransportLimitTests {
    private let transport = CurlTransport()

    private func error(
        _ steps: [FaultServer.Step], timeouts: ConnectionTimeouts = ConnectionTimeouts(), limit: Int = 1 << 20
    ) async throws -> FetchError? {
        let server = try FaultServer { _ in steps }
        defer { server.stop() }
        let request = HTTPRequest(to: server.url("/"), timeouts: timeouts, maximumBodyByteCount: limit)
        let error = await #expect(throws: FetchError.self) { try await transport.send(request) }
        #expect(await eventually { server.openConnectionCount == 0 }, "the connection is closed")
        return error
    }

    @Test func `silence before the answer is ended`() async throws {
        let error = try await error([.stall], timeouts: ConnectionTimeouts(stall: .milliseconds(300)))
        #expect(error?.code == .timedOut)
        #expect(error?.detail.hasPrefix("first byte") == true)
    }

    @Test func `silence in the body is a stall`() async throws {
        let steps: [FaultServer.Step] = [.text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"), .stall]
        let error = try await error(steps, timeouts: ConnectionTimeouts(stall: .milliseconds(300)))
        #expect(error?.code == .timedOut)
        #expect(error?.detail.hasPrefix("stalled") == true)
        #expect(error?.status == 200)
    }

    @Test func `a slow drip is ended by the total`() async throws {
        let drip = (0..<100).flatMap { _ in [FaultServer.Step.text("x"), .pause(milliseconds: 50)] }
        let steps = [.text("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")] + drip
        let timeouts = ConnectionTimeouts(stall: .seconds(30), total: .milliseconds(400))
        let error = try await error(steps, timeouts: timeouts)
        #expect(error?.code == .timedOut)
        #expect(error?.detail.hasPrefix("total") == true)
    }

    @Test func `a slow drip is no stall`() async throws {
        let drip = (0..<10).flatMap { _ in [FaultServer.Step.text("x"), .pause(milliseconds: 20)] }
        let server = try FaultServer { _ in [.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")] + drip }
        defer { server.stop() }
        let timeouts = ConnectionTimeouts(stall: .seconds(10))
        let response = try await transport.send(HTTPRequest(to: server.url("/"), timeouts: timeouts))
        #expect(response.body.count == 10)
    }

    @Test func `the total covers a chain of redirects`() async throws {
        let steps: [FaultServer.Step] = [.pause(milliseconds: 150), .response("302 Found", headers: ["Location: /x"])]
        let error = try await error(steps, timeouts: ConnectionTimeouts(total: .milliseconds(400)))
        #expect(error?.code == .timedOut)
    }

    @Test(arguments: [
        ("206 Partial Content", "Content-Range: bytes 0-3/9\r\nContent-Length: 4\r\n"),
        ("200 OK", "Content-Length: 4\r\nContent-Length: 3\r\n"), ("200 OK", "Content-Length: 4, 5\r\n"),
    ])
    func `a part, and a body of several lengths, are not taken for the answer`(
        status: String, head: String
    ) async throws {
        let server = try FaultServer { _ in [.text("HTTP/1.1 \(status)\r\n\(head)\r\ntile"), .close] }
        defer { server.stop() }
        let error = await #expect(throws: FetchError.self) {
            try await transport.send(HTTPRequest(to: server.url("/")))
        }
        #expect(error?.code == .malformedResponse, "\(String(describing: error))")
    }

    @Test func `one length said twice is one`() async throws {
        let head = "Content-Length: 4\r\nContent-Length: 4\r\n"
        let server = try FaultServer { _ in [.text("HTTP/1.1 200 OK\r\n\(head)\r\ntile"), .close] }
        defer { server.stop() }
        #expect(try await transport.send(HTTPRequest(to: server.url("/"))).body == Array("tile".utf8))
    }

    @Test func `a part that was asked for is an answer`() async throws {
        let server = try FaultServer { _ in [.text("HTTP/1.1 206 Part\r\nContent-Length: 4\r\n\r\ntile"), .close] }
        defer { server.stop() }
        let request = HTTPRequest(to: server.url("/"), headers: [HTTPHeader(name: "Range", value: "bytes=0-3")])
        #expect(try await transport.send(request).status == 206)
    }

    @Test(arguments: ["HTTP/1.1 200 OK\r\nX: ", "HTTP/1.1 200 "]) func `a line of the header without end is too long`(
        start: String
    ) async throws {
        let server = try FaultServer { _ in
            [.text(start)] + (0..<100).map { _ in .text(String(repeating: "x", count: 10_000)) } + [.stall]
        }
        defer { server.stop() }
        let error = await #expect(throws: FetchError.self) {
            try await transport.send(HTTPRequest(to: server.url("/")))
        }
        #expect(error?.code == .headerTooLarge, "\(String(describing: error))")
    }

    @Test func `an announced length over the limit is refused`() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n"
        #expect(try await error([.text(head), .stall])?.code == .bodyTooLarge)
    }

    @Test func `a body without length is stopped at the limit`() async throws {
        let part = FaultServer.Step.text(String(repeating: "x", count: 100_000))
        let steps = [.text("HTTP/1.1 200 OK\r\n\r\n")] + Array(repeating: part, count: 100)
        let error = try await error(steps, limit: 250_000)
        #expect(error?.code == .bodyTooLarge)
        #expect(error?.status == 200)
    }

    @Test func `a body of exactly the limit is taken`() async throws {
        let server = try FaultServer { _ in [.text("HTTP/1.1 200 OK\r\n\r\nabc"), .close] }
        defer { server.stop() }
        let request = HTTPRequest(to: server.url("/"), maximumBodyByteCount: 3)
        #expect(try await transport.send(request).body.count == 3)
    }

    @Test func `a gzip bomb is stopped at the limit of the decoded size`() async throws {
        let bomb = CompressedBodies.eightMebibytesOfZero
        let step = FaultServer.Step.response(headers: ["Content-Encoding: gzip"], body: bomb)
        #expect(bomb.count < 10_000)
        #expect(try await error([step], limit: 100_000)?.code == .bodyTooLarge)
        let server = try FaultServer { _ in [step] }
        defer { server.stop() }
        let whole = try await transport.send(HTTPRequest(to: server.url("/"), maximumBodyByteCount: 8 << 20))
        #expect(whole.body.count == 8 << 20)
    }

    @Test func `a flood of headers is stopped`() async throws {
        let line = FaultServer.Step.text("X-Flood: " + String(repeating: "x", count: 8000) + "\r\n")
        let steps = [.text("HTTP/1.1 200 OK\r\n")] + Array(repeating: line, count: 200)
        #expect(try await error(steps)?.code == .headerTooLarge)
    }

    @Test func `a header line without end is stopped`() async throws {
        let part = FaultServer.Step.text(String(repeating: "x", count: 100_000))
        let steps = [.text("HTTP/1.1 200 OK\r\nX: ")] + Array(repeating: part, count: 20)
        #expect(try await error(steps) != nil)
    }
}
#endif
