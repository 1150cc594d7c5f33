import Dispatch
import Foundation
import Synchronization

/// Handles interruption by the user: cancels the work and leaves no partial files.
enum Interruption {
    /// The grace time of cancelled work; reading standard input, for example, would never end.
    private static let grace = DispatchTimeInterval.milliseconds(500)

    /// Held while a file is written, so that the process does not end in between; `true` after an interruption.
    private static let isInterrupted = Mutex(false)

    /// Runs `work`, and cancels it on SIGINT; the exit code is then 130.
    ///
    /// - Parameters:
    ///   - consequence: the consequence of an interruption, for the message.
    ///   - isEnd: whether an interruption is the regular end of the work, such as a recording, whose result then counts.
    static func cancelling<Result: Sendable>(
        consequence: String = "nothing was written", isEnd: Bool = false,
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let interrupted = CommandFailure(.interrupted, "interrupted; " + consequence)
        func end() -> CommandFailure { RunDeadline.failure(consequence) ?? interrupted }
        let task = Task { try await work() }
        Thread.detachNewThread {
            waitForSignal()
            // Regularly ended work still writes its result.
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
        // Work that treats a cancellation as its own failure may end normally.
        if task.isCancelled, !isEnd { throw end() }
        return result
    }

    /// The files that are removed if the process ends early.
    private static let unfinished = Mutex<[String]>([])

    /// Removes a file if the process ends early.
    static func remove(_ path: String) { unfinished.withLock { $0.append(path) } }

    /// Ends the process, but not while a file is written.
    static func end(with failure: CommandFailure) -> Never {
        isInterrupted.withLock { _ in StandardError.write(failure) }
        for path in unfinished.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
        exit(failure.status.rawValue)
    }

    /// Listens for SIGINT from now on.
    ///
    /// The handler writes to a pipe that ``waitForSignal()`` reads, so that no signal is lost, on whichever thread and
    /// however early it arrives. Writing is one of the few operations allowed in a handler (POSIX.1-2017, 2.4.3).
    static func listen() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return }
        unsafe signalPipe = (ends[0], ends[1])
        _ = signal(SIGINT) { _ in
            var byte: UInt8 = 0
            _ = unsafe write(signalPipe.write, &byte, 1)
        }
        // The parent process may have blocked the signal, and children inherit that.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGINT)
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    private static func waitForSignal() {
        var byte: UInt8 = 0
        while unsafe read(signalPipe.read, &byte, 1) != 1 {
            // Without a pipe, SIGINT ends the process as usual.
            guard unsafe signalPipe.read >= 0, errno == EINTR else { return Thread.exit() }
        }
    }

    /// Completes `work` before an interruption takes effect, or does not start it after one.
    static func whole(_ work: () throws(CommandFailure) -> Void) throws(CommandFailure) {
        try isInterrupted.withLock { interrupted throws(CommandFailure) in
            if interrupted { throw CommandFailure(.interrupted, "interrupted; nothing was written") }
            try work()
        }
    }
}

/// The pipe from the SIGINT handler; set once, before the handler is installed and other threads exist.
private nonisolated(unsafe) var signalPipe: (read: Int32, write: Int32) = (-1, -1)
