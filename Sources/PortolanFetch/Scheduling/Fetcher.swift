import PortolanWeb

/// Fetches resources for the renderer; all requests of a process should use the same fetcher.
///
/// It limits the transfers per host, coalesces equal requests, retries temporary failures, and handles `http:` and
/// `https:` through its transport, `file:` and `data:` itself. It is safe to use from many tasks.
///
/// - A response with any status is returned, including 404 and 500, because map services describe errors in the body.
///   Check ``HTTPResponse/status``.
/// - Requests with equal URL and headers share a transfer, with the time limits of the first request. A cancelled
///   waiter gets ``FetchError/Code/cancelled`` immediately, and the transfer ends when its last waiter is cancelled.
/// - Transfers with the same scheme, host and port start in the order of their ``Fetcher/Priority``, then in the order of
///   their calls. Time limits count from the start of the transfer, not from the call.
/// - Temporary failures are retried according to ``RetryPolicy``. Unreachable hosts are not contacted for a while,
///   according to ``RetryPolicy/CircuitBreaker``.
public final class Fetcher: Sendable {
    private let dispatcher: FetchDispatcher
    private let allowsFiles: Bool
    private let clock: FetchClock
    private let observer: (any MapObserver)?
    private let fileTransport = FileTransport()
    private let dataTransport = DataTransport()

    /// Creates a fetcher.
    ///
    /// - Parameters:
    ///   - transport: performs `http:` and `https:` requests; see ``systemTransport(userAgent:)``.
    ///   - maximumConnectionsPerHost: the maximum number of concurrent transfers per scheme, host and port; 6 by
    ///     default, as in browsers.
    ///   - allowsFiles: whether `file:` URLs are read, provided that the origin of the URL may refer to files.
    ///   - retries: the policy for retries.
    ///   - circuitBreaker: the policy for unreachable hosts.
    ///   - observer: is notified of each HTTP request.
    public convenience init(
        transport: any HTTPTransport, maximumConnectionsPerHost: Int = 6, allowsFiles: Bool = true,
        retries: RetryPolicy = RetryPolicy(), circuitBreaker: RetryPolicy.CircuitBreaker = RetryPolicy.CircuitBreaker(),
        observer: (any MapObserver)? = nil
    ) {
        self.init(
            transport: transport, maximumConnectionsPerHost: maximumConnectionsPerHost, allowsFiles: allowsFiles,
            retries: retries, circuitBreaker: circuitBreaker, clock: .system, observer: observer)
    }

    /// Creates a fetcher with a custom clock.
    package init(
        transport: any HTTPTransport, maximumConnectionsPerHost: Int = 6, allowsFiles: Bool = true,
        retries: RetryPolicy = RetryPolicy(), circuitBreaker: RetryPolicy.CircuitBreaker = RetryPolicy.CircuitBreaker(),
        clock: FetchClock, observer: (any MapObserver)? = nil
    ) {
        self.allowsFiles = allowsFiles
        self.clock = clock
        self.observer = observer
        let schedule = FetchSchedule(
            maximumPerHost: maximumConnectionsPerHost, retries: retries, breaker: circuitBreaker)
        dispatcher = FetchDispatcher(transport: transport, schedule: schedule, clock: clock, observer: observer)
    }

    /// Returns the response to `request`, regardless of its status.
    ///
    /// - Parameter priority: the priority among requests to the same host.
    /// - Throws: ``FetchError``; with the code `cancelled` as soon as the calling task is cancelled.
    public func fetch(
        _ request: HTTPRequest, priority: Fetcher.Priority = Fetcher.Priority()
    ) async throws(FetchError) -> HTTPResponse {
        try await fetch(request, turn: FetchTurn(priority: priority))
    }

    /// Returns the response to `request` in its turn.
    package func fetch(_ request: HTTPRequest, turn: FetchTurn) async throws(FetchError) -> HTTPResponse {
        guard let place = try join(request, turn: turn) else { return try await fetchApart(request, turn: turn) }
        await dispatcher.wait(for: place)
        return try response(in: place)
    }

    /// The current numbers of transfers that are running, queued, and waiting for a retry.
    package var transferCounts: (running: Int, waiting: Int, delayed: Int) { dispatcher.transferCounts }

    /// The current number of waiting callers.
    package var waiterCount: Int { dispatcher.waiterCount }

    /// Returns the scheme without `URLParts`, which rejects `data:` URLs with spaces.
    private static func scheme(of url: String) -> String {
        url.utf8.firstIndex(of: UInt8(ascii: ":")).map { url[..<$0].lowercased() } ?? ""
    }

    // Thousands of requests may wait, and each retains the memory of the suspended function. Functions that are not
    // inlined into it do not count.

    /// Returns the queue position of a network request, or `nil` if it is handled without the network.
    @inline(never)
    private func join(_ request: HTTPRequest, turn: FetchTurn) throws(FetchError) -> FetchDispatcher.Place? {
        if Task.isCancelled { throw .cancelled(url: request.url) }
        if let refusal = request.refusal { throw refusal }
        if observer != nil || Fetcher.isLocal(request) { return nil }
        return dispatcher.join(request, host: try request.httpParts().origin, turn: turn)
    }

    @inline(never)
    private func fetchApart(_ request: HTTPRequest, turn: FetchTurn) async throws(FetchError) -> HTTPResponse {
        if let observer, !Fetcher.isLocal(request) {
            return try await fetch(request, host: try request.httpParts().origin, turn: turn, observedBy: observer)
        }
        if Fetcher.scheme(of: request.url) == "data" { return try await dataTransport.send(request) }
        guard allowsFiles else {
            throw FetchError(.unsupportedScheme, url: request.url, detail: "file: URLs are not allowed here")
        }
        return try await fileTransport.send(request)
    }

    private static func isLocal(_ request: HTTPRequest) -> Bool {
        let scheme = scheme(of: request.url)
        return scheme == "data" || scheme == "file"
    }

    private func fetch(
        _ request: HTTPRequest, host: String, turn: FetchTurn, observedBy observer: any MapObserver
    ) async throws(FetchError) -> HTTPResponse {
        let seen = MapObservation.Request(request)
        observer.note(.requestBegan(seen))
        let (reply, outcome) = await observer.request(seen) { fields in
            let begun = clock.now()
            // An invalid field from the observer must not fail the request.
            let place = dispatcher.join(
                request, adding: fields.filter { $0.syntaxFault == nil }, host: host, turn: turn)
            await dispatcher.wait(for: place)
            let answer = place.slot.take()
            let outcome = MapObservation.RequestOutcome(
                answer.reply, attemptCount: answer.attemptCount, isShared: answer.isShared,
                duration: clock.now() - begun)
            return ((answer.reply, outcome), outcome)
        }
        observer.note(.requestEnded(seen, outcome))
        return try reply.get()
    }

    @inline(never)
    private func response(in place: FetchDispatcher.Place) throws(FetchError) -> HTTPResponse {
        try place.slot.take().reply.get()
    }
}

/// The position of a request in the queue of its host.
package struct FetchTurn: Sendable {
    /// The priority in the queue.
    package var priority: Fetcher.Priority
    /// Called when the request is queued, or has joined an equal one.
    package var onAdmission: @Sendable () -> Void

    package init(priority: Fetcher.Priority = Fetcher.Priority(), onAdmission: @escaping @Sendable () -> Void = {}) {
        self.priority = priority
        self.onAdmission = onAdmission
    }
}

extension Fetcher {
    /// The priority of a request among those to the same host.
    ///
    /// Visible content precedes the margin. Several views that load images from one host take turns: the first image of
    /// each precedes the second image of any.
    public struct Priority: Hashable, Sendable {
        /// Whether the content is outside the view.
        public var isMargin: Bool

        /// The index in the queue of its view, 0 for content at the centre.
        public var rank: Int

        /// Creates a priority; the default is that of a request without a view.
        public init(isMargin: Bool = false, rank: Int = 0) {
            self.isMargin = isMargin
            self.rank = max(rank, 0)
        }
    }
}
