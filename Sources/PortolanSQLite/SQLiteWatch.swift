#if Storage || canImport(Darwin)
#if canImport(Darwin)
import SQLite3
#else
import CSQLite
#endif

/// Ends a statement of an untrusted file that runs for too long, or whose task was cancelled.
///
/// A view of a kilobyte may have any number of rows, and each may be as long as a value can be. SQLite asks the watch every few
/// steps of its machine, so that a statement ends soon after its task was cancelled even if each step makes a long value.
final class SQLiteWatch {
    /// The reason for which a statement was ended.
    enum End { case cancelled, tooManySteps }

    /// The number of steps of the machine between two looks: an ordinary row takes about ten.
    private static let interval = 100
    /// The most steps of a statement: minutes, if each is short.
    private static let maximumStepCount = 500_000_000

    private let endsWithTask: Bool
    private var stepCount = 0
    private(set) var end: End?

    init(endsWithTask: Bool) { self.endsWithTask = endsWithTask }

    /// Begins to count for a statement.
    func begin() {
        stepCount = 0
        end = nil
    }

    /// Notes that another interval has passed, and returns whether the statement must end.
    fileprivate func look() -> Bool {
        stepCount += Self.interval
        if stepCount > Self.maximumStepCount { end = .tooManySteps }
        if endsWithTask, Task.isCancelled { end = .cancelled }
        return end != nil
    }

    /// Watches the statements of a connection, which must not outlive the watch.
    func watch(_ handle: OpaquePointer) {
        // Not retained: the connection holds the watch, and is closed before it lets go of it.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe sqlite3_progress_handler(
            handle, Int32(Self.interval),
            { context in
                guard let context = unsafe context else { return 1 }
                return unsafe Unmanaged<SQLiteWatch>.fromOpaque(context).takeUnretainedValue().look() ? 1 : 0
            }, context)
    }
}
#endif
