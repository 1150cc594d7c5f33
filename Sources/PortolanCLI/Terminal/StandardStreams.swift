import Foundation
import Portolan
import Synchronization

/// Standard error, for messages.
enum StandardError {
    static func write(_ failure: CommandFailure) { line("portolan: error: \(failure.advice)") }

    static func warn(_ message: String) { line("portolan: warning: \(message)") }

    /// Prints warnings, which are then no longer pending.
    static func warn(_ warnings: [MapWarning]) {
        pending.withLock { pending in pending.removeAll { warnings.contains($0) } }
        for warning in warnings { warn(warning.description) }
    }

    /// Keeps warnings to print before the error if a later step fails: they often explain it.
    static func keep(_ warnings: [MapWarning]) {
        pending.withLock { pending in pending += warnings.filter { !pending.contains($0) } }
    }

    /// Prints the pending warnings.
    static func warnOfKept() { warn(pending.withLock { $0 }) }

    private static let pending = Mutex<[MapWarning]>([])

    static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

    static var isTerminal: Bool { isatty(2) == 1 }

    private static func line(_ text: String) { write(PlainText.oneLine(text) + "\n") }
}

/// Standard input, for piped features.
enum StandardInput {
    /// The limit in bytes, the same as for files and URLs.
    private static let largest = 64 << 20

    /// Reads to the end.
    static func bytes() throws(CommandFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            while let chunk = try FileHandle.standardInput.read(upToCount: 1 << 20), !chunk.isEmpty {
                bytes += chunk
                guard bytes.count <= largest else { throw CommandFailure(.badData, "standard input exceeds 64 MiB") }
            }
        } catch let failure as CommandFailure { throw failure } catch {
            throw CommandFailure(.noInput, "cannot read standard input; pipe the features into it")
        }
        return bytes
    }
}

/// A progress line on standard error for work of unknown length, if it is a terminal.
final class ProgressLine: Sendable {
    private let shown = Mutex<ContinuousClock.Instant?>(nil)

    /// Shows a text, at most five times per second.
    func show(_ text: String) {
        guard StandardError.isTerminal else { return }
        shown.withLock { shown in
            if let shown, ContinuousClock.now - shown < .milliseconds(200) { return }
            shown = .now
            StandardError.write("\r\u{1B}[K\(text)")
        }
    }

    /// Clears the line.
    func finish() {
        if shown.withLock({ $0 != nil }) { StandardError.write("\r\u{1B}[K") }
    }
}

/// A progress bar with counts on standard error, if it is a terminal.
final class ProgressBar: Sendable {
    private let isShown: Bool
    private let lastDone = Mutex(-1)

    init(isQuiet: Bool) { isShown = !isQuiet && StandardError.isTerminal }

    /// Shows the progress.
    func show(_ progress: MapRenderer.Progress) {
        guard isShown, progress.total > 1 else { return }
        lastDone.withLock { last in
            // Tasks report out of order; the bar only grows.
            guard progress.done > last else { return }
            last = progress.done
            let width = 30, filled = width * progress.done / progress.total
            let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
            StandardError.write("\r\(bar) \(progress.done)/\(progress.total)")
        }
    }

    /// Clears the bar.
    func finish() {
        guard isShown, lastDone.withLock({ $0 }) >= 0 else { return }
        StandardError.write("\r\u{1B}[K")
    }
}
