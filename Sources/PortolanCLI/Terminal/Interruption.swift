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
    ///
    /// - Parameters:
    ///   - consequence: what an interruption means, for the user.
    ///   - isEnd: whether that is how the work is ended, as a recording; what it then gives is its result.
    static func cancelling<Result: Sendable>(
        consequence: String = "nothing was written", isEnd: Bool = false,
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let interrupted = CommandFailure(.interrupted, "interrupted; " + consequence)
        func end() -> CommandFailure { RunDeadline.failure(consequence) ?? interrupted }
        let task = Task { try await work() }
        Thread.detachNewThread {
            waitForSignal()
            // What is ended so has its result to write.
            if !isEnd { isInterrupted.withLock { $0 = true } }
            task.cancel()
            DispatchQueue.global().asyncAfter(deadline: .now() + (isEnd ? .seconds(30) : grace)) {
                Self.end(with: interrupted)
            }
        }
        let result: Result
        do {
            result = try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch {
            guard task.isCancelled, !isEnd else { throw error }
            throw end()
        }
        // Work that takes a cancellation for a failure of its own may end as if nothing had happened.
        if task.isCancelled, !isEnd { throw end() }
        return result
    }

    /// Ends the process, between files and not within one.
    static func end(with failure: CommandFailure) -> Never {
        isInterrupted.withLock { _ in StandardError.write(failure) }
        exit(failure.status.rawValue)
    }

    /// Listens for SIGINT from now on.
    ///
    /// The handler writes into a pipe that ``waitForSignal()`` reads, so that a signal is not lost, whichever thread gets it
    /// and however early. Writing is one of the few things that a handler may do (POSIX.1-2017, 2.4.3).
    static func listen() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return }
        unsafe signalPipe = (ends[0], ends[1])
        _ = signal(SIGINT) { _ in
            var byte: UInt8 = 0
            _ = unsafe write(signalPipe.write, &byte, 1)
        }
        // Whoever started the command may have it blocked, and that is inherited.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGINT)
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    private static func waitForSignal() {
        var byte: UInt8 = 0
        while unsafe read(signalPipe.read, &byte, 1) != 1 {
            // Without a pipe nobody listens, and SIGINT ends the process as it does others.
            guard unsafe signalPipe.read >= 0, errno == EINTR else { return Thread.exit() }
        }
    }

    /// Does `work` to its end before an interruption takes effect, or not at all after one.
    static func whole(_ work: () throws(CommandFailure) -> Void) throws(CommandFailure) {
        try isInterrupted.withLock { interrupted throws(CommandFailure) in
            if interrupted { throw CommandFailure(.interrupted, "interrupted; nothing was written") }
            try work()
        }
    }
}

/// The pipe from the handler of SIGINT; written once, before the handler is there and before there are other threads.
private nonisolated(unsafe) var signalPipe: (read: Int32, write: Int32) = (-1, -1)
