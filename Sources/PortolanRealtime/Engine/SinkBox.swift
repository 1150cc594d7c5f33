import PortolanTransit
import Synchronization

/// The pending work of a sink.
///
/// Changes that arrive while the sink is busy, or that it failed to publish, are merged.
final class SinkBox: Sendable {
    /// A change with the state after it.
    struct Work: Sendable {
        var change: VehicleEngine.Change
        var state: VehicleEngine.State
    }

    private struct State {
        var waiting: Work?
        /// A change that could not be published and will be merged with the next one.
        var failed: VehicleEngine.Change?
        var isEnded = false
    }

    private let state = Mutex(State())
    private let bell = WakeSignal()

    /// Adds a change.
    func put(_ change: VehicleEngine.Change, of whole: VehicleEngine.State) {
        state.withLock { state in
            let earlier = state.waiting?.change ?? state.failed
            state.failed = nil
            state.waiting = Work(change: earlier.map { change.following($0) } ?? change, state: whole)
        }
        bell.ring()
    }

    /// Keeps a failed change until the next one.
    func keep(_ change: VehicleEngine.Change) {
        state.withLock { state in
            if let waiting = state.waiting {
                state.waiting?.change = waiting.change.following(change)
            } else {
                state.failed = change
            }
        }
    }

    /// Ends the work after the pending change.
    func end() {
        state.withLock { $0.isEnded = true }
        bell.ring()
    }

    /// Returns the next change to publish, or `nil` at the end or if the task is cancelled.
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

extension VehicleEngine.Change {
    /// The maximum number of removed vehicle identifiers that are kept for a failing sink.
    private static let goneLimit = 100_000

    /// Returns this change merged over an earlier unpublished one.
    ///
    /// - Complexity: O(*n* log *n*) in the number of vehicles.
    func following(_ earlier: VehicleEngine.Change) -> VehicleEngine.Change {
        let told = Set(changed.lazy.map(\.id)).union(gone)
        var whole = self
        whole.changed = earlier.changed.filter { !told.contains($0.id) } + changed
        whole.gone = (earlier.gone.filter { !told.contains($0) }.prefix(Self.goneLimit) + gone).sorted()
        whole.trips = trips ?? earlier.trips
        whole.disruptions = disruptions ?? earlier.disruptions
        return whole
    }
}
