import Foundation

/// Measures the processor time of the process, which is more meaningful than wall time on a shared machine.
enum ProcessorTime {
    /// Returns the minimum over several runs, for all threads together, in milliseconds.
    static func milliseconds(runs: Int, _ work: () async throws -> Void) async rethrows -> Double {
        var least = Double.infinity
        for _ in 0..<runs {
            let start = now()
            try await work()
            least = min(least, now() - start)
        }
        return least
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}
