import Foundation

/// The additional programs and servers that some tests need.
///
/// A suite is skipped if a program that it needs is missing, so that `swift test` passes on any machine. `Scripts/test`
/// installs and starts all of them and sets `PORTOLAN_RIG=required`: then nothing is skipped, and a missing program is
/// a failure.
package enum TestRig {
    private static let environment = ProcessInfo.processInfo.environment

    /// Whether a missing part fails the tests that need it.
    package static let isRequired = environment["PORTOLAN_RIG"] == "required"

    /// Whether tests that need this program should run.
    package static func has(program: String) -> Bool {
        let folders = (environment["PATH"] ?? "").split(separator: ":") + ["/usr/bin"]
        return isRequired || folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }

    /// Whether tests that need the server at the address in this variable should run.
    package static func has(serverIn variable: String) -> Bool {
        isRequired || !(environment[variable] ?? "").isEmpty
    }
}
