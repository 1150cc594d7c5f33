import ArgumentParser
import Foundation
import Portolan
import PortolanWeb
import Synchronization

/// The end of a subcommand's time.
///
/// The work is cancelled at the deadline, and readers end with their next row. The process is ended if the work does
/// not stop soon after, for example in a single step of a library.
enum RunDeadline {
    /// The grace time of cancelled work.
    private static let grace: TimeInterval = 1
    /// The time limit that has passed.
    private static let passed = Mutex<Duration?>(nil)

    /// The time of a command.
    struct Time {
        /// The limit for messages.
        let limit: Duration
        /// The end of the command.
        let end: Duration
    }

    /// Runs a command within its time.
    static func keeping(_ time: Time?, _ command: sending any ParsableCommand) async throws {
        let task = Task {
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                var command = command
                try command.run()
            }
        }
        guard let time else { return try await task.value }
        // A separate thread: those of tasks may all be busy with the work to cancel.
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: time.end / .seconds(1))
            passed.withLock { $0 = time.limit }
            task.cancel()
            Thread.sleep(forTimeInterval: grace)
            Interruption.end(with: failure() ?? CommandFailure(.unavailable, "timed out"))
        }
        do { try await task.value } catch {
            // A written result counts, and so does the reason why none could be written.
            let failure = error as? CommandFailure
            let isTold = error is ExitCode || failure?.status == .cannotCreate || failure?.isOfDeadline == true
            throw isTold ? error : self.failure() ?? error
        }
    }

    /// The failure of a command whose time has passed, or `nil` if it has not.
    ///
    /// - Parameter consequence: the consequence for the user, or `nil`.
    static func failure(_ consequence: String? = nil) -> CommandFailure? {
        passed.withLock(\.self).map { .timedOut(after: $0.secondsText, consequence) }
    }
}
