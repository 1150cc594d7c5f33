import Foundation

/// The programs and servers that some tests need, beside what the package itself is built with.
///
/// A suite that needs one of them is skipped where it is missing, so that `swift test` passes on any machine. `Scripts/test`
/// installs and starts all of them and sets `PORTOLAN_RIG=required`: then nothing is skipped, and what is missing fails.
package enum TestRig {
    private static let environment = ProcessInfo.processInfo.environment

    /// Whether a missing part fails the tests that need it.
    package static let isRequired = environment["PORTOLAN_RIG"] == "required"

    /// Whether tests that need this program are to run.
    package static func has(program: String) -> Bool {
        let folders = (environment["PATH"] ?? "").split(separator: ":") + ["/usr/bin"]
        return isRequired || folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }

    /// Whether tests that need the server at the address in this variable are to run.
    package static func has(serverIn variable: String) -> Bool {
        isRequired || !(environment[variable] ?? "").isEmpty
    }
}
