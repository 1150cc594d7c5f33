import Foundation
import Testing

/// The built `portolan`, run as a separate process in a temporary folder.
final class BuiltCommand: Sendable {
    /// How a run ended.
    struct Ended: CustomTestStringConvertible {
        var status: Int32
        var output: [UInt8]
        var errors: String

        var testDescription: String { "status \(status), standard error: \(errors.prefix(500))" }
        /// The last line of standard error, without warnings.
        var error: String {
            errors.split(separator: "\n").last { !$0.hasPrefix("portolan: warning:") }.map(String.init) ?? ""
        }
    }

    struct NotBuilt: Error, CustomStringConvertible {
        var tried: [String]
        var description: String { "the portolan command is not built; looked for \(tried.joined(separator: " and "))" }
    }

    /// Where the runs take place; it goes with this value.
    let folder: URL

    /// The command.
    let binary: URL

    init() throws {
        binary = try Self.locate()
        folder = FileManager.default.temporaryDirectory.appending(path: "portolan-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The command is next to the test bundle, or in the package's build folder if another program loads the bundle.
    private static func locate() throws -> URL {
        let bundle = URL(filePath: ProcessInfo.processInfo.arguments.first ?? "").deletingLastPathComponent()
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let candidates = [bundle, package.appending(path: ".build/debug")].map { $0.appending(path: "portolan") }
        guard let found = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
            throw NotBuilt(tried: candidates.map(\.path))
        }
        return found
    }

    /// Puts a file into the folder.
    func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

    func write(_ bytes: [UInt8], to name: String) throws {
        let url = folder.appending(path: name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    /// The bytes of a file in the folder, or `nil` if it does not exist.
    func file(_ name: String) -> [UInt8]? { (try? Data(contentsOf: folder.appending(path: name))).map { [UInt8]($0) } }

    /// The names in the folder, without those of the runs' own files.
    var files: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { !$0.hasPrefix(".run-") }
            .sorted()
    }

    /// Runs the command to its end.
    ///
    /// - Parameters:
    ///   - shell: what a shell does before in the same process, as `ulimit`.
    ///   - whileRunning: what to do with the process meanwhile.
    func run(
        _ arguments: [String], after shell: String? = nil, input: Any? = nil,
        whileRunning: (Process) async throws -> Void = { _ in }
    ) async throws -> Ended {
        let run = ".run-\(UUID().uuidString)"
        let output = folder.appending(path: run + "-out"), errors = folder.appending(path: run + "-err")
        for url in [output, errors] { try Data().write(to: url) }
        let process = Process()
        process.executableURL = shell == nil ? binary : URL(filePath: "/bin/sh")
        process.arguments = shell.map { ["-c", $0 + "; exec \"$0\" \"$@\"", binary.path] + arguments } ?? arguments
        process.currentDirectoryURL = folder
        // Not the user's own cache.
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["XDG_CACHE_HOME": folder.appending(path: ".run-cache").path]
        ) { $1 }
        process.standardInput = input ?? FileHandle.nullDevice
        let written = [try FileHandle(forWritingTo: output), try FileHandle(forWritingTo: errors)]
        // A process that has ended is kept, with its handles; among some 1,360 of them Foundation's search for open ones
        // reads beyond a folder's entries.
        defer { for handle in written { try? handle.close() } }
        process.standardOutput = written[0]
        process.standardError = written[1]
        let (ends, end) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { process in
            // A fatal signal is reported as by shells.
            end.yield(process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus)
            end.finish()
        }
        try process.run()
        try await whileRunning(process)
        var status: Int32 = -1
        for await value in ends { status = value }
        return Ended(
            status: status, output: [UInt8](try Data(contentsOf: output)),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }
}
