#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The resource usage of this process, with the metric names of Prometheus client libraries.
enum ProcessFigures {
    /// A metric.
    struct Figure {
        let name: String
        let kind: String
        let meaning: String
        let value: String
    }

    /// The current metrics; empty if the system does not report them.
    static var current: [Figure] {
        #if os(Linux)
        guard let text = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
            // The name of the program, in parentheses, may contain spaces.
            let end = text.lastIndex(of: ")")
        else { return [] }
        // Fields from the third one on (proc_pid_stat(5)).
        let fields = text[text.index(after: end)...].split(separator: " ").map { Double($0) ?? 0 }
        guard fields.count > 21 else { return [] }
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK))), page = Double(sysconf(Int32(_SC_PAGESIZE)))
        var figures = [
            Figure(
                name: "process_cpu_seconds_total", kind: "counter", meaning: "Processor time.",
                value: "\((fields[11] + fields[12]) / ticks)"),
            Figure(
                name: "process_resident_memory_bytes", kind: "gauge", meaning: "Process memory.",
                value: "\(Int(fields[21] * page))"),
            Figure(
                name: "process_virtual_memory_bytes", kind: "gauge", meaning: "Virtual memory.",
                value: "\(Int(fields[20]))"),
            Figure(name: "process_threads", kind: "gauge", meaning: "Threads.", value: "\(Int(fields[17]))"),
        ]
        if let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            figures.append(
                Figure(
                    name: "process_open_fds", kind: "gauge", meaning: "Open file descriptors.", value: "\(files.count)")
            )
        }
        if let boot = bootTime {
            figures.append(
                Figure(
                    name: "process_start_time_seconds", kind: "gauge", meaning: "Start time in seconds since 1970.",
                    value: "\(boot + fields[19] / ticks)"))
        }
        return figures
        #else
        return []
        #endif
    }

    /// The time at which the system started, in seconds since 1970.
    private static var bootTime: Double? {
        guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8) else { return nil }
        return text.split(separator: "\n").first { $0.hasPrefix("btime ") }.flatMap { Double($0.dropFirst(6)) }
    }
}
