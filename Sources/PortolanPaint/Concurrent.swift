import Dispatch
import Synchronization

/// Parallel execution on several threads.
enum Concurrent {
    /// Returns the results of `body` for 0 up to `count`, in this order, each computed on its own thread if one is
    /// free.
    static func map<Result: Sendable>(_ count: Int, _ body: @Sendable (Int) -> Result) -> [Result] {
        guard count > 1 else { return (0..<count).map(body) }
        let results = Mutex([Result?](repeating: nil, count: count))
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let result = body(index)
            results.withLock { $0[index] = result }
        }
        return results.withLock { $0.compactMap { $0 } }
    }
}
