import CAllocations
import Foundation

/// The measurements and limits of a process.
enum ProcessLimits {
    /// The CPU time that this process has used, in nanoseconds; a busy machine does not change it.
    static var processTime: Int {
        var time = timespec()
        // The call writes into `time` alone.
        _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// Resets the peak memory; returns the current memory in bytes, or -1 if it cannot be measured.
    static func beginAllocations() -> Int { portolan_allocations_begin() }

    /// The most bytes held at once since then.
    static var allocationPeak: Int { portolan_allocations_peak() }

    /// The memory in use, in bytes, or 0 where the system does not tell.
    static var residentBytes: Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    }

    /// Has the system end this process with a signal once it has used `seconds` more of CPU time.
    static func allow(seconds: Int) {
        let end = rlim_t(processTime / 1_000_000_000 + 1 + seconds)
        var limit = rlimit(rlim_cur: end, rlim_max: rlim_t.max)
        #if os(Linux)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
        #else
        _ = unsafe setrlimit(RLIMIT_CPU, &limit)
        #endif
    }

    /// Bounds the address space, so that a document that asks for endless memory ends the process.
    static func allow(bytes: Int) {
        #if os(Linux)
        var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t.max)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        #endif
    }
}
