import Foundation
import TestHelpers
import Testing

/// The built `portolan-server`, run as a separate process.
final class BuiltServer: Sendable {
    let folder: TemporaryFolder
    private let binary: URL

    struct NotBuilt: Error {}

    init() throws {
        folder = try TemporaryFolder()
        // It is next to the test bundle, or in the package's build folder if another program loads the bundle.
        let bundle = URL(filePath: ProcessInfo.processInfo.arguments.first ?? "").deletingLastPathComponent()
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let candidates = [bundle, package.appending(path: ".build/debug")].map { $0.appending(path: "portolan-server") }
        guard let found = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
            throw NotBuilt()
        }
        binary = found
    }

    /// A process that runs, and the lines that it has written.
    final class Running: Sendable {
        let process: Process
        /// Its folder exists while it runs.
        private let folder: TemporaryFolder
        private let output: URL
        private let errors: URL
        private let ends: AsyncStream<Int32>

        init(_ process: Process, in folder: TemporaryFolder, output: URL, errors: URL) throws {
            (self.process, self.folder, self.output, self.errors) = (process, folder, output, errors)
            process.standardOutput = try FileHandle(forWritingTo: output)
            process.standardError = try FileHandle(forWritingTo: errors)
            let (ends, end) = AsyncStream.makeStream(of: Int32.self)
            self.ends = ends
            process.terminationHandler = { process in
                // A fatal signal is reported as by shells.
                end.yield(
                    process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus)
                end.finish()
            }
            try process.run()
        }

        deinit { if process.isRunning { process.terminate() } }

        var printed: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }
        var complaints: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }

        /// The port of its first line, when it is ready.
        func port() async throws -> Int {
            let isReady = await eventually { self.printed.contains("\n") || !self.process.isRunning }
            try #require(isReady && process.isRunning, "\(complaints)")
            let line = try #require(printed.split(separator: "\n").first)
            return try #require(try #/http:\/\/127\.0\.0\.1:(\d+)\//#.wholeMatch(in: line).flatMap { Int($0.1) })
        }

        /// The status that it ends with.
        func status() async -> Int32 {
            for await status in ends { return status }
            return -1
        }
    }

    /// Starts the program.
    func start(_ arguments: [String]) throws -> Running {
        let run = UUID().uuidString
        for name in ["out", "err"] { try folder.write([], to: "\(run)-\(name)") }
        let process = Process()
        process.executableURL = binary
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: folder.path)
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["XDG_CACHE_HOME": folder.path + "/cache"]
        ) { $1 }
        process.standardInput = FileHandle.nullDevice
        return try Running(
            process, in: folder, output: URL(filePath: folder.path + "/\(run)-out"),
            errors: URL(filePath: folder.path + "/\(run)-err"))
    }
}

/// Sends a request in bytes over a separate socket, and returns the response in bytes.
enum RawHTTP {
    struct Answer {
        var status: Int
        var headers: [String: String]
        var body: [UInt8]
    }

    struct NoAnswer: Error {}

    /// Sends bytes and reads until the server ends the connection.
    static func send(_ bytes: [UInt8], to port: Int) async throws -> Answer {
        let received = try await onThread {
            guard let socket = LoopbackSocket.connect(port: UInt16(port)) else { throw NoAnswer() }
            defer { LoopbackSocket.end(socket) }
            // What it refuses it may not read to the end.
            _ = LoopbackSocket.send(bytes, to: socket)
            return LoopbackSocket.readAll(socket)
        }
        guard let end = received.firstRange(of: Array("\r\n\r\n".utf8)) else { throw NoAnswer() }
        let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw NoAnswer()
        }
        let headers = lines.dropFirst().compactMap { line -> (String, String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (line[..<colon].lowercased(), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
        }
        return Answer(
            status: status, headers: Dictionary(headers) { first, _ in first }, body: Array(received[end.upperBound...])
        )
    }

    static func get(
        _ target: String, from port: Int, method: String = "GET", headers: [String] = [], body: String = ""
    ) async throws -> Answer {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"] + headers
        if !body.isEmpty { lines.append("Content-Length: \(body.utf8.count)") }
        return try await send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8), to: port)
    }

    /// Does what blocks, on a thread that may be blocked.
    static func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
        }
    }
}
