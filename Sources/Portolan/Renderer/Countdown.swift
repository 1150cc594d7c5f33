import Synchronization

/// Performs an action once, when all parties have arrived.
final class Countdown: Sendable {
    private struct State {
        var missing: Set<Int>
        var action: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>

    /// Creates a countdown.
    ///
    /// Without parties the action is performed immediately.
    init(parties: Int, action: @escaping @Sendable () -> Void) {
        state = Mutex(State(missing: Set(0..<parties), action: parties > 0 ? action : nil))
        if parties <= 0 { action() }
    }

    /// Records the arrival of a party, from 0.
    ///
    /// Repeated arrivals have no effect.
    func arrive(_ party: Int) {
        let action = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.missing.remove(party) != nil, state.missing.isEmpty else { return nil }
            defer { state.action = nil }
            return state.action
        }
        action?()
    }
}
