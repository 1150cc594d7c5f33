#if os(Linux)
import PortolanFetch
import TestHelpers
import Testing

@Suite(.timeLimit(.minutes(20)))
struct CurlTransportTests {
    private let transport = CurlTransport(userAgent: "Test/1")

    /// Runs `body` against a server that answers every request alike.
    private func withServer(
        _ steps: FaultServer.Step..., body: (FaultServer) async throws -> Void
    ) async throws {
        let server = try FaultServer { _ in steps }
        defer { server.stop() }
        try await body(server)
    }

    private func error(
        of request: HTTPRequest, sourceLocation: SourceLocation = #_sourceLocation
    ) async -> FetchError? {
        await #expect(throws: FetchError.self, sourceLocation: sourceLocation) { try await transport.send(request) }
    }

    @Test func `a response comes whole`() async throws {
        let headers = ["Content-Type:  image/png ", "X-Two: a", "X-Two: b", "X-Empty:"]
        try await withServer(.response(headers: headers, text: "tile")) { server in
            let response = try await transport.send(HTTPRequest(to: server.url("/a?b=c#d")))
            #expect(response.status == 200)
            #expect(response.body == Array("tile".utf8))
            #expect(response.url == server.url("/a?b=c"))
            #expect(response.header("content-type") == "image/png")
            #expect(response.headers.filter { $0.name == "X-Two" }.map(\.value) == ["a", "b"])
            #expect(response.header("X-Empty") == "")
            let request = try #require(server.requests.first)
            #expect(request.target == "/a?b=c")
            #expect(request.header("User-Agent") == "Test/1")
            #expect(request.header("Accept-Encoding")?.contains("gzip") == true)
        }
    }

    @Test func `headers go as they are given`() async throws {
        try await withServer(.response(text: "x")) { server in
            let headers = [("User-Agent", "Mine/2"), ("X-A", "b: c"), ("X-Empty", "")].map(HTTPHeader.init)
            _ = try await transport.send(HTTPRequest(to: server.url("/"), headers: headers))
            let request = try #require(server.requests.first)
            #expect(request.header("User-Agent") == "Mine/2")
            #expect(request.header("X-A") == "b: c")
            #expect(request.header("X-Empty") == "")
        }
    }

    @Test(arguments: [0, 17, 3_000_000]) func `a question is asked by POST, and a GET after it is one`(
        count: Int
    ) async throws {
        try await withServer(.response(text: "x")) { server in
            let body = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            _ = try await transport.send(
                HTTPRequest(to: server.url("/ask"), question: HTTPQuestion(contentType: "a/b", body: body)))
            _ = try await transport.send(HTTPRequest(to: server.url("/get")))
            #expect(server.requests.map(\.method) == ["POST", "GET"])
            #expect(server.requests.first?.body == body)
            #expect(server.requests.first?.header("Content-Type") == "a/b")
            #expect(server.requests.first?.header("Expect") == nil)
            #expect(server.requests.last?.header("Content-Type") == nil)
            #expect(server.connectionCount == 1)
        }
    }

    @Test func `a connection is used again`() async throws {
        try await withServer(.response(text: "x")) { server in
            for _ in 0..<10 { _ = try await transport.send(HTTPRequest(to: server.url("/"))) }
            #expect(server.connectionCount == 1)
            #expect(server.requests.count == 10)
        }
    }

    @Test func `many tasks at once get each its own answer`() async throws {
        let server = try FaultServer { [.response(text: $0.target)] }
        defer { server.stop() }
        let transport = transport
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                let request = HTTPRequest(to: server.url("/\(number)"))
                group.addTask { (try? await transport.send(request))?.body == Array("/\(number)".utf8) }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test func `a chunked body is put together`() async throws {
        let text =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\nX-Trailer: t\r\n\r\n"
        try await withServer(.text(text)) { server in
            let response = try await transport.send(HTTPRequest(to: server.url("/")))
            #expect(response.body == Array("abcdefg".utf8))
            #expect(response.header("X-Trailer") == nil)
        }
    }

    @Test func `an interim response is passed over`() async throws {
        let early = FaultServer.Step.text("HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\n")
        try await withServer(early, .response(text: "x")) { server in
            let response = try await transport.send(HTTPRequest(to: server.url("/")))
            #expect(response.status == 200)
            #expect(response.header("X-Early") == nil)
        }
    }

    @Test func `a body without length ends with the connection`() async throws {
        try await withServer(.text("HTTP/1.1 200 OK\r\n\r\nabc"), .close) { server in
            let response = try await transport.send(HTTPRequest(to: server.url("/")))
            #expect(response.body == Array("abc".utf8))
        }
    }

    @Test(arguments: [("gzip", CompressedBodies.gzip), ("deflate", CompressedBodies.deflate)])
    func `a compressed body is decoded`(encoding: String, bytes: [UInt8]) async throws {
        try await withServer(.response(headers: ["Content-Encoding: \(encoding)"], body: bytes)) { server in
            let response = try await transport.send(HTTPRequest(to: server.url("/")))
            #expect(response.body == CompressedBodies.plain)
        }
    }

    @Test(arguments: [204, 304, 400, 401, 404, 500, 503])
    func `any status is a response`(status: Int) async throws {
        let challenge = "WWW-Authenticate: Basic realm=\"x\""
        let hasBody = status >= 400
        let body = Array((hasBody ? "<ServiceException/>" : "").utf8)
        let step = FaultServer.Step.response("\(status) X", headers: [challenge], body: body)
        try await withServer(step) { server in
            let response = try await transport.send(HTTPRequest(to: server.url("/")))
            #expect(response.status == status)
            #expect(response.body == body)
        }
    }

    @Test func `user and password of the URL are sent as Basic credentials`() async throws {
        try await withServer(.response(text: "x")) { server in
            let response = try await transport.send(HTTPRequest(to: "http://u:p@127.0.0.1:\(server.port)/"))
            #expect(server.requests.first?.header("Authorization") == "Basic dTpw")
            #expect(response.url == server.url("/"))
        }
    }

    struct Fault: CustomTestStringConvertible, Sendable {
        let name: String
        let steps: [FaultServer.Step]
        let code: FetchError.Code
        var testDescription: String { name }
    }

    static let truncated = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"

    @Test(arguments: [
        Fault(name: "truncated body", steps: [.text(truncated), .close], code: .connectionLost),
        Fault(
            name: "truncated chunks",
            steps: [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc"), .close],
            code: .connectionLost),
        Fault(
            name: "reset in the body", steps: [.text(truncated), .pause(milliseconds: 50), .reset],
            code: .connectionLost),
        Fault(name: "empty reply", steps: [.close], code: .connectionLost),
        Fault(name: "garbage", steps: [.text("\u{1}\u{2}garbage\r\n\r\n"), .close], code: .malformedResponse),
        Fault(
            name: "broken gzip",
            steps: [.response(headers: ["Content-Encoding: gzip"], body: Array("not gzip at all".utf8))],
            code: .malformedResponse),
    ])
    func `a broken response is an error`(_ test: Fault) async throws {
        let server = try FaultServer { _ in test.steps }
        defer { server.stop() }
        #expect(await error(of: HTTPRequest(to: server.url("/?key=secret")))?.code == test.code)
        let found = await error(of: HTTPRequest(to: server.url("/?key=secret")))
        #expect(found?.description.contains("secret") == false)
    }

    @Test func `a closed port is an error`() async throws {
        // Held, so that no other test's server gets it meanwhile.
        let (descriptor, port) = try LoopbackSocket.bound()
        defer { LoopbackSocket.end(descriptor) }
        let error = await error(of: HTTPRequest(to: "http://127.0.0.1:\(port)/"))
        #expect(error?.code == .cannotConnect)
    }

    @Test func `a name without address is an error`() async {
        // A label may have 63 characters (RFC 1035, section 2.3.4): no name server is asked.
        let name = String(repeating: "a", count: 64)
        #expect(await error(of: HTTPRequest(to: "http://\(name)/"))?.code == .cannotResolveHost)
    }

    @Test func `QB-W4: TLS with what speaks none is an error`() async throws {
        try await withServer(.response(text: "x")) { server in
            let request = HTTPRequest(
                to: "https://127.0.0.1:\(server.port)/", timeouts: ConnectionTimeouts(connect: .milliseconds(500)))
            let code = await error(of: request)?.code
            #expect(code == .tls || code == .timedOut)
        }
    }

    @Test(arguments: ["ftp://127.0.0.1/", "file:///etc/hosts", "data:,x", "gopher://127.0.0.1/"])
    func `other schemes are refused`(url: String) async {
        #expect(await error(of: HTTPRequest(to: url))?.code == .unsupportedScheme)
    }
}
#endif
