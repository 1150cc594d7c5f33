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

    /// Returns the results of two closures: the first is called on this thread, the second on another one if one is free.
    static func both<First, Second: Sendable>(
        _ first: () -> First, _ second: @escaping @Sendable () -> Second
    ) -> (First, Second) {
        let other = Begun(second)
        DispatchQueue.global().async { other.begin() }
        let result = first()
        return (result, other.end())
    }

    /// A computation that runs once, on the first thread that begins it.
    private final class Begun<Result: Sendable>: Sendable {
        private let body: @Sendable () -> Result
        private let isBegun = Atomic(false)
        private let result = Mutex<Result?>(nil)
        private let done = DispatchSemaphore(value: 0)

        init(_ body: @escaping @Sendable () -> Result) { self.body = body }

        /// Computes the result unless another thread does.
        func begin() {
            guard !isBegun.exchange(true, ordering: .relaxed) else { return }
            // Nothing of the result is left on this thread once the other one knows of it.
            result.withLock { $0 = body() }
            done.signal()
        }

        /// Returns the result, which is computed here if no other thread has begun.
        func end() -> Result {
            begin()
            done.wait()
            guard let value = result.withLock({ $0.take() }) else { preconditionFailure("computed before the signal") }
            return value
        }
    }
}
