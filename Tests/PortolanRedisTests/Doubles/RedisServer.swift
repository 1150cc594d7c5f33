import Foundation
import PortolanFetch
import PortolanRedis
import TestHelpers
import Testing

extension Trait where Self == ConditionTrait {
    /// Skips a suite where no Redis server is installed.
    static var onRedisServer: Self {
        .enabled(if: TestRig.has(program: "redis-server"), "needs redis-server, which Scripts/install test installs")
    }
}

/// A server for one test: with a free port and a socket in a temporary folder, without persistence.
///
/// It needs Debian's package redis-server, which `Scripts/install test` installs; the service of that name is not used.
final class RedisServer: Sendable {
    private let folder: String
    private let options: [String]
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
    ///
    /// It closes every inherited descriptor: Foundation uses one of them to detect the end of a child process, and
    /// would wait for this server when it waits for a process that was started at the same moment.
    func start() async throws {
        let new = Process()
        new.executableURL = URL(filePath: "/bin/bash")
        let closing = "for f in /proc/self/fd/*; do n=${f##*/}; ((n > 2)) && exec {n}>&-; done"
        new.arguments =
            ["-c", closing + "; exec redis-server \"$@\"", "redis", "--port", "\(port)", "--bind", "127.0.0.1"]
            + ["--unixsocket", folder + "/socket", "--save", "", "--dir", folder, "--appendonly", "no"]
            + ["--daemonize", "yes", "--pidfile", pidFile] + options
        new.standardOutput = FileHandle.nullDevice
        new.standardError = FileHandle.nullDevice
        try new.run()
        let isUp = await eventually { self.says("PING").hasPrefix("+PONG") || self.says("PING").hasPrefix("-NOAUTH") }
        try #require(isUp, "redis-server does not run; Scripts/install test installs it")
    }

    /// Ends it without a word, as a crash does.
    func stop() {
        guard let text = try? String(contentsOfFile: pidFile, encoding: .utf8),
            let pid = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))
        else { return }
        kill(pid, SIGKILL)
        while let descriptor = LoopbackSocket.connect(port: port) {
            LoopbackSocket.end(descriptor)
            usleep(1000)
        }
        try? FileManager.default.removeItem(atPath: pidFile)
    }

    private var pidFile: String { folder + "/pid" }

    /// The unparsed reply to a line, cut at 64 KiB; empty without a reply.
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
    func store(_ change: (inout RedisStore.Settings) -> Void = { _ in }) throws -> RedisStore {
        var settings = RedisStore.Settings()
        settings.pause = .zero
        settings.replyTimeout = .seconds(20)
        settings.connectTimeout = .seconds(20)
        settings.leaseTime = .seconds(60)
        change(&settings)
        return try RedisStore(url: url, settings: settings)
    }
}

/// Entries for tests.
enum Entry {
    static func key(_ number: Int) -> StoreKey { StoreKey(bytes: SHA256.hash(Array("key \(number)".utf8))) }

    static func entry(_ body: [UInt8], status: Int = 200, time: Int = 1_000_000) -> StoredResponse {
        StoredResponse(
            status: status,
            headers: [
                HTTPHeader(name: "Content-Type", value: "image/png"), HTTPHeader(name: "ETag", value: "\"a:b\""),
            ], body: body, responseTime: time, delay: 2)
    }

    static let place = StoredResponse.Location(url: "https://t.example/tiles/1/2/3.png", bounds: [10, 50, 11, 51])
}
