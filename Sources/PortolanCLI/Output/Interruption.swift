import Dispatch
import Foundation

/// Ends the command cleanly when the user interrupts it: the work is cancelled and nothing half-written is left.
enum Interruption {
    /// Runs `work`, and cancels it on SIGINT; the exit code is then 130.
    static func cancelling<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let task = Task { try await work() }
        signal(SIGINT, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler { task.cancel() }
        source.resume()
        defer { source.cancel() }
        do { return try await task.value } catch {
            guard task.isCancelled else { throw error }
            throw CommandFailure(.interrupted, "interrupted")
        }
    }
}
