#if Storage || canImport(Darwin)
#if canImport(Darwin)
import SQLite3
#else
import CSQLite
#endif

/// Ends a statement of an untrusted file that runs too long, or whose task was cancelled.
///
/// Even a small view can have any number of rows, each as long as a value can be. SQLite calls the watch every few
/// steps of its virtual machine, so that a statement ends soon after cancellation even if each step creates a long
/// value.
final class SQLiteWatch {
    /// The reason for which a statement was ended.
    enum End { case cancelled, tooManySteps }

    /// The number of virtual machine steps between two checks; an ordinary row takes about ten.
    private static let interval = 100
    /// The maximum number of steps of a statement: minutes, if each is short.
    private static let maximumStepCount = 500_000_000

    private let endsWithTask: Bool
    private var stepCount = 0
    private(set) var end: End?

    init(endsWithTask: Bool) { self.endsWithTask = endsWithTask }

    /// Starts counting for a statement.
    func begin() {
        stepCount = 0
        end = nil
    }

    /// Counts another interval, and returns whether the statement must end.
    fileprivate func look() -> Bool {
        stepCount += Self.interval
        if stepCount > Self.maximumStepCount { end = .tooManySteps }
        if endsWithTask, Task.isCancelled { end = .cancelled }
        return end != nil
    }

    /// Watches the statements of a connection, which must not outlive the watch.
    func watch(_ handle: OpaquePointer) {
        // Not retained: the connection retains the watch, and is closed before releasing it.
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
