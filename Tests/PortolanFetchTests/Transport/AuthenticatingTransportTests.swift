import PortolanFetch
import Synchronization
import TestHelpers
import Testing

@Suite(.timeLimit(.minutes(20))) struct AuthenticatingTransportTests {
    /// A transport that answers 401 unless a request has the right token, once the test lets it.
    private final class Gate: HTTPTransport {
        private let state = Mutex((asked: [HTTPRequest](), token: "new"))

        var asked: [HTTPRequest] { state.withLock { $0.asked } }

        func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
            let token = state.withLock { state in
                state.asked.append(request)
                return state.token
            }
            let isRight = request.header("Authorization") == "Bearer " + token
            return HTTPResponse(status: isRight ? 200 : 401, url: request.url)
        }
    }

    private final class Echo: HTTPTransport {
        private let asked = Mutex<[HTTPRequest]>([])
        var last: HTTPRequest? { asked.withLock { $0.last } }

        func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
            asked.withLock { $0.append(request) }
            if request.url.contains("fail") {
                throw FetchError(.tls, url: request.url, detail: "cannot reach \(request.url) with s3cret%21")
            }
            return HTTPResponse(status: 200, url: request.url)
        }
    }

    private static let url = "http://a.test/x?y=1"

    // "Aladdin:open sesame" is the example of RFC 7617, section 2.
    @Test(arguments: [
        (
            Credential.basic(name: "Aladdin", password: "open sesame"), "Authorization",
            "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
        ),
        (.bearer(token: "abc"), "Authorization", "Bearer abc"),
        (.header(HTTPHeader(name: "X-Key", value: "abc")), "X-Key", "abc"),
    ]) func `a credential is sent as a header, to its own host only`(
        credential: Credential, name: String, value: String
    )
        async throws
    {
        let echo = Echo()
        let transport = AuthenticatingTransport(over: echo, credentials: ["A.test": credential])
        _ = try await transport.send(HTTPRequest(to: Self.url))
        #expect(echo.last?.headers == [HTTPHeader(name: name, value: value)])
        #expect(echo.last?.url == Self.url)
        _ = try await transport.send(HTTPRequest(to: "http://b.test/"))
        #expect(echo.last?.headers == [])
        let own = [HTTPHeader(name: name, value: "mine")]
        _ = try await transport.send(HTTPRequest(to: Self.url, headers: own))
        #expect(echo.last?.headers == own)
    }

    @Test(arguments: [
        ("http://a.test/x?y=1", "http://a.test/x?y=1&k=s3cret%21"), ("http://a.test/x", "http://a.test/x?k=s3cret%21"),
        ("http://a.test/x?", "http://a.test/x?k=s3cret%21"), ("http://a.test/x?y&", "http://a.test/x?y&k=s3cret%21"),
        ("http://a.test/x#f", "http://a.test/x?k=s3cret%21#f"),
    ]) func `a credential parameter is added to the URL, and removed from responses and errors`(
        url: String, sent: String
    ) async throws {
        let echo = Echo()
        let credential = Credential.query(name: "k", value: "s3cret!")
        let transport = AuthenticatingTransport(over: echo, credentials: ["a.test": credential])
        let response = try await transport.send(HTTPRequest(to: url))
        #expect(echo.last?.url == sent)
        #expect(!response.url.contains("s3cret"))
        #expect(response.url.hasPrefix("http://a.test/x"))
        let error = await #expect(throws: FetchError.self) {
            try await transport.send(HTTPRequest(to: "http://a.test/fail"))
        }
        #expect(error?.code == .tls)
        #expect(error.map { "\($0)".contains("s3cret") } == false)
    }

    @Test func `many requests that fail together ask for one new credential`() async throws {
        let gate = Gate()
        let count = Mutex(0)
        let transport = AuthenticatingTransport(over: gate, credentials: ["a.test": .bearer(token: "old")]) {
            host, old in
            #expect(host == "a.test")
            #expect(old == .bearer(token: "old"))
            // All have had their answer before the new one is there.
            #expect(await eventually { gate.asked.count == 20 })
            count.withLock { $0 += 1 }
            return .bearer(token: "new")
        }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<20 {
                group.addTask { try await transport.send(HTTPRequest(to: "http://a.test/\(number)")).status }
            }
            for try await status in group { #expect(status == 200) }
        }
        #expect(count.withLock { $0 } == 1)
        #expect(gate.asked.count == 40)
        #expect(try await transport.send(HTTPRequest(to: "http://a.test/")).status == 200)
        #expect(gate.asked.count == 41, "the new one is kept")
    }

    @Test func `without a new credential the response is returned`() async throws {
        let gate = Gate()
        let transport = AuthenticatingTransport(over: gate, credentials: [:]) { _, old in
            #expect(old == nil)
            return nil
        }
        #expect(try await transport.send(HTTPRequest(to: Self.url)).status == 401)
        let plain = AuthenticatingTransport(over: gate, credentials: ["a.test": .bearer(token: "old")])
        #expect(try await plain.send(HTTPRequest(to: Self.url)).status == 401)
        #expect(gate.asked.count == 2)
    }

    @Test func `a cancelled request does not wait for a login`() async throws {
        let (asked, ask) = AsyncStream.makeStream(of: Void.self),
            (answers, answer) = AsyncStream.makeStream(of: Void.self)
        let transport = AuthenticatingTransport(over: Gate(), credentials: [:]) { _, _ in
            ask.yield()
            for await _ in answers { break }
            return nil
        }
        let task = Task { try await transport.send(HTTPRequest(to: Self.url)) }
        for await _ in asked { break }
        task.cancel()
        await #expect(throws: FetchError.self) { _ = try await task.value }
        answer.yield()
    }

    @Test func `a declined login is not requested again for every tile`() async throws {
        let count = Mutex(0), clock = TestClock()
        let transport = AuthenticatingTransport(over: Gate(), credentials: [:], clock: .test(clock)) { _, _ in
            count.withLock { $0 += 1 }
            return nil
        }
        for number in 0..<20 {
            #expect(try await transport.send(HTTPRequest(to: Self.url + "\(number)")).status == 401)
        }
        #expect(count.withLock { $0 } == 1)
        clock.advance(by: .seconds(10))
        #expect(try await transport.send(HTTPRequest(to: Self.url)).status == 401)
        #expect(count.withLock { $0 } == 2)
    }

    @Test func `a new credential that is rejected is not renewed again`() async throws {
        let gate = Gate()
        let transport = AuthenticatingTransport(over: gate, credentials: [:]) { _, _ in .bearer(token: "wrong") }
        #expect(try await transport.send(HTTPRequest(to: Self.url)).status == 401)
        #expect(gate.asked.count == 2)
    }
}
