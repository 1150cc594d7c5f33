#if os(Linux)
import PortolanFetch
import TestHelpers
import Testing

@Suite(.timeLimit(.minutes(20)))
struct HTTPTransportRedirectTests {
    private static let secrets = [("Authorization", "Bearer s"), ("Cookie", "c=s"), ("X-Key", "s"), ("Accept", "a/b")]
        .map(HTTPHeader.init)

    @Test(arguments: TestTransport.allCases)
    func `a redirect on the same host is followed with its headers`(over kind: TestTransport) async throws {
        let transport = kind.make()
        let server = try FaultServer { request in
            request.target == "/a/b"
                ? [.response("302 Found", headers: ["Location: ../c?d=e"], text: "moved")] : [.response(text: "here")]
        }
        defer { server.stop() }
        let response = try await transport.send(HTTPRequest(to: server.url("/a/b"), headers: Self.secrets))
        #expect(response.status == 200)
        #expect(response.body == Array("here".utf8))
        #expect(response.url == server.url("/c?d=e"))
        #expect(server.requests.last?.header("Authorization") == "Bearer s")
        #expect(server.requests.last?.header("X-Key") == "s")
    }

    @Test(arguments: TestTransport.allCases, [301, 302, 303, 307, 308])
    func `secret headers are not sent to another host`(over kind: TestTransport, status: Int) async throws {
        let transport = kind.make()
        let server = try FaultServer { request in
            guard request.target == "/start", let host = request.header("Host") else {
                return [.response(text: "here")]
            }
            let target = host.replacing("127.0.0.1", with: "localhost")
            return [.response("\(status) X", headers: ["Location: http://\(target)/end"])]
        }
        defer { server.stop() }
        let response = try await transport.send(HTTPRequest(to: server.url("/start"), headers: Self.secrets))
        #expect(response.url == server.url("/end", host: "localhost"))
        let last = try #require(server.requests.last)
        #expect(last.target == "/end")
        #expect(server.requests.first?.header("Authorization") == "Bearer s")
        for name in ["Authorization", "Cookie", "X-Key"] { #expect(last.header(name) == nil) }
        #expect(last.header("Accept") == "a/b")
    }

    @Test(arguments: TestTransport.allCases)
    func `credentials in the URL are not sent to another host`(over kind: TestTransport) async throws {
        let transport = kind.make()
        let other = try FaultServer { _ in [.response(text: "here")] }
        defer { other.stop() }
        let target = other.url("/end")
        let server = try FaultServer { _ in [.response("302 Found", headers: ["Location: \(target)"])] }
        defer { server.stop() }
        _ = try await transport.send(HTTPRequest(to: "http://u:p@127.0.0.1:\(server.port)/"))
        #expect(server.requests.first?.header("Authorization") == "Basic dTpw")
        #expect(other.requests.first?.header("Authorization") == nil)
    }

    @Test(arguments: TestTransport.allCases, [301, 302, 303, 307, 308])
    func `a POST is redirected on the same host, and not to another`(
        over kind: TestTransport, status: Int
    ) async throws {
        let transport = kind.make()
        let other = try FaultServer { _ in [.response(text: "here")] }
        defer { other.stop() }
        let elsewhere = other.url("/end")
        let server = try FaultServer { request in
            switch request.target {
            case "/same": [.response("\(status) X", headers: ["Location: /end"])]
            case "/other": [.response("\(status) X", headers: ["Location: \(elsewhere)"])]
            default: [.response(text: "here")]
            }
        }
        defer { server.stop() }
        let question = HTTPRequest.Body(bytes: Array("{}".utf8))
        _ = try await transport.send(HTTPRequest(to: server.url("/same"), body: question))
        #expect(server.requests.map(\.method) == ["POST", "POST"])
        #expect(server.requests.last?.body == question.bytes)
        let error = await #expect(throws: FetchError.self) {
            try await transport.send(HTTPRequest(to: server.url("/other"), body: question))
        }
        #expect(error?.code == .malformedResponse)
        #expect(other.requests.isEmpty)
    }

    @Test(arguments: TestTransport.allCases)
    func `a redirect loop ends after ten redirects`(over kind: TestTransport) async throws {
        let transport = kind.make()
        let server = try FaultServer { _ in [.response("302 Found", headers: ["Location: /again"])] }
        defer { server.stop() }
        let request = HTTPRequest(to: server.url("/"))
        let error = await #expect(throws: FetchError.self) { try await transport.send(request) }
        #expect(error?.code == .tooManyRedirects)
        #expect(server.requests.count == 11)
    }

    @Test(
        arguments: TestTransport.allCases, ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "data:,x"])
    func `a redirect to another scheme is refused`(over kind: TestTransport, target: String) async throws {
        let transport = kind.make()
        let server = try FaultServer { _ in [.response("302 Found", headers: ["Location: \(target)"])] }
        defer { server.stop() }
        let request = HTTPRequest(to: server.url("/"))
        let error = await #expect(throws: FetchError.self) { try await transport.send(request) }
        #expect(error?.code == .unsupportedScheme)
    }

    @Test(arguments: TestTransport.allCases, ["302 Found", "300 Multiple Choices", "304 Not Modified"])
    func `a redirect without a target is a response`(over kind: TestTransport, status: String) async throws {
        let transport = kind.make()
        let server = try FaultServer { _ in [.response(status)] }
        defer { server.stop() }
        #expect(try await transport.send(HTTPRequest(to: server.url("/"))).status == Int(status.prefix(3)))
    }
}
#endif
