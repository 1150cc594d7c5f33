#if canImport(Darwin) || !Drivers || DEBUG
import Dispatch
import Foundation
import PortolanWeb
import Synchronization
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// All transfers of a session: starts their tasks, receives their data, and enforces their time limits.
///
/// On Linux a session calls its delegate on a queue that all sessions of the process share (see `InlineQueue`), and
/// creating, resuming or cancelling a task blocks until that queue is free. These calls therefore run on a separate
/// queue, no task or timer ever waits for it, and a transfer is answered before its task is cancelled.
final class URLSessionLoop: NSObject, URLSessionDataDelegate {
    private struct State {
        var transfers: [UInt64: URLSessionTransfer] = [:]
        /// The transfers by task identifier.
        var owners: [Int: UInt64] = [:]
        var lastID: UInt64 = 0
        /// Created with the first request.
        var session: URLSession?
        var nextCheck: ContinuousClock.Instant?

        /// Removes a transfer with its task.
        mutating func remove(_ id: UInt64) -> URLSessionTransfer? {
            guard let transfer = transfers.removeValue(forKey: id) else { return nil }
            if let task = transfer.task { owners[task.taskIdentifier] = nil }
            return transfer
        }
    }

    private let state = Mutex(State())
    /// The queue for calls into URLSession, which may block.
    private let calls = DispatchQueue(label: "portolan.urlsession")
    private let clock = DispatchQueue(label: "portolan.urlsession.clock")
    #if !canImport(Darwin)
    private let resolver = HostResolver()
    private let proxies = EnvironmentProxies()
    #endif

    /// Starts a transfer of a prepared request.
    func start(_ request: HTTPRequest, asked: String, answer: @escaping CallbackTransport.Answer) -> UInt64 {
        let id = state.withLock { state in
            state.lastID += 1
            let transfer = URLSessionTransfer(request, asked: asked, answer: answer)
            state.transfers[state.lastID] = transfer
            watch(transfer, &state)
            return state.lastID
        }
        proceed(id)
        return id
    }

    /// Cancels a transfer; does nothing if it has ended.
    func cancel(_ id: UInt64) {
        finish(id) { .failure(.cancelled(url: $0.asked)) }
    }

    /// Ends all transfers and the session.
    func end() {
        for id in state.withLock({ Array($0.transfers.keys) }) { cancel(id) }
        calls.async { [self] in
            let session = state.withLock { state in
                defer { state.session = nil }
                return state.session
            }
            // Without this call the session would retain its delegate forever.
            session?.invalidateAndCancel()
        }
    }

    /// Answers a transfer and stops its task.
    private func finish(_ id: UInt64, _ reply: (URLSessionTransfer) -> ReplySlot.Reply) {
        guard let transfer = state.withLock({ $0.remove(id) }) else { return }
        transfer.answer(reply(transfer))
        if let task = transfer.task { calls.async { task.cancel() } }
    }

    // MARK: Requests

    /// Sends the request of a transfer after its host was resolved and is allowed.
    private func proceed(_ id: UInt64) {
        #if canImport(Darwin)
        send(id, to: nil)
        #else
        guard let (request, asked) = state.withLock({ state in state.transfers[id].map { ($0.request, $0.asked) } }),
            let host = URLParts(request.url)?.host
        else { return }
        let isProxied = proxies.proxy(for: request) != nil
        guard request.looksAtConnections, !isProxied || proxies.mayBypass(host) else {
            // Only the network of an address is known here.
            if !isProxied { state.withLock { $0.transfers[id]?.network = IPAddress(host: host)?.network } }
            return send(id, to: nil)
        }
        resolver.resolve(host) { [self] addresses in
            let allowed = addresses.filter { request.refusal(ofConnectionTo: $0, asked: asked) == nil }
            let isPinned = !isProxied && !request.url.hasPrefix("https:")
            if let address = allowed.first, isPinned {
                state.withLock { $0.transfers[id]?.network = address.network }
                send(id, to: address)
            } else if !allowed.isEmpty, allowed.count == addresses.count {
                send(id, to: nil)
            } else {
                let refusal = addresses.lazy.compactMap { request.refusal(ofConnectionTo: $0, asked: asked) }.first
                let unknown = FetchError(.cannotResolveHost, url: asked, detail: "the host name has no address")
                finish(id) { _ in .failure(refusal ?? unknown) }
            }
        }
        #endif
    }

    private func send(_ id: UInt64, to address: IPAddress?) {
        calls.async { [self] in
            let session: URLSession? = state.withLock { state in
                guard state.transfers[id] != nil else { return nil }
                if state.session == nil { state.session = makeSession() }
                return state.session
            }
            guard let session, let request = state.withLock({ $0.transfers[id]?.request }) else { return }
            guard let urlRequest = URLRequest(request, at: address) else {
                let detail = "the system cannot parse the URL"
                return finish(id) { .failure(FetchError(.invalidURL, url: $0.asked, detail: detail)) }
            }
            let task = session.dataTask(with: urlRequest)
            let isWanted = state.withLock { state in
                guard state.transfers[id] != nil else { return false }
                state.transfers[id]?.task = task
                state.owners[task.taskIdentifier] = id
                return true
            }
            // The session retains a task until it has ended.
            if isWanted { task.resume() } else { task.cancel() }
        }
    }

    private func makeSession() -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        // The fetcher limits connections per host; this limit must not be lower.
        configuration.httpMaximumConnectionsPerHost = 1024
        #if canImport(Darwin)
        return URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        #else
        return URLSession(configuration: configuration, delegate: self, delegateQueue: InlineQueue())
        #endif
    }

    // MARK: Time limits

    /// Schedules the check of a transfer's deadline.
    private func watch(_ transfer: URLSessionTransfer, _ state: inout State) {
        let deadline = transfer.deadline
        if let next = state.nextCheck, next <= deadline { return }
        state.nextCheck = deadline
        let delay = max(0, ContinuousClock.now.duration(to: deadline).timerMilliseconds + 1)
        clock.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self] in self?.checkDeadlines() }
    }

    private func checkDeadlines() {
        let now = ContinuousClock.now
        let late: [UInt64] = state.withLock { state in
            guard let next = state.nextCheck, next <= now else { return [] }
            state.nextCheck = nil
            if let first = state.transfers.values.filter({ $0.deadline > now }).min(by: { $0.deadline < $1.deadline }) {
                watch(first, &state)
            }
            return state.transfers.filter { $0.value.deadline <= now }.map(\.key)
        }
        for id in late { finish(id) { .failure($0.timeoutError(at: now)) } }
    }

    // MARK: Arrivals

    /// Updates the transfer of a task, which fails if `change` throws.
    private func update(_ task: URLSessionTask, _ change: (inout URLSessionTransfer) throws(FetchError) -> Void) {
        let failure: (id: UInt64, error: FetchError)? = state.withLock { state in
            // Removed during the change, so that the body grows in place.
            guard let id = state.owners[task.taskIdentifier], var transfer = state.transfers.removeValue(forKey: id)
            else { return nil }
            defer { state.transfers[id] = transfer }
            do throws(FetchError) {
                try change(&transfer)
                watch(transfer, &state)
                return nil
            } catch {
                return (id, error)
            }
        }
        if let failure { finish(failure.id) { _ in .failure(failure.error) } }
    }

    /// Completes the transfer of a task whose response is complete, or follows a redirect.
    private func settle(_ task: URLSessionTask) {
        let settled: (UInt64, URLSessionTransfer.Outcome)? = state.withLock { state in
            guard let id = state.owners.removeValue(forKey: task.taskIdentifier),
                let outcome = state.transfers[id]?.complete()
            else { return nil }
            state.transfers[id]?.task = nil
            return (id, outcome)
        }
        guard let (id, outcome) = settled else { return }
        switch outcome {
        case .finished(let reply): finish(id) { _ in reply }
        case .redirected: proceed(id)
        }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        update(dataTask) { transfer throws(FetchError) in
            if let response = response as? HTTPURLResponse { try transfer.receive(response) }
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        update(dataTask) { transfer throws(FetchError) in try transfer.receive(data) }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        #if canImport(Darwin)
        // The redirect response ends this task; after that it is decided whether to follow it.
        completionHandler(nil)
        #else
        // Not called, because it would trap if the task was cancelled before.
        update(task) { transfer throws(FetchError) in try transfer.receive(response) }
        settle(task)
        calls.async { task.cancel() }
        #endif
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(Darwin)
        // Credentials are sent in headers; rejecting the challenge returns the 401 as a response.
        let isServerTrust = challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust
        completionHandler(isServerTrust ? .performDefaultHandling : .rejectProtectionSpace, nil)
        #else
        // The challenge follows the body of the 401, and the task would wait forever.
        settle(task)
        calls.async { task.cancel() }
        #endif
    }

    #if canImport(Darwin)
    /// Checks the address of the server, which URLSession reports only afterwards.
    ///
    /// A response from a forbidden address is discarded.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        guard let last = metrics.transactionMetrics.last, !last.isProxyConnection,
            let address = last.remoteAddress.flatMap({ IPAddress(host: $0) })
        else { return }
        update(task) { transfer throws(FetchError) in
            transfer.network = address.network
            if let refusal = transfer.request.refusal(ofConnectionTo: address, asked: transfer.asked) { throw refusal }
        }
    }
    #endif

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let error else {
            // swift-corelibs-foundation reports the header of a redirect without a target only here.
            if let response = task.response as? HTTPURLResponse {
                update(task) { transfer throws(FetchError) in
                    if !transfer.hasHeader { try transfer.receive(response) }
                }
            }
            return settle(task)
        }
        let id = state.withLock { state in
            let id = state.owners.removeValue(forKey: task.taskIdentifier)
            if let id { state.transfers[id]?.task = nil }
            return id
        }
        if let id { finish(id) { .failure($0.failure(error)) } }
    }
}

#if !canImport(Darwin)
/// Runs the delegate calls of a session immediately on the session's queue.
///
/// With an ordinary queue the session would continue reading meanwhile, so that an endless body, or one that grows a
/// thousandfold by decompression, would accumulate in memory. Here each chunk is counted, and dropped beyond the limit,
/// before the next one is read.
private final class InlineQueue: OperationQueue, @unchecked Sendable {
    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
}
#endif
#endif
