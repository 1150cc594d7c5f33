import Portolan
import Synchronization

/// A bar with counts on standard error, where that is a terminal.
final class ProgressBar: Sendable {
    private let isShown: Bool
    private let lastDone = Mutex(-1)

    init(isQuiet: Bool) { isShown = !isQuiet && StandardError.isTerminal }

    /// Shows how far the work has come.
    func show(_ progress: RenderProgress) {
        guard isShown, progress.total > 1 else { return }
        lastDone.withLock { last in
            // Tasks report out of order; a bar only grows.
            guard progress.done > last else { return }
            last = progress.done
            let width = 30, filled = width * progress.done / progress.total
            let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
            StandardError.write("\r\(bar) \(progress.done)/\(progress.total)")
        }
    }

    /// Takes the bar away.
    func finish() {
        guard isShown, lastDone.withLock({ $0 }) >= 0 else { return }
        StandardError.write("\r\u{1B}[K")
    }
}
