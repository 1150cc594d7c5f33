import Synchronization

/// Limits the concurrent renders: clients take turns, and requests that cannot be answered in time are refused.
package final class RenderGate: Sendable {
    /// The result of a wait.
    private enum Turn: Sendable {
        case come, displaced, cancelled
    }

    private struct State {
        var queue: AdmissionQueue
        var waiters: [AdmissionQueue.Ticket: CheckedContinuation<Turn, Never>] = [:]
        /// The results of waits that ended before their continuation was registered.
        var early: [AdmissionQueue.Ticket: Turn] = [:]
        var refusedCount = 0
        var abandonedCount = 0
        var waitedSeconds = 0.0
        var admittedCount = 0

        /// Ends the wait of a request.
        mutating func end(_ ticket: AdmissionQueue.Ticket, _ turn: Turn) -> CheckedContinuation<Turn, Never>? {
            if let waiter = waiters.removeValue(forKey: ticket) { return waiter }
            early[ticket] = turn
            return nil
        }
    }

    private let state: Mutex<State>

    /// Creates a gate.
    ///
    /// - Parameters:
    ///   - capacity: the maximum number of concurrent renders.
    ///   - room: the maximum number of waiting requests.
    ///   - deadline: the longest time of a request, including its wait.
    package init(capacity: Int, room: Int, deadline: Duration? = nil) {
        state = Mutex(
            State(
                queue: AdmissionQueue(
                    capacity: capacity, room: room, deadline: deadline.map(\.inSeconds) ?? .infinity)))
    }

    /// The state of the gate, and its counters since the start.
    package struct Figures: Equatable, Sendable {
        /// The number of running renders.
        package var running: Int
        /// The number of waiting requests.
        package var waiting: Int
        /// The number of waiting clients.
        package var waitingClients: Int
        /// The number of refused requests.
        package var refused: Int
        /// The number of requests that were abandoned because the client disconnected or the time was up.
        package var abandoned: Int
        /// The number of started renders.
        package var admitted: Int
        /// The total wait of the started renders, in seconds.
        package var waitedSeconds: Double
        /// The mean time of recent renders, in seconds.
        package var meanSeconds: Double
    }

    /// The current figures.
    package var figures: Figures {
        state.withLock {
            Figures(
                running: $0.queue.running, waiting: $0.queue.waiting, waitingClients: $0.queue.waitingClients,
                refused: $0.refusedCount, abandoned: $0.abandonedCount, admitted: $0.admittedCount,
                waitedSeconds: $0.waitedSeconds, meanSeconds: $0.queue.meanSeconds)
        }
    }

    /// Runs `work` when a slot is free.
    ///
    /// - Parameter client: the client that sent the request, which takes turns with others.
    /// - Throws: ``Problem`` of kind `overloaded` if the request cannot be answered in time, and of kind `timedOut` if
    ///   the task is cancelled while it waits.
    package func admitted<Value>(
        for client: String = "", _ work: () async throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        let start = ContinuousClock.now
        try await enter(client)
        let admitted = ContinuousClock.now
        state.withLock {
            $0.admittedCount += 1
            $0.waitedSeconds += (admitted - start).inSeconds
        }
        do throws(Problem) {
            let value = try await work()
            leave(after: (ContinuousClock.now - admitted).inSeconds, isWhole: true)
            return value
        } catch {
            leave(after: (ContinuousClock.now - admitted).inSeconds, isWhole: false)
            throw error
        }
    }

    private func enter(_ client: String) async throws(Problem) {
        guard !Task.isCancelled else { throw Self.cancellation }
        // The ticket exists before its continuation: if the wait ends in between, the result is stored in `early`.
        let (admission, displaced) = state.withLock { state in
            let admission = state.queue.arrive(client)
            var displaced: CheckedContinuation<Turn, Never>?
            switch admission {
            case .refused: state.refusedCount += 1
            case .waiting(_, let ticket?):
                state.refusedCount += 1
                displaced = state.end(ticket, .displaced)
            case .admitted, .waiting: break
            }
            return (admission, displaced)
        }
        displaced?.resume(returning: .displaced)
        switch admission {
        case .admitted: return
        case .refused(let seconds): throw Self.refusal(seconds)
        case .waiting(let ticket, _):
            switch await turn(of: ticket) {
            case .come: return
            case .displaced: throw Self.refusal(1)
            case .cancelled: throw Self.cancellation
            }
        }
    }

    private static var cancellation: Problem { Problem(.timedOut, "the render was queued too long") }

    private static func refusal(_ seconds: Double) -> Problem {
        Problem(
            .overloaded, "the render queue is full; retry later",
            retryAfter: Int(min(max(seconds.rounded(.up), 1), 60)))
    }

    /// Waits for the result of a ticket.
    private func turn(of ticket: AdmissionQueue.Ticket) async -> Turn {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let turn: Turn? = state.withLock { state in
                    if let turn = state.early.removeValue(forKey: ticket) { return turn }
                    if Task.isCancelled, state.queue.abandon(ticket) {
                        state.abandonedCount += 1
                        return .cancelled
                    }
                    state.waiters[ticket] = continuation
                    return nil
                }
                if let turn { continuation.resume(returning: turn) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> CheckedContinuation<Turn, Never>? in
                guard state.waiters[ticket] != nil, state.queue.abandon(ticket) else { return nil }
                state.abandonedCount += 1
                return state.waiters.removeValue(forKey: ticket)
            }
            waiter?.resume(returning: .cancelled)
        }
    }

    /// Registers the end of a render.
    ///
    /// - Parameter isWhole: whether it completed. The duration of a cancelled or failed render would make the estimate
    ///   too low.
    private func leave(after seconds: Double, isWhole: Bool) {
        let waiter = state.withLock { state in
            let counts = isWhole || seconds > state.queue.meanSeconds
            return state.queue.leave(after: counts ? seconds : nil).flatMap { state.end($0, .come) }
        }
        waiter?.resume(returning: .come)
    }
}

extension Duration {
    /// The length in seconds.
    package var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
