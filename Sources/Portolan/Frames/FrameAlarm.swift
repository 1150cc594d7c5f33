import Synchronization

/// Calls a closure at set times, with as few sleeping tasks as possible.
///
/// A task that is cancelled during its sleep occupies memory until the sleep would have ended. Therefore an alarm is
/// never cancelled, and no alarm is set after an earlier one. A caller that is woken too early sets the next alarm.
package final class FrameAlarm: Sendable {
    /// The sleeping tasks, by their wake times.
    private final class Sleepers: Sendable {
        let tasks = Mutex<[Duration: Task<Void, Never>]>([:])
    }

    private let sleepers = Sleepers()
    private let clock: FrameClock
    private let ring: @Sendable () -> Void

    /// Creates an alarm without times.
    ///
    /// - Parameter ring: called at each set time.
    package init(_ clock: FrameClock, ring: @escaping @Sendable () -> Void) {
        self.clock = clock
        self.ring = ring
    }

    deinit { for task in sleepers.tasks.withLock(\.self).values { task.cancel() } }

    /// The number of pending times.
    var count: Int { sleepers.tasks.withLock(\.count) }

    /// Sets a time.
    ///
    /// The alarm rings at this time or earlier; immediately if the time has passed.
    package func set(for time: Duration) {
        sleepers.tasks.withLock { tasks in
            guard tasks.keys.allSatisfy({ $0 > time }) else { return }
            tasks[time] = Task { [sleepers, clock, ring] in
                await clock.sleep(max(time - clock.now(), .zero))
                // If the sleep clock is ahead, the next alarm may have the same time.
                sleepers.tasks.withLock { $0[time] = nil }
                if !Task.isCancelled { ring() }
            }
        }
    }
}
