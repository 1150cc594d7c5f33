#if os(Linux)
import PortolanFetch
import TestHelpers
import Testing

@Suite(.timeLimit(.minutes(20)))
struct HTTPTransportTests {
    /// Runs `body` against a server that answers every request alike.
    private func withServer(
        _ steps: FaultServer.Step..., body: (FaultServer) async throws -> Void
    ) async throws {
        let server = try FaultServer { _ in steps }
        defer { server.stop() }
        try await body(server)
    }

    private func error(
        of request: HTTPRequest, over kind: TestTransport, sourceLocation: SourceLocation = #_sourceLocation
    ) async -> FetchError? {
        let transport = kind.make()
        return await #expect(throws: FetchError.self, sourceLocation: sourceLocation) {
            try await transport.send(request)
        }
    }

    @Test(arguments: TestTransport.allCases)
    func `a response is received whole`(over kind: TestTransport) async throws {
        let transport = kind.make(ConnectionSettings(userAgent: "Test/1"))
        let headers = ["Content-Type:  image/png ", "X-Two: a", "X-Two: b", "X-Empty:"]
        try await withServer(.response(headers: headers, text: "tile")) { server in
            let response = try await transport.send(HTTPRequest(to: server.url("/a?b=c#d")))
            #expect(response.status == 200)
            #expect(response.body == Array("tile".utf8))
            #expect(response.url == server.url("/a?b=c"))
            #expect(response.header("content-type") == "image/png")
            let two = response.headers.filter { $0.name == "X-Two" }.map(\.value)
            #expect(two == (kind.isURLSession ? ["a, b"] : ["a", "b"]))
            #expect(response.header("X-Empty") == "")
            let request = try #require(server.requests.first)
            #expect(request.target == "/a?b=c")
            #expect(request.header("User-Agent") == "Test/1")
            // URLSession decompresses without a limit.
            let encodings = request.header("Accept-Encoding")
            #expect(kind.isURLSession ? encodings == "identity" : encodings?.contains("gzip") == true)
        }
    }

    @Test(arguments: TestTransport.allCases)
    func `headers are sent as given`(over kind: TestTransport) async throws {
        let transport = kind.make()
        try await withServer(.response(text: "x")) { server in
            let headers = [("User-Agent", "Mine/2"), ("X-A", "b: c"), ("X-Empty", "")].map(HTTPHeader.init)
            _ = try await transport.send(HTTPRequest(to: server.url("/"), headers: headers))
            let request = try #require(server.requests.first)
            #expect(request.header("User-Agent") == "Mine/2")
            #expect(request.header("X-A") == "b: c")
            #expect(request.header("X-Empty") == "")
        }
    }

    @Test(arguments: TestTransport.allCases, [0, 17, 3_000_000])
    func `a POST sends its body, and a GET after it is a GET`(over kind: TestTransport, count: Int) async throws {
        let transport = kind.make()
        try await withServer(.response(text: "x")) { server in
            let body = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            _ = try await transport.send(
                HTTPRequest(to: server.url("/ask"), body: HTTPRequest.Body(contentType: "a/b", bytes: body)))
            _ = try await transport.send(HTTPRequest(to: server.url("/get")))
            #expect(server.requests.map(\.method) == ["POST", "GET"])
            #expect(server.requests.first?.body == body)
            #expect(server.requests.first?.header("Content-Type") == "a/b")
            #expect(server.requests.first?.header("Expect") == nil)
            #expect(server.requests.last?.header("Content-Type") == nil)
            #expect(server.connectionCount == 1)
        }
    }

    @Test(arguments: TestTransport.allCases)
    func `a connection is reused`(over kind: TestTransport) async throws {
        let transport = kind.make()
        try await withServer(.response(text: "x")) { server in
            for _ in 0..<10 { _ = try await transport.send(HTTPRequest(to: server.url("/"))) }
            #expect(server.connectionCount == 1)
            #expect(server.requests.count == 10)
        }
    }

    @Test(arguments: TestTransport.allCases)
    func `many concurrent tasks each get their own response`(over kind: TestTransport) async throws {
        let server = try FaultServer { [.response(text: $0.target)] }
        defer { server.stop() }
        let transport = kind.make()
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                let request = HTTPRequest(to: server.url("/\(number)"))
                group.addTask { (try? await transport.send(request))?.body == Array("/\(number)".utf8) }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test(arguments: TestTransport.allCases)
    func `a chunked body is assembled`(over kind: TestTransport) async throws {
        let transport = kind.make()
        // A field after the body ends the process of swift-corelibs-foundation.
        let trailer = kind.isURLSession ? "" : "X-Trailer: t\r\n"
        let text =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\n\(trailer)\r\n"
        try await withServer(.text(text)) { server in
            let response = try await transport.send(HTTPRequest(to: server.url("/")))
            #expect(response.body == Array("abcdefg".utf8))
            #expect(response.header("X-Trailer") == nil)
        }
    }

    @Test(arguments: TestTransport.allCases)
    func `an interim response is skipped`(over kind: TestTransport) async throws {
        let transport = kind.make()
        let early = FaultServer.Step.text("HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\n")
        try await withServer(early, .response(text: "x")) { server in
            let response = try await transport.send(HTTPRequest(to: server.url("/")))
            #expect(response.status == 200)
            #expect(response.header("X-Early") == nil)
        }
    }

    @Test(arguments: TestTransport.allCases)
    func `a body without a stated length ends with the connection`(over kind: TestTransport) async throws {
        let transport = kind.make()
        try await withServer(.text("HTTP/1.1 200 OK\r\n\r\nabc"), .close) { server in
            let response = try await transport.send(HTTPRequest(to: server.url("/")))
            #expect(response.body == Array("abc".utf8))
        }
    }

    @Test(arguments: TestTransport.allCases, [("gzip", CompressedBodies.gzip), ("deflate", CompressedBodies.deflate)])
    func `a compressed body is decoded`(
        over kind: TestTransport, _ test: (encoding: String, bytes: [UInt8])
    ) async throws {
        let transport = kind.make()
        let headers = ["Content-Encoding: \(test.encoding)"]
        try await withServer(.response(headers: headers, body: test.bytes)) { server in
            let response = try await transport.send(HTTPRequest(to: server.url("/")))
            #expect(response.body == CompressedBodies.plain)
        }
    }

    @Test(arguments: TestTransport.allCases, [204, 304, 400, 401, 404, 407, 500, 503])
    func `any status is a response`(over kind: TestTransport, status: Int) async throws {
        let transport = kind.make()
        let challenge = ["WWW-Authenticate: Basic realm=\"x\"", "Proxy-Authenticate: Basic realm=\"x\""]
        let hasBody = status >= 400
        let body = Array((hasBody ? "<ServiceException/>" : "").utf8)
        let step = FaultServer.Step.response("\(status) X", headers: challenge, body: body)
        try await withServer(step) { server in
            let response = try await transport.send(HTTPRequest(to: server.url("/")))
            #expect(response.status == status)
            #expect(response.body == body)
        }
    }

    @Test(arguments: TestTransport.allCases)
    func `user name and password in the URL are sent as Basic credentials`(over kind: TestTransport) async throws {
        let transport = kind.make()
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

    @Test(
        arguments: TestTransport.allCases,
        [
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
    func `a malformed response is an error`(over kind: TestTransport, _ test: Fault) async throws {
        let server = try FaultServer { _ in test.steps }
        defer { server.stop() }
        #expect(await error(of: HTTPRequest(to: server.url("/?key=secret")), over: kind)?.code == test.code)
        let found = await error(of: HTTPRequest(to: server.url("/?key=secret")), over: kind)
        #expect(found?.description.contains("secret") == false)
    }

    @Test(arguments: TestTransport.allCases)
    func `a closed port is an error`(over kind: TestTransport) async throws {
        // Held, so that no other test's server gets it meanwhile.
        let (descriptor, port) = try LoopbackSocket.bound()
        defer { LoopbackSocket.end(descriptor) }
        let error = await error(of: HTTPRequest(to: "http://127.0.0.1:\(port)/"), over: kind)
        #expect(error?.code == .cannotConnect)
    }

    @Test(arguments: TestTransport.allCases)
    func `a host name without an address is an error`(over kind: TestTransport) async {
        // A label may have 63 characters (RFC 1035, section 2.3.4): no name server is asked.
        let name = String(repeating: "a", count: 64)
        #expect(await error(of: HTTPRequest(to: "http://\(name)/"), over: kind)?.code == .cannotResolveHost)
    }

    @Test(arguments: TestTransport.allCases)
    func `TLS to a server without TLS is an error`(over kind: TestTransport) async throws {
        try await withServer(.response(text: "x")) { server in
            let request = HTTPRequest(
                to: "https://127.0.0.1:\(server.port)/",
                timeouts: HTTPRequest.Timeouts(connect: .milliseconds(500), firstByte: .milliseconds(500)))
            let code = await error(of: request, over: kind)?.code
            #expect(code == .tls || code == .timedOut)
        }
    }

    @Test(
        arguments: TestTransport.allCases, ["ftp://127.0.0.1/", "file:///etc/hosts", "data:,x", "gopher://127.0.0.1/"])
    func `other schemes are refused`(over kind: TestTransport, url: String) async {
        #expect(await error(of: HTTPRequest(to: url), over: kind)?.code == .unsupportedScheme)
    }
}
#endif
