public import PortolanFetch
import Synchronization

/// A transport that answers from a closure instead of the network, and remembers what it was asked.
///
/// Give it to a ``/Portolan/MapRenderer`` or a ``/Portolan/ServiceClient`` in tests, or where tiles are shipped with an app.
public final class StubTransport: HTTPTransport {
    /// What answers a request; it may throw a ``/PortolanFetch/FetchError``, as a network does.
    public typealias Answer = @Sendable (HTTPRequest) async throws(FetchError) -> HTTPResponse

    private let answer: Answer
    private let asked = Mutex<[HTTPRequest]>([])

    /// Makes a transport that answers as `answer` says.
    public init(_ answer: @escaping Answer) { self.answer = answer }

    /// Makes a transport that has a body for some URLs, and status 404 for all others.
    public convenience init(bodies: [String: [UInt8]]) {
        self.init { request throws(FetchError) in
            guard let body = bodies[request.url] else { return HTTPResponse(status: 404, url: request.url) }
            return HTTPResponse(status: 200, body: body, url: request.url)
        }
    }

    /// The requests so far, in the order in which they came.
    public var requests: [HTTPRequest] { asked.withLock { $0 } }

    /// Answers a request.
    public func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
        asked.withLock { $0.append(request) }
        return try await answer(request)
    }
}
