import Foundation
import Synchronization

/// Threads reserved for rendering, so that a render never delays the handling of other requests.
///
/// A task with this executor preference runs on them unless it is isolated to an actor.
package final class RenderThreads: TaskExecutor {
    /// The job queue.
    ///
    /// The threads hold the queue instead of the executor, so that the executor can be deallocated.
    private final class Jobs: Sendable {
        private let waiting = Mutex<(jobs: [@Sendable () -> Void], isClosed: Bool)>(([], false))
        private let count = DispatchSemaphore(value: 0)

        func add(_ job: @escaping @Sendable () -> Void) {
            waiting.withLock { $0.jobs.append(job) }
            count.signal()
        }

        func close(_ threadCount: Int) {
            waiting.withLock { $0.isClosed = true }
            for _ in 0..<threadCount { count.signal() }
        }

        /// Runs jobs in order until the queue is empty and closed.
        func run() {
            while true {
                count.wait()
                let (job, isClosed) = waiting.withLock { state in
                    (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.isClosed)
                }
                if let job { job() } else if isClosed { return }
            }
        }
    }

    private let jobs = Jobs()
    /// The number of threads.
    package let count: Int

    /// Starts the threads.
    ///
    /// - Parameter name: the thread name shown in debuggers, followed by a number.
    package init(count: Int, name: String = "map-render") {
        self.count = max(count, 1)
        for number in 0..<self.count {
            let isStarted = DispatchSemaphore(value: 0)
            let thread = Thread { [jobs] in
                // Each thread sets its own name: on Linux a thread cannot name another one, and not one that `start` is
                // still preparing.
                isStarted.wait()
                Thread.current.name = "\(name)-\(number)"
                jobs.run()
            }
            // Deeply nested style expressions and geometries need a large stack.
            thread.stackSize = 8 << 20
            thread.start()
            isStarted.signal()
        }
    }

    deinit { jobs.close(count) }

    /// Runs a job as soon as a thread is free.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The job keeps the executor alive.
        jobs.add { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
