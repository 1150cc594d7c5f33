import Synchronization

/// Rings when times have come, with as few sleeping tasks as possible.
///
/// A task that is cancelled while it sleeps leaves memory behind until its time has come. So an alarm that has been set is not
/// taken back, and none is set behind an earlier one: whoever is woken too early looks, and sets the next.
package final class FrameAlarm: Sendable {
    /// The tasks that sleep, by the times until which they do.
    private final class Sleepers: Sendable {
        let tasks = Mutex<[Duration: Task<Void, Never>]>([:])
    }

    private let sleepers = Sleepers()
    private let clock: FrameClock
    private let ring: @Sendable () -> Void

    /// Makes an alarm that is not set.
    ///
    /// - Parameter ring: called at each time that has come.
    package init(_ clock: FrameClock, ring: @escaping @Sendable () -> Void) {
        self.clock = clock
        self.ring = ring
    }

    deinit { for task in sleepers.tasks.withLock(\.self).values { task.cancel() } }

    /// The number of times that it is set for.
    var count: Int { sleepers.tasks.withLock(\.count) }

    /// Rings at a time, or earlier; at once if the time has passed.
    package func set(for time: Duration) {
        sleepers.tasks.withLock { tasks in
            guard tasks.keys.allSatisfy({ $0 > time }) else { return }
            tasks[time] = Task { [sleepers, clock, ring] in
                await clock.sleep(max(time - clock.now(), .zero))
                // The next alarm may be for the same time, where the clock of the sleep is ahead.
                sleepers.tasks.withLock { $0[time] = nil }
                if !Task.isCancelled { ring() }
            }
        }
    }
}
