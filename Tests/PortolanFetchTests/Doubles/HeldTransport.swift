import PortolanFetch
import PortolanWeb
import Synchronization

/// A transport whose transfers last until the test ends them.
final class HeldTransport: HTTPTransport {
    private struct State {
        var started: [String] = []
        var timeouts: [HTTPRequest.Timeouts] = []
        var cancelled: [String] = []
        var held: [(url: String, continuation: CheckedContinuation<Result<HTTPResponse, FetchError>, Never>, id: Int)] =
            []
        var mostAtOnce: [String: Int] = [:]
        var cancelledIDs: Set<Int> = []
    }

    private let state = Mutex(State())
    /// Whether a cancelled transfer ends at once or only when the test ends it.
    private let endsWhenCancelled: Bool

    init(endsWhenCancelled: Bool = true) {
        self.endsWhenCancelled = endsWhenCancelled
    }

    /// URLs in the order their transfers began.
    var started: [String] { state.withLock { $0.started } }

    /// The time limits of the transfers, in the same order.
    var timeouts: [HTTPRequest.Timeouts] { state.withLock { $0.timeouts } }

    /// URLs of transfers that were cancelled, in that order.
    var cancelled: [String] { state.withLock { $0.cancelled } }

    /// The most transfers under way at once, by host.
    func mostAtOnce(host: String) -> Int { state.withLock { $0.mostAtOnce[host] ?? 0 } }

    func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
        let id = state.withLock { state in
            state.started.append(request.url)
            state.timeouts.append(request.timeouts)
            return state.started.count
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelledIDs.contains(id), endsWhenCancelled { return true }
                    state.held.append((request.url, continuation, id))
                    let host = HeldTransport.host(request.url)
                    let count = state.held.count { HeldTransport.host($0.url) == host }
                    state.mostAtOnce[host] = max(state.mostAtOnce[host] ?? 0, count)
                    return false
                }
                if isCancelled { continuation.resume(returning: .failure(.cancelled(url: request.url))) }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                state.cancelled.append(request.url)
                state.cancelledIDs.insert(id)
                guard endsWhenCancelled, let index = state.held.firstIndex(where: { $0.id == id }) else {
                    return CheckedContinuation<Result<HTTPResponse, FetchError>, Never>?.none
                }
                return state.held.remove(at: index).continuation
            }
            continuation?.resume(returning: .failure(.cancelled(url: request.url)))
        }
        return try result.get()
    }

    /// Ends the oldest transfer of `url`; returns `false` without one.
    @discardableResult
    func end(_ url: String, status: Int = 200, body: [UInt8] = []) -> Bool {
        end(url, with: .success(HTTPResponse(status: status, body: body, url: url)))
    }

    @discardableResult
    func end(_ url: String, with result: Result<HTTPResponse, FetchError>) -> Bool {
        let continuation = state.withLock { state in
            state.held.firstIndex { $0.url == url }.map { state.held.remove(at: $0).continuation }
        }
        continuation?.resume(returning: result)
        return continuation != nil
    }

    private static func host(_ url: String) -> String {
        URLParts(url)?.host ?? ""
    }
}
