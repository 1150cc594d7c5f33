public import PortolanFetch
import Synchronization

/// A transport that passes requests to another one and injects network and server faults into the responses.
///
/// Use it over a ``StubTransport`` or a ``ReplayTransport`` to see how an app reacts to a failing connection. Errors
/// are those of the platform's transport for the same fault.
public final class FaultTransport: HTTPTransport {
    /// The fault of one request.
    public enum Fault: Hashable, Sendable {
        /// No fault.
        case none
        /// The response is delayed.
        case delay(Duration)
        /// The connection ends after this many bytes of the body, if the response is longer.
        case drop(afterByteCount: Int)
        /// The connection is reset before the first byte.
        case reset
        /// The connection is refused.
        case refuse
        /// The host name cannot be resolved.
        case unknownHost
        /// Another status, with an empty body and these header fields.
        case status(Int, headers: [HTTPHeader] = [])
        /// A service exception in XML, with status 200 and an image content type.
        case exception(String)
        /// The response with another content type.
        case contentType(String)
        /// As many pseudorandom bytes as the response has; the same ones each time.
        case garbage
        /// The response truncated to this many bytes, as a complete HTTP body.
        case truncate(toByteCount: Int)
        /// An empty body.
        case empty
        /// The body arrives in pieces of this many bytes, with a pause after each.
        case drip(byteCount: Int, pause: Duration)
        /// There is no response: the request ends by its time limits, or when it is cancelled.
        case silence
    }

    private let transport: any HTTPTransport
    private let plan: @Sendable (_ request: HTTPRequest, _ number: Int) -> Fault
    private let sleep: @Sendable (Duration) async -> Void
    private let counts = Mutex<[String: Int]>([:])

    /// Creates a transport that injects faults according to `plan`.
    ///
    /// - Parameters:
    ///   - transport: provides the responses.
    ///   - sleep: waits for a duration; pass a function that returns immediately for fast tests.
    ///   - plan: returns the fault for a request; `number` counts the requests with its URL from 1.
    public init(
        over transport: any HTTPTransport,
        sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) },
        plan: @escaping @Sendable (_ request: HTTPRequest, _ number: Int) -> Fault
    ) {
        self.transport = transport
        self.sleep = sleep
        self.plan = plan
    }

    /// Creates a transport that injects faults such as `[.status(503), .reset]` into the first requests of each URL in
    /// order, and then works.
    public convenience init(
        over transport: any HTTPTransport, first faults: [Fault],
        sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    ) {
        self.init(over: transport, sleep: sleep) { _, number in
            faults.indices.contains(number - 1) ? faults[number - 1] : .none
        }
    }

    /// Returns the response with the fault injected.
    public func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
        let number = counts.withLock { counts in
            counts[request.url, default: 0] += 1
            return counts[request.url] ?? 1
        }
        let fault = plan(request, number)
        if let error = fault.error(for: request) { throw error }
        switch fault {
        case .silence:
            try await wait(request.timeouts.total, for: request)
            throw .timedOut(.stall, after: request.timeouts.stall, url: request.url)
        case .delay(let duration):
            try await wait(duration, for: request)
        default: break
        }
        let response = try await transport.send(request)
        if case .drip(let count, let pause) = fault {
            try await drip(response.body.count, byteCount: max(count, 1), pause: pause, for: request)
        }
        return try fault.spoiled(response, for: request)
    }

    /// Waits; exceeding the stall or total time limit becomes the corresponding error.
    private func wait(_ duration: Duration, for request: HTTPRequest) async throws(FetchError) {
        let limit = min(request.timeouts.stall, request.timeouts.total)
        await sleep(min(duration, limit))
        if Task.isCancelled { throw .cancelled(url: request.url) }
        guard duration >= limit else { return }
        throw .timedOut(
            request.timeouts.stall <= request.timeouts.total ? .stall : .total, after: limit, url: request.url)
    }

    private func drip(
        _ total: Int, byteCount: Int, pause: Duration, for request: HTTPRequest
    ) async throws(FetchError) {
        var passed = Duration.zero
        var sent = byteCount
        while sent < total {
            if pause >= request.timeouts.stall { try await wait(pause, for: request) }
            guard passed + pause < request.timeouts.total else {
                await sleep(request.timeouts.total - passed)
                if Task.isCancelled { throw .cancelled(url: request.url) }
                throw .timedOut(.total, after: request.timeouts.total, url: request.url, byteCount: sent)
            }
            await sleep(pause)
            if Task.isCancelled { throw .cancelled(url: request.url) }
            passed += pause
            sent += byteCount
        }
    }
}

extension FaultTransport.Fault {
    /// Returns the error of a fault without a response.
    fileprivate func error(for request: HTTPRequest) -> FetchError? {
        switch self {
        case .reset: FetchError(.connectionLost, url: request.url, detail: "the connection was reset")
        case .refuse: FetchError(.cannotConnect, url: request.url, detail: "the connection was refused")
        case .unknownHost: FetchError(.cannotResolveHost, url: request.url, detail: "the host name has no address")
        default: nil
        }
    }

    /// Injects a fault into a response.
    fileprivate func spoiled(
        _ response: HTTPResponse, for request: HTTPRequest
    ) throws(FetchError) -> HTTPResponse {
        var spoiled = response
        switch self {
        case .drop(let count):
            guard response.body.count > count else { return response }
            throw FetchError(
                .connectionLost, url: request.url, status: response.status,
                detail: "the connection ended with \(response.body.count - max(count, 0)) bytes of the body missing")
        case .status(let status, let headers):
            spoiled = HTTPResponse(status: status, headers: headers, url: response.url)
        case .exception(let text):
            let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            spoiled.status = 200
            spoiled.setContentType("image/png")
            spoiled.body = Array(
                ("<?xml version='1.0'?><ServiceExceptionReport version='1.3.0'>"
                    + "<ServiceException>\(escaped)</ServiceException></ServiceExceptionReport>").utf8)
        case .contentType(let type):
            spoiled.setContentType(type)
        case .garbage:
            var word: UInt32 = 0x9E37_79B9
            spoiled.body = response.body.map { _ in
                // A xorshift generator (Marsaglia, 2003): any bytes are suitable.
                word ^= word << 13
                word ^= word >> 17
                word ^= word << 5
                return UInt8(truncatingIfNeeded: word >> 8)
            }
        case .truncate(let count):
            spoiled.body = Array(response.body.prefix(max(count, 0)))
        case .empty:
            spoiled.body = []
        case .none, .delay, .drip, .silence, .reset, .refuse, .unknownHost: break
        }
        guard spoiled.body.count <= request.maximumBodyByteCount else {
            throw .bodyTooLarge(url: request.url, limit: request.maximumBodyByteCount, status: spoiled.status)
        }
        return spoiled
    }
}

extension HTTPResponse {
    fileprivate mutating func setContentType(_ type: String) {
        headers.removeAll { $0.isNamed("Content-Type") }
        headers.append(HTTPHeader(name: "Content-Type", value: type))
    }
}

/// A transport that responds from a closure instead of the network, and records the requests.
///
/// Pass it to a ``/Portolan/MapRenderer`` or a ``/Portolan/ServiceClient`` in tests, or if tiles are part of an app.
public final class StubTransport: HTTPTransport {
    /// Returns the response to a request; it may throw a ``/PortolanFetch/FetchError``, like a network.
    public typealias Answer = @Sendable (HTTPRequest) async throws(FetchError) -> HTTPResponse

    private let answer: Answer
    private let asked = Mutex<[HTTPRequest]>([])

    /// Creates a transport that responds with `answer`.
    public init(_ answer: @escaping Answer) { self.answer = answer }

    /// Creates a transport that has a body for some URLs, and status 404 for all others.
    public convenience init(bodies: [String: [UInt8]]) {
        self.init { request throws(FetchError) in
            guard let body = bodies[request.url] else { return HTTPResponse(status: 404, url: request.url) }
            return HTTPResponse(status: 200, body: body, url: request.url)
        }
    }

    /// The requests so far, in order.
    public var requests: [HTTPRequest] { asked.withLock { $0 } }

    /// Returns the response of the closure.
    public func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
        asked.withLock { $0.append(request) }
        return try await answer(request)
    }
}
