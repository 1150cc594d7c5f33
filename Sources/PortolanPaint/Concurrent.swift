import Dispatch
import Synchronization

/// Work that is parted among threads.
enum Concurrent {
    /// The results of `body` for 0 up to `count`, in this order, each worked out by a thread of its own where there is
    /// one free.
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
