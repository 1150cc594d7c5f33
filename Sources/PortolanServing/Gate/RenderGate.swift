import Synchronization

/// The door before the drawing: lets in so many at once, in order of arrival, and turns away who would wait too long.
package final class RenderGate: Sendable {
    private struct State {
        var queue: AdmissionQueue
        var waiters: [AdmissionQueue.Ticket: CheckedContinuation<Bool, Never>] = [:]
        /// Whose turn came before they were seen to wait.
        var called: Set<AdmissionQueue.Ticket> = []
        var refusedCount = 0
        /// How long those who are done have drawn lately, in seconds.
        var meanDuration = 0.05
        var waitedSeconds = 0.0
        var admittedCount = 0
    }

    private let state: Mutex<State>

    /// Makes a gate.
    ///
    /// - Parameters:
    ///   - capacity: how many may draw at once.
    ///   - room: how many may wait.
    package init(capacity: Int, room: Int) {
        state = Mutex(State(queue: AdmissionQueue(capacity: capacity, room: room)))
    }

    /// How it stands.
    package struct Figures: Equatable, Sendable {
        /// How many draw.
        package var running: Int
        /// How many wait.
        package var waiting: Int
        /// How many were turned away since the beginning.
        package var refused: Int
        /// How many were let in since the beginning.
        package var admitted: Int
        /// How long those had waited, in seconds, all together.
        package var waitedSeconds: Double
    }

    /// How it stands.
    package var figures: Figures {
        state.withLock {
            Figures(
                running: $0.queue.running, waiting: $0.queue.waiting, refused: $0.refusedCount,
                admitted: $0.admittedCount, waitedSeconds: $0.waitedSeconds)
        }
    }

    /// Does `work` when its turn has come.
    ///
    /// - Throws: ``Problem`` of kind `overloaded` at once where too many wait, and of kind `timedOut` where the task is
    ///   cancelled while it waits.
    package func admitted<Value>(_ work: () async throws(Problem) -> Value) async throws(Problem) -> Value {
        let start = ContinuousClock.now
        try await enter()
        let admitted = ContinuousClock.now
        state.withLock {
            $0.admittedCount += 1
            $0.waitedSeconds += (admitted - start).inSeconds
        }
        defer { leave(after: (ContinuousClock.now - admitted).inSeconds) }
        return try await work()
    }

    private func enter() async throws(Problem) {
        // A ticket is given before its waiter is known: one that is called in between finds that it may go on.
        let admission = state.withLock { state in
            let admission = state.queue.arrive()
            if admission == .refused { state.refusedCount += 1 }
            return admission
        }
        switch admission {
        case .admitted: return
        case .refused:
            throw Problem(.overloaded, "too many pictures are asked for; ask again", retryAfter: retrySeconds)
        case .waiting(let ticket):
            guard await waits(ticket) else { throw Problem(.timedOut, "the picture's turn did not come in time") }
        }
    }

    /// Waits for a turn; false where the task was cancelled before it came.
    private func waits(_ ticket: AdmissionQueue.Ticket) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let result: Bool? = state.withLock { state in
                    if state.called.remove(ticket) != nil { return true }
                    if Task.isCancelled, state.queue.abandon(ticket) { return false }
                    state.waiters[ticket] = continuation
                    return nil
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters[ticket] != nil && state.queue.abandon(ticket)
                    ? state.waiters.removeValue(forKey: ticket) : nil
            }
            waiter?.resume(returning: false)
        }
    }

    private func leave(after seconds: Double) {
        let waiter: CheckedContinuation<Bool, Never>? = state.withLock { state in
            state.meanDuration += (min(seconds, 60) - state.meanDuration) / 16
            guard let ticket = state.queue.leave() else { return nil }
            guard let waiter = state.waiters.removeValue(forKey: ticket) else {
                state.called.insert(ticket)
                return nil
            }
            return waiter
        }
        waiter?.resume(returning: true)
    }

    /// When those who wait now will have drawn, by how long it takes lately; whole seconds, at least one.
    private var retrySeconds: Int {
        state.withLock { state in
            let rounds = Double(state.queue.waiting + state.queue.running) / Double(state.queue.capacity)
            return min(max(Int((rounds * state.meanDuration).rounded(.up)), 1), 60)
        }
    }
}

extension Duration {
    /// The length in seconds.
    package var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
