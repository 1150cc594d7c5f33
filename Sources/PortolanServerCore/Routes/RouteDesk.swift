import Portolan
import PortolanRouteBook
import PortolanWeb
import Synchronization

/// Changes a route book for the clients of a server: one change after the other, on a thread of its own.
///
/// A change waits for the disk and for other processes, which no thread that answers requests is to do. How often routes were
/// opened is counted here and written from time to time, so that reading a route writes nothing.
final class RouteDesk: Sendable {
    private struct State {
        /// How often routes were opened that is not in the book yet.
        var counts: [String: Int] = [:]
        var book: RouteBook?
        var written = ContinuousClock.now
        var isWriting = false
    }

    private let state = Mutex(State())
    private let thread = RenderThreads(count: 1, name: "route-book")
    /// How often the counts are written, and how many routes there are room for until then.
    private static let rest = Duration.seconds(10), room = 1000

    /// How often routes were opened since the book was told.
    var pending: [String: Int] { state.withLock(\.counts) }

    /// Changes the book.
    ///
    /// - Throws: ``Problem`` of what went wrong.
    func change<Value: Sendable>(
        _ work: @escaping @Sendable () throws(MapError) -> Value
    ) async throws(Problem) -> Value {
        let change = Task(executorPreference: thread) { () -> Result<Value, MapError> in
            do throws(MapError) { return .success(try work()) } catch { return .failure(error) }
        }
        do throws(MapError) { return try await change.value.get() } catch { throw Problem(error) }
    }

    /// Counts that somebody has opened a route.
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

    /// Writes what was counted, at once.
    func close() { write() }

    /// Takes the counts, and gives them back where they cannot be written.
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
