import PortolanTransit
import Synchronization

/// What a sink is still to publish: changes that come while it is busy, or that it could not publish, are put together.
final class SinkBox: Sendable {
    /// A change, and all there is with it.
    struct Work: Sendable {
        var change: EngineChange
        var state: EngineState
    }

    private struct State {
        var waiting: Work?
        /// What could not be published, which goes with the next change.
        var failed: EngineChange?
        var isEnded = false
    }

    private let state = Mutex(State())
    private let bell = WakeSignal()

    /// Hands a change over.
    func put(_ change: EngineChange, of whole: EngineState) {
        state.withLock { state in
            let earlier = state.waiting?.change ?? state.failed
            state.failed = nil
            state.waiting = Work(change: earlier.map { change.following($0) } ?? change, state: whole)
        }
        bell.ring()
    }

    /// Keeps a change that could not be published until the next one comes.
    func keep(_ change: EngineChange) {
        state.withLock { state in
            if let waiting = state.waiting {
                state.waiting?.change = waiting.change.following(change)
            } else {
                state.failed = change
            }
        }
    }

    /// Ends it after what waits.
    func end() {
        state.withLock { $0.isEnded = true }
        bell.ring()
    }

    /// What is to be published next, or `nil` at the end or when the task is cancelled.
    func next() async -> Work? {
        while !Task.isCancelled {
            let (work, isEnded) = state.withLock { state in
                defer { state.waiting = nil }
                return (state.waiting, state.isEnded)
            }
            if let work { return work }
            if isEnded { return nil }
            await bell.wait()
        }
        return nil
    }
}

extension EngineChange {
    /// The most identifiers of vehicles that are gone which are kept for a sink that fails.
    private static let goneLimit = 100_000

    /// The change together with an earlier one that was not published; what was said last counts.
    ///
    /// - Complexity: O(*n* log *n*) in the vehicles of both.
    func following(_ earlier: EngineChange) -> EngineChange {
        let told = Set(changed.lazy.map(\.id)).union(gone)
        var whole = self
        whole.changed = earlier.changed.filter { !told.contains($0.id) } + changed
        whole.gone = (earlier.gone.filter { !told.contains($0) }.prefix(Self.goneLimit) + gone).sorted()
        whole.trips = trips ?? earlier.trips
        whole.disruptions = disruptions ?? earlier.disruptions
        return whole
    }
}
