import Synchronization

/// Does something once, when all of a number of parties have arrived.
final class Countdown: Sendable {
    private struct State {
        var missing: Set<Int>
        var action: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>

    /// Acts at once when there are no parties.
    init(parties: Int, action: @escaping @Sendable () -> Void) {
        state = Mutex(State(missing: Set(0..<parties), action: parties > 0 ? action : nil))
        if parties <= 0 { action() }
    }

    /// A party, 0 for the first, has arrived; that it has before does not matter.
    func arrive(_ party: Int) {
        let action = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.missing.remove(party) != nil, state.missing.isEmpty else { return nil }
            defer { state.action = nil }
            return state.action
        }
        action?()
    }
}
