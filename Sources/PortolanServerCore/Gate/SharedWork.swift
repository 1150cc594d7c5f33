import Synchronization

/// Coalesces equal requests: the first starts the work, the others wait for the same result.
///
/// The work is cancelled when no request waits for it.
package final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Waiter = UInt64

    private struct Entry {
        let number: UInt64
        let task: Task<Void, Never>
        var waiters: [Waiter: CheckedContinuation<Value?, Never>] = [:]
        /// The waiters without a continuation yet.
        var coming: Set<Waiter> = []
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// The results of waiters without a continuation yet.
        var results: [Waiter: Value?] = [:]
        var lastNumber: UInt64 = 0
        var joinedCount = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// The number of requests that joined running work since the start.
    package var joinedCount: Int { state.withLock(\.joinedCount) }

    /// Returns the value for `key`, from running work or from work started now.
    ///
    /// - Parameter start: starts the work as a task, which passes its result to `finish`.
    /// - Returns: `nil` if the calling task was cancelled.
    package func value(
        for key: Key, start: (_ finish: @escaping @Sendable (Value) -> Void) -> Task<Void, Never>
    ) async -> Value? {
        let waiter: Waiter = state.withLock { state in
            state.lastNumber += 1
            let waiter = state.lastNumber
            if state.entries[key] != nil {
                state.joinedCount += 1
            } else {
                state.lastNumber += 1
                let number = state.lastNumber
                let task = start { [self] value in finish(key, number, value) }
                state.entries[key] = Entry(number: number, task: task)
            }
            state.entries[key]?.coming.insert(waiter)
            return waiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let result: Value?? = state.withLock { state in
                    if let result = state.results.removeValue(forKey: waiter) { return .some(result) }
                    state.entries[key]?.coming.remove(waiter)
                    if Task.isCancelled {
                        Self.cancelIfAlone(key, &state)
                        return .some(nil)
                    }
                    state.entries[key]?.waiters[waiter] = continuation
                    return nil
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                let continuation = state.entries[key]?.waiters.removeValue(forKey: waiter)
                if continuation != nil { Self.cancelIfAlone(key, &state) }
                return continuation
            }
            continuation?.resume(returning: nil)
        }
    }

    private static func cancelIfAlone(_ key: Key, _ state: inout State) {
        guard let entry = state.entries[key], entry.waiters.isEmpty, entry.coming.isEmpty else { return }
        // Later requests for the key start again instead of getting the cancelled work.
        state.entries[key] = nil
        entry.task.cancel()
    }

    private func finish(_ key: Key, _ number: UInt64, _ value: Value) {
        let waiters: [CheckedContinuation<Value?, Never>] = state.withLock { state in
            guard let entry = state.entries[key], entry.number == number else { return [] }
            state.entries[key] = nil
            for waiter in entry.coming { state.results[waiter] = value }
            return Array(entry.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: value) }
    }
}
