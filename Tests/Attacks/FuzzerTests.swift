import Foundation
import TestHelpers
import Testing

/// The fuzzer finds what it is there to find: each of its kinds that break a promise on purpose.
@Suite struct FuzzerTests {
    @Test(arguments: [
        ("deceived-features", 500, ["leads to a file", "leads to the address"]),
        ("hoarding", 200, ["too much memory"]), ("dawdling", 30, ["slow"]),
    ])
    func `the fuzzer reports a reader that breaks a rule`(kind: String, inputs: Int, findings: [String]) throws {
        let (status, words) = try run([kind, "--inputs", "\(inputs)", "--seconds", "300", "--seed", "3"])
        #expect(status == 1)
        for finding in findings {
            #if os(Linux)
            #expect(words.contains("FINDING in \(kind): ") && words.contains(finding), "\(words)")
            #endif
        }
    }

    @Test(arguments: ["remote-features", "geojson"])
    func `the fuzzer reports nothing for a correct reader`(kind: String) throws {
        let (status, words) = try run([kind, "--inputs", "200", "--seconds", "300", "--seed", "3"])
        #expect(status == 0, "\(words)")
        #expect(words.contains("0 findings"))
    }

    /// Runs the program that is built beside the tests.
    private func run(_ arguments: [String]) throws -> (status: Int32, words: String) {
        let bundle = URL(filePath: ProcessInfo.processInfo.arguments.first ?? "").deletingLastPathComponent()
        let built = [bundle, URL(filePath: #filePath + "/../../../.build/debug").standardizedFileURL]
            .map { $0.appending(path: "fuzz") }.first { FileManager.default.isExecutableFile(atPath: $0.path) }
        let folder = try TemporaryFolder(), process = Process(), pipe = Pipe()
        let program: URL = try #require(built, "the fuzzer is built beside the tests")
        process.executableURL = program
        process.arguments = arguments + ["--folder", folder.path]
        // The files that it watches are its own.
        process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.path]) { $1 }
        process.standardOutput = pipe
        try process.run()
        let words = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, words)
    }
}
