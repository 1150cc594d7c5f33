import Portolan
import PortolanRouteBook
import PortolanWeb
import Synchronization

/// Changes a route book for the clients of a server: one change at a time, on a dedicated thread.
///
/// A change blocks on the disk and on other processes, which must not block the threads that answer requests. Route
/// openings are counted in memory and written periodically, so that reading a route does not write.
final class RouteDesk: Sendable {
    private struct State {
        /// The openings of routes that are not yet written to the book.
        var counts: [String: Int] = [:]
        var book: RouteBook?
        var written = ContinuousClock.now
        var isWriting = false
    }

    private let state = Mutex(State())
    private let thread = RenderThreads(count: 1, name: "route-book")
    /// The interval between writes, and the number of routes that triggers an earlier write.
    private static let rest = Duration.seconds(10), room = 1000

    /// The openings of routes that are not yet written to the book.
    var pending: [String: Int] { state.withLock(\.counts) }

    /// Changes the book.
    ///
    /// - Throws: ``Problem`` if the change fails.
    func change<Value: Sendable>(
        _ work: @escaping @Sendable () throws(MapError) -> Value
    ) async throws(Problem) -> Value {
        let change = Task(executorPreference: thread) { () -> Result<Value, MapError> in
            do throws(MapError) { return .success(try work()) } catch { return .failure(error) }
        }
        do throws(MapError) { return try await change.value.get() } catch { throw Problem(error) }
    }

    /// Counts an opening of a route.
    func opened(_ id: String, of book: RouteBook) {
        let isDue = state.withLock { state in
            state.counts[id, default: 0] += 1
            state.book = book
            let isDue = ContinuousClock.now - state.written > Self.rest || state.counts.count > Self.room
            guard isDue, !state.isWriting else { return false }
            state.isWriting = true
            return true
        }
        guard isDue else { return }
        Task(executorPreference: thread) { self.write() }
    }

    /// Writes the pending counts immediately.
    func close() { write() }

    /// Writes the pending counts, and keeps them if that fails.
    private func write() {
        let (counts, book) = state.withLock { ($0.counts, $0.book) }
        var isWritten = counts.isEmpty
        if let book, !counts.isEmpty {
            do throws(MapError) {
                try book.addOpenings(counts)
                isWritten = true
            } catch { isWritten = false }
        }
        state.withLock { state in
            (state.written, state.isWriting) = (.now, false)
            guard isWritten else { return }
            for (id, count) in counts {
                let left = (state.counts[id] ?? 0) - count
                state.counts[id] = left > 0 ? left : nil
            }
        }
    }
}
