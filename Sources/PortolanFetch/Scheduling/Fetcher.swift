import Synchronization

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
    private typealias Ticket = FetchSchedule.Ticket
    private typealias Waiter = FetchSchedule.Waiter
    private typealias Stop = @Sendable () -> Void

    private struct Waiting {
        let slot: ReplySlot
        let request: HTTPRequest
    }

    private struct State {
        var schedule: FetchSchedule
        var waiting: [Waiter: Waiting] = [:]
        /// What ends that which runs for a ticket: its transfer, or its wait for the next try.
        var stops: [Ticket: Stop] = [:]
    }

    private let transport: any HTTPTransport
    private let allowsFiles: Bool
    private let clock: FetchClock
    private let observer: (any MapObserver)?
    private let fileTransport = FileTransport()
    private let dataTransport = DataTransport()
    private let state: Mutex<State>

    /// Makes a fetcher.
    ///
    /// - Parameters:
    ///   - transport: carries `http:` and `https:` requests; see ``systemTransport(userAgent:)``.
    ///   - maximumConnectionsPerHost: transfers of one scheme, host and port at once; 6, as browsers do.
    ///   - allowsFiles: whether `file:` URLs are read. Say false where documents of others name the URLs.
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
        self.transport = transport
        self.allowsFiles = allowsFiles
        self.clock = clock
        self.observer = observer
        let schedule = FetchSchedule(
            maximumPerHost: maximumConnectionsPerHost, retries: retries, breaker: circuitBreaker)
        state = Mutex(State(schedule: schedule))
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
        if Task.isCancelled { throw .cancelled(url: request.url) }
        switch Fetcher.scheme(of: request.url) {
        case "data":
            return try await dataTransport.send(request)
        case "file":
            guard allowsFiles else {
                throw FetchError(.unsupportedScheme, url: request.url, detail: "file: URLs are not allowed here")
            }
            return try await fileTransport.send(request)
        default:
            return try await fetchObserved(request, host: try request.httpParts().origin, turn: turn)
        }
    }

    /// Transfers that run, that wait for a slot and that wait for another try, at this moment.
    package var transferCounts: (running: Int, waiting: Int, delayed: Int) {
        state.withLock { ($0.schedule.queue.runningCount, $0.schedule.queue.waitingCount, $0.schedule.delayedCount) }
    }

    /// Callers that wait for an answer, at this moment.
    package var waiterCount: Int { state.withLock { $0.waiting.count } }

    /// Read apart from `URLParts`, which takes no `data:` URL with spaces.
    private static func scheme(of url: String) -> String {
        url.utf8.firstIndex(of: UInt8(ascii: ":")).map { url[..<$0].lowercased() } ?? ""
    }

    private func fetchObserved(
        _ request: HTTPRequest, host: String, turn: FetchTurn
    ) async throws(FetchError) -> HTTPResponse {
        guard let observer else { return try await fetchShared(request, host: host, turn: turn).answer.reply.get() }
        let seen = ObservedRequest(url: request.url)
        observer.note(.requestBegan(seen))
        let (reply, outcome) = await observer.request(seen) { fields in
            let begun = clock.now()
            // A field that HTTP does not allow must not cost the request.
            let (answer, isShared) = await fetchShared(
                request, adding: fields.filter { $0.syntaxFault == nil }, host: host, turn: turn)
            let outcome = RequestOutcome(
                answer.reply, attemptCount: answer.attemptCount, isShared: isShared, duration: clock.now() - begun)
            return ((answer.reply, outcome), outcome)
        }
        observer.note(.requestEnded(seen, outcome))
        return try reply.get()
    }

    private func fetchShared(
        _ request: HTTPRequest, adding fields: [HTTPHeader] = [], host: String, turn: FetchTurn
    ) async -> (answer: ReplySlot.Answer, isShared: Bool) {
        let slot = ReplySlot()
        let (waiter, isShared) = change { state in
            let (waiter, isShared, effects) = state.schedule.admit(
                request, adding: fields, host: host, priority: turn.priority, at: clock.now())
            state.waiting[waiter] = Waiting(slot: slot, request: request)
            return ((waiter, isShared), effects)
        }
        turn.onAdmission()
        let answer = await withTaskCancellationHandler {
            await slot.answer()
        } onCancel: {
            leave(waiter)
        }
        return (answer, isShared)
    }

    private func leave(_ waiter: Waiter) {
        let left = change { state in
            (state.waiting.removeValue(forKey: waiter), state.schedule.leave(waiter, at: clock.now()))
        }
        if let left { left.slot.answer(.failure(.cancelled(url: left.request.url))) }
    }

    private func finish(_ ticket: Ticket, with reply: ReplySlot.Reply) {
        let now = clock.now(), seconds = clock.calendarSeconds(), random = clock.random()
        change { state in
            state.stops[ticket] = nil
            return ((), state.schedule.finish(ticket, with: reply, at: now, calendarSeconds: seconds, random: random))
        }
    }

    /// Changes the state and brings about what follows of it.
    private func change<Value: Sendable>(
        _ event: (inout State) -> (Value, [FetchSchedule.Effect])
    ) -> Value {
        var answers: [(Waiting, ReplySlot.Answer)] = []
        var news: [MapObservation] = []
        var stops: [Stop] = []
        let value = state.withLock { state in
            let (value, effects) = event(&state)
            for effect in effects {
                switch effect {
                case .send(let ticket, let request):
                    state.stops[ticket] = transfer(ticket, request)
                case .stop(let ticket):
                    // A transfer keeps its slot until it has ended.
                    if let stop = state.stops[ticket] { stops.append(stop) }
                case .forget(let ticket):
                    if let stop = state.stops.removeValue(forKey: ticket) { stops.append(stop) }
                case .answer(let waiter, let reply, let attemptCount):
                    guard let waiting = state.waiting.removeValue(forKey: waiter) else { break }
                    let own = Fetcher.reply(reply, within: waiting.request)
                    answers.append((waiting, (own, attemptCount)))
                case .delay(let ticket, let duration):
                    state.stops[ticket] = wait(for: duration, ticket)
                case .rest(let host, let duration):
                    rest(host, for: duration)
                case .lost(let origin, let reason):
                    if observer != nil { news.append(.hostLost(host: Fetcher.host(of: origin), reason: reason)) }
                case .restored(let origin):
                    if observer != nil { news.append(.hostRestored(host: Fetcher.host(of: origin))) }
                }
            }
            return value
        }
        // Not under the lock: all three may run code of others.
        for event in news { observer?.note(event) }
        for stop in stops { stop() }
        for (waiting, answer) in answers { waiting.slot.answer(answer.reply, attemptCount: answer.attemptCount) }
        return value
    }

    /// Under the lock, as are the next two: what ends finds its own entry in place whenever that is.
    private func transfer(_ ticket: Ticket, _ request: HTTPRequest) -> Stop {
        if let transport = transport as? any CallbackTransport {
            return transport.begin(request) { [self] reply in finish(ticket, with: reply) }
        }
        let task = Task {
            let reply: ReplySlot.Reply
            do throws(FetchError) {
                reply = .success(try await transport.send(request))
            } catch {
                reply = .failure(error)
            }
            finish(ticket, with: reply)
        }
        return { task.cancel() }
    }

    private func wait(for duration: Duration, _ ticket: Ticket) -> Stop {
        let task = Task {
            await clock.sleep(duration)
            change { state in
                // A wait that was stopped has been forgotten, or another thing runs for the ticket.
                guard !Task.isCancelled else { return ((), []) }
                state.stops[ticket] = nil
                return ((), state.schedule.wake(ticket, at: clock.now()))
            }
        }
        return { task.cancel() }
    }

    private func rest(_ host: String, for duration: Duration) {
        // Those who wait hold the fetcher; without them there is nothing to wake.
        Task { [weak self, clock] in
            await clock.sleep(duration)
            guard let self else { return }
            change { state in ((), state.schedule.wake(host: host, at: clock.now())) }
        }
    }

    private static func host(of origin: String) -> String { URLParts(origin)?.host ?? origin }

    /// A waiter that joined may allow less than the transfer did.
    private static func reply(_ reply: ReplySlot.Reply, within request: HTTPRequest) -> ReplySlot.Reply {
        guard case .success(let response) = reply, response.body.count > request.maximumBodyByteCount else {
            return reply
        }
        let limit = request.maximumBodyByteCount
        return .failure(.bodyTooLarge(url: request.url, limit: limit, status: response.status))
    }
}
