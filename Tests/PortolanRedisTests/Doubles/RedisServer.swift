import Foundation
import PortolanFetch
import PortolanRedis
import PortolanTestSupport
import Synchronization
import Testing

/// A server of its own for one test: a free port and a socket in a temporary folder, nothing kept on disk.
///
/// It needs Debian's package redis-server, which `Scripts/install test` installs; the service of that name is not used.
final class RedisServer: Sendable {
    private let folder: String
    private let options: [String]
    private let process = Mutex<Process?>(nil)
    let port: UInt16

    init(_ options: String...) async throws {
        let (descriptor, port) = try LoopbackSocket.bound()
        LoopbackSocket.end(descriptor)
        self.port = port
        self.options = options
        folder = FileManager.default.temporaryDirectory.appending(path: "portolan-redis-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await start()
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    var url: String { "redis://127.0.0.1:\(port)" }
    var socketURL: String { "unix://\(folder)/socket" }

    /// Starts it, empty, and waits until it replies.
    func start() async throws {
        let new = Process()
        new.executableURL = URL(filePath: "/usr/bin/env")
        new.arguments =
            [
                "redis-server", "--port", "\(port)", "--bind", "127.0.0.1", "--unixsocket", folder + "/socket",
                "--save", "",
            ]
            + ["--dir", folder, "--appendonly", "no", "--daemonize", "no"] + options
        new.standardOutput = FileHandle.nullDevice
        new.standardError = FileHandle.nullDevice
        try new.run()
        process.withLock { $0 = new }
        let isUp = await eventually { self.says("PING").hasPrefix("+PONG") || self.says("PING").hasPrefix("-NOAUTH") }
        try #require(isUp, "redis-server does not run; Scripts/install test installs it")
    }

    /// Ends it without a word, as a crash does.
    func stop() {
        process.withLock { process in
            guard let running = process, running.isRunning else { return }
            kill(running.processIdentifier, SIGKILL)
            running.waitUntilExit()
            process = nil
        }
    }

    /// What it replies to a line, as it comes, cut at 64 KiB; empty when it does not.
    @discardableResult
    func says(_ line: String) -> String {
        guard let descriptor = LoopbackSocket.connect(port: port) else { return "" }
        defer { LoopbackSocket.end(descriptor) }
        guard LoopbackSocket.send(Array((line + "\r\n").utf8), to: descriptor),
            let bytes = LoopbackSocket.read(descriptor)
        else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A store on it that tries again at once after a failure, and bears a machine that is busy with other things.
    func store(_ change: (inout RedisSettings) -> Void = { _ in }) throws -> RedisStore {
        var settings = RedisSettings()
        settings.pause = .zero
        settings.replyTimeout = .seconds(20)
        settings.connectTimeout = .seconds(20)
        settings.leaseTime = .seconds(60)
        change(&settings)
        return try RedisStore(url: url, settings: settings)
    }
}
