import Dispatch
import Foundation
import Synchronization

/// Ends the command cleanly when the user interrupts it: the work is cancelled and nothing half-written is left.
enum Interruption {
    /// How long cancelled work may take to end by itself; reading standard input, for one, never would.
    private static let grace = DispatchTimeInterval.milliseconds(500)

    /// Held while a file is written, so that the process does not end in the middle; `true` once the user interrupted.
    private static let isInterrupted = Mutex(false)

    /// Runs `work`, and cancels it on SIGINT; the exit code is then 130.
    static func cancelling<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let cancellation = Mutex<(@Sendable () -> Void)?>(nil)
        signal(SIGINT, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler {
            isInterrupted.withLock { $0 = true }
            cancellation.withLock { $0 }?()
            DispatchQueue.global().asyncAfter(deadline: .now() + grace) {
                isInterrupted.withLock { _ in StandardError.write(interrupted) }
                exit(ExitStatus.interrupted.rawValue)
            }
        }
        await withCheckedContinuation { registered in
            source.setRegistrationHandler { registered.resume() }
            source.resume()
        }
        defer { source.cancel() }
        let task = Task { try await work() }
        cancellation.withLock { $0 = { task.cancel() } }
        if isInterrupted.withLock({ $0 }) { task.cancel() }
        do { return try await task.value } catch {
            guard task.isCancelled else { throw error }
            throw interrupted
        }
    }

    /// Does `work` to its end before an interruption takes effect, or not at all after one.
    static func whole(_ work: () throws(CommandFailure) -> Void) throws(CommandFailure) {
        try isInterrupted.withLock { interrupted throws(CommandFailure) in
            if interrupted { throw Self.interrupted }
            try work()
        }
    }

    private static var interrupted: CommandFailure { CommandFailure(.interrupted, "interrupted; nothing was written") }
}
