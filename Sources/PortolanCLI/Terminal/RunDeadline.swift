import ArgumentParser
import Foundation
import Portolan
import PortolanWeb
import Synchronization

/// The end of a subcommand's time.
///
/// The work is cancelled at the deadline, and readers end with their next row. Work that has not ended shortly after, such as a
/// single step of a library, is ended with the process.
enum RunDeadline {
    /// The time that cancelled work has to end by itself.
    private static let grace: TimeInterval = 1
    /// The time limit that has passed, and what that means for the user.
    private static let passed = Mutex<Duration?>(nil)

    /// The time that a command has.
    struct Time {
        /// The limit that the user knows.
        let limit: Duration
        /// When the command must have ended.
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
        // A thread of its own: those of tasks may all be busy with what must be cancelled.
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: time.end / .seconds(1))
            passed.withLock { $0 = time.limit }
            task.cancel()
            Thread.sleep(forTimeInterval: grace)
            Interruption.end(with: failure() ?? CommandFailure(.unavailable, "timed out"))
        }
        do { try await task.value } catch {
            // A result that was written counts, and so does the reason for which none could be.
            let failure = error as? CommandFailure
            let isTold = error is ExitCode || failure?.status == .cannotCreate || failure?.isOfDeadline == true
            throw isTold ? error : self.failure() ?? error
        }
    }

    /// The failure of a command whose time has passed, or `nil` if it has not.
    ///
    /// - Parameter consequence: what that means for the user, or `nil` if it says nothing more.
    static func failure(_ consequence: String? = nil) -> CommandFailure? {
        passed.withLock(\.self).map { .timedOut(after: $0.secondsText, consequence) }
    }
}
