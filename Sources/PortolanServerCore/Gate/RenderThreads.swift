import Foundation
import Synchronization

/// Threads that draw and do nothing else, so that no picture keeps the requests of others from being read and answered.
///
/// A task whose executor they are runs on them where it is bound to no actor.
package final class RenderThreads: TaskExecutor {
    /// What waits to be run; the threads hold it, and not the executor, which so comes to an end.
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

        /// Runs jobs in their order until there are none and no more will come.
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
    /// How many there are.
    package let count: Int

    /// Starts threads.
    ///
    /// - Parameter name: what debuggers call them, a number behind it.
    package init(count: Int, name: String = "map-render") {
        self.count = max(count, 1)
        for number in 0..<self.count {
            let isStarted = DispatchSemaphore(value: 0)
            let thread = Thread { [jobs] in
                // A thread names itself: of another one the name is not taken on Linux, nor of one that `start` is still busy with.
                isStarted.wait()
                Thread.current.name = "\(name)-\(number)"
                jobs.run()
            }
            // Styles with deep expressions, features with deep geometries.
            thread.stackSize = 8 << 20
            thread.start()
            isStarted.signal()
        }
    }

    deinit { jobs.close(count) }

    /// Runs a job when a thread is free.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The executor lives for as long as a job of it waits.
        jobs.add { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
