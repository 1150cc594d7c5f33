import Synchronization

/// Gets resources for the renderer: every request of a process goes through one of these.
///
/// It limits the transfers per host, lets equal requests share one transfer, and serves `http:` and `https:` through
/// its transport, `file:` and `data:` by itself. Use it from as many tasks as you like.
///
/// - A response with any status is returned, a 404 and a 500 too: the bodies of map services tell what is wrong.
///   Look at ``HTTPResponse/status``.
/// - Requests with equal URL and headers share a transfer. It runs with the time limits of the first; a cancelled
///   waiter gets ``FetchError/Code/cancelled`` at once, and the transfer ends when its last waiter is cancelled.
/// - Transfers of one scheme, host and port start in the order they were asked for. Time limits count from the start
///   of the transfer, not from the call.
public final class Fetcher: Sendable {
    private struct Waiting {
        let slot: ReplySlot
        let request: HTTPRequest
    }

    private struct State {
        var table = JoinTable()
        var queue: RequestQueue<JoinTable.Ticket>
        var waiting: [JoinTable.Waiter: Waiting] = [:]
        /// What a queued ticket will ask for.
        var queued: [JoinTable.Ticket: HTTPRequest] = [:]
        var running: [JoinTable.Ticket: Task<Void, Never>] = [:]
    }

    private let transport: any HTTPTransport
    private let allowsFiles: Bool
    private let fileTransport = FileTransport()
    private let dataTransport = DataTransport()
    private let state: Mutex<State>

    /// Makes a fetcher.
    ///
    /// - Parameters:
    ///   - transport: carries `http:` and `https:` requests; see ``systemTransport(userAgent:)``.
    ///   - maximumConnectionsPerHost: transfers of one scheme, host and port at once; 6, as browsers do.
    ///   - allowsFiles: whether `file:` URLs are read. Say false where documents of others name the URLs.
    public init(transport: any HTTPTransport, maximumConnectionsPerHost: Int = 6, allowsFiles: Bool = true) {
        self.transport = transport
        self.allowsFiles = allowsFiles
        state = Mutex(State(queue: RequestQueue(maximumPerHost: maximumConnectionsPerHost)))
    }

    /// The response to `request`, whatever its status.
    ///
    /// - Throws: ``FetchError``; code `cancelled` as soon as the calling task is cancelled.
    public func fetch(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
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
            return try await fetchShared(request, host: try request.httpParts().origin)
        }
    }

    /// Transfers that run and that wait for a slot, at this moment.
    package var transferCounts: (running: Int, waiting: Int) {
        state.withLock { ($0.queue.runningCount, $0.queue.waitingCount) }
    }

    /// Callers that wait for an answer, at this moment.
    package var waiterCount: Int { state.withLock { $0.waiting.count } }

    /// Read apart from `URLParts`, which takes no `data:` URL with spaces.
    private static func scheme(of url: String) -> String {
        url.utf8.firstIndex(of: UInt8(ascii: ":")).map { url[..<$0].lowercased() } ?? ""
    }

    private func fetchShared(_ request: HTTPRequest, host: String) async throws(FetchError) -> HTTPResponse {
        let slot = ReplySlot()
        let waiter = state.withLock { state in
            switch state.table.admit(request) {
            case .joined(_, let waiter):
                state.waiting[waiter] = Waiting(slot: slot, request: request)
                return waiter
            case .opened(let ticket, let waiter):
                state.waiting[waiter] = Waiting(slot: slot, request: request)
                if state.queue.enqueue(ticket, host: host) {
                    start(ticket, request, in: &state)
                } else {
                    state.queued[ticket] = request
                }
                return waiter
            }
        }
        let reply = await withTaskCancellationHandler {
            await slot.reply()
        } onCancel: {
            leave(waiter)
        }
        return try reply.get()
    }

    /// Under the lock: the task finds its own entry in place whenever it ends.
    private func start(_ ticket: JoinTable.Ticket, _ request: HTTPRequest, in state: inout State) {
        state.running[ticket] = Task {
            let reply: ReplySlot.Reply
            do throws(FetchError) {
                reply = .success(try await transport.send(request))
            } catch {
                reply = .failure(error)
            }
            finish(ticket, with: reply)
        }
    }

    private func finish(_ ticket: JoinTable.Ticket, with reply: ReplySlot.Reply) {
        let answered = state.withLock { state in
            state.running[ticket] = nil
            let answered = state.table.complete(ticket).compactMap { state.waiting.removeValue(forKey: $0) }
            if let next = state.queue.finish(ticket), let request = state.queued.removeValue(forKey: next) {
                start(next, request, in: &state)
            }
            return answered
        }
        for waiting in answered { waiting.slot.answer(Fetcher.reply(reply, within: waiting.request)) }
    }

    /// A waiter that joined may allow less than the transfer did.
    private static func reply(_ reply: ReplySlot.Reply, within request: HTTPRequest) -> ReplySlot.Reply {
        guard case .success(let response) = reply, response.body.count > request.maximumBodyByteCount else {
            return reply
        }
        let limit = request.maximumBodyByteCount
        return .failure(.bodyTooLarge(url: request.url, limit: limit, status: response.status))
    }

    private func leave(_ waiter: JoinTable.Waiter) {
        let (left, stopped) = state.withLock { state -> (Waiting?, Task<Void, Never>?) in
            let left = state.waiting.removeValue(forKey: waiter)
            guard let ticket = state.table.leave(waiter) else { return (left, nil) }
            switch state.queue.cancel(ticket) {
            case .removed:
                state.queued[ticket] = nil
                return (left, nil)
            case .stop:
                return (left, state.running[ticket])
            case .unknown:
                return (left, nil)
            }
        }
        stopped?.cancel()
        if let left { left.slot.answer(.failure(.cancelled(url: left.request.url))) }
    }
}
