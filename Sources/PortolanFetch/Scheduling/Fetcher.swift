import PortolanWeb

/// Gets resources for the renderer: every request of a process goes through one of these.
///
/// It limits the transfers per host, lets equal requests share one transfer, tries again what can succeed, and serves
/// `http:` and `https:` through its transport, `file:` and `data:` by itself. Use it from as many tasks as you like.
///
/// - A response with any status is returned, a 404 and a 500 too: the bodies of map services tell what is wrong.
///   Look at ``HTTPResponse/status``.
/// - Requests with equal URL and headers share a transfer. It runs with the time limits of the first; a cancelled
///   waiter gets ``FetchError/Code/cancelled`` at once, and the transfer ends when its last waiter is cancelled.
/// - Transfers of one scheme, host and port start in the order of their ``FetchPriority``, else in the order they were
///   asked for. Time limits count from the start of the transfer, not from the call.
/// - What failed and can succeed is tried again as ``RetryPolicy`` says; of a host that cannot be reached,
///   ``CircuitBreakerPolicy`` tells when it is asked no more.
public final class Fetcher: Sendable {
    private let dispatcher: FetchDispatcher
    private let allowsFiles: Bool
    private let clock: FetchClock
    private let observer: (any MapObserver)?
    private let fileTransport = FileTransport()
    private let dataTransport = DataTransport()

    /// Makes a fetcher.
    ///
    /// - Parameters:
    ///   - transport: carries `http:` and `https:` requests; see ``systemTransport(userAgent:)``.
    ///   - maximumConnectionsPerHost: transfers of one scheme, host and port at once; 6, as browsers do.
    ///   - allowsFiles: whether `file:` URLs are read, where who named them may lead to files.
    ///   - retries: what is tried again, and when.
    ///   - circuitBreaker: when a host that cannot be reached is asked no more.
    ///   - observer: is told of each request over HTTP.
    public convenience init(
        transport: any HTTPTransport, maximumConnectionsPerHost: Int = 6, allowsFiles: Bool = true,
        retries: RetryPolicy = RetryPolicy(), circuitBreaker: CircuitBreakerPolicy = CircuitBreakerPolicy(),
        observer: (any MapObserver)? = nil
    ) {
        self.init(
            transport: transport, maximumConnectionsPerHost: maximumConnectionsPerHost, allowsFiles: allowsFiles,
            retries: retries, circuitBreaker: circuitBreaker, clock: .system, observer: observer)
    }

    /// Makes a fetcher with a clock of its own.
    package init(
        transport: any HTTPTransport, maximumConnectionsPerHost: Int = 6, allowsFiles: Bool = true,
        retries: RetryPolicy = RetryPolicy(), circuitBreaker: CircuitBreakerPolicy = CircuitBreakerPolicy(),
        clock: FetchClock, observer: (any MapObserver)? = nil
    ) {
        self.allowsFiles = allowsFiles
        self.clock = clock
        self.observer = observer
        let schedule = FetchSchedule(
            maximumPerHost: maximumConnectionsPerHost, retries: retries, breaker: circuitBreaker)
        dispatcher = FetchDispatcher(transport: transport, schedule: schedule, clock: clock, observer: observer)
    }

    /// The response to `request`, whatever its status.
    ///
    /// - Parameter priority: how soon it is wanted, among those that wait for the same host.
    /// - Throws: ``FetchError``; code `cancelled` as soon as the calling task is cancelled.
    public func fetch(
        _ request: HTTPRequest, priority: FetchPriority = FetchPriority()
    ) async throws(FetchError) -> HTTPResponse {
        try await fetch(request, turn: FetchTurn(priority: priority))
    }

    /// The response to `request`, in its turn.
    package func fetch(_ request: HTTPRequest, turn: FetchTurn) async throws(FetchError) -> HTTPResponse {
        guard let place = try join(request, turn: turn) else { return try await fetchApart(request, turn: turn) }
        await dispatcher.wait(for: place)
        return try response(in: place)
    }

    /// Transfers that run, that wait for a slot and that wait for another try, at this moment.
    package var transferCounts: (running: Int, waiting: Int, delayed: Int) { dispatcher.transferCounts }

    /// Callers that wait for an answer, at this moment.
    package var waiterCount: Int { dispatcher.waiterCount }

    /// Read apart from `URLParts`, which takes no `data:` URL with spaces.
    private static func scheme(of url: String) -> String {
        url.utf8.firstIndex(of: UInt8(ascii: ":")).map { url[..<$0].lowercased() } ?? ""
    }

    // Thousands of requests may wait, and each keeps in memory what the function it waits in has in hand before and after
    // the wait. What is not inlined into that function does not count.

    /// The place of a request of the network in the line; nil for what is served in another way.
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
        let seen = ObservedRequest(request)
        observer.note(.requestBegan(seen))
        let (reply, outcome) = await observer.request(seen) { fields in
            let begun = clock.now()
            // A field that HTTP does not allow must not cost the request.
            let place = dispatcher.join(
                request, adding: fields.filter { $0.syntaxFault == nil }, host: host, turn: turn)
            await dispatcher.wait(for: place)
            let answer = place.slot.take()
            let outcome = RequestOutcome(
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

/// The place of a request in the queue of its host, with a call when it has it.
package struct FetchTurn: Sendable {
    /// The priority in the queue.
    package var priority: FetchPriority
    /// Called when the request has its place in the line, or shares that of another.
    package var onAdmission: @Sendable () -> Void

    package init(priority: FetchPriority = FetchPriority(), onAdmission: @escaping @Sendable () -> Void = {}) {
        self.priority = priority
        self.onAdmission = onAdmission
    }
}

/// The priority of a request among those that wait for the same host.
///
/// What is visible comes before what lies in the margin. Several views that want images of one host at the same time get
/// them in turns: the first of each before the second of any.
public struct FetchPriority: Hashable, Sendable {
    /// Whether it is for a place outside the view.
    public var isMargin: Bool

    /// The place in the line of its own view, 0 for what lies at the centre.
    public var rank: Int

    /// Makes a priority; by default that of a request that belongs to no view.
    public init(isMargin: Bool = false, rank: Int = 0) {
        self.isMargin = isMargin
        self.rank = max(rank, 0)
    }
}
