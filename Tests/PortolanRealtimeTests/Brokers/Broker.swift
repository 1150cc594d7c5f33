#if os(Linux)
import Foundation
import Glibc
import PortolanFetch
import PortolanTestSupport
import PortolanWeb
import Testing

@testable import PortolanRealtime

extension Trait where Self == ConditionTrait {
    /// Skips a suite unless brokers are to be started: `Scripts/test-more` does, since they take long.
    static var withBrokers: Self {
        .enabled(
            if: !(ProcessInfo.processInfo.environment["PORTOLAN_BROKERS"] ?? "").isEmpty,
            "needs brokers: Scripts/install more, then PORTOLAN_BROKERS=1 swift test --filter BrokerTests")
    }
}

/// A real broker on loopback that a test starts, kills and starts again.
struct Broker {
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Servers/brokers")

    private let kind: String
    private let folder: TemporaryFolder
    private let process = Process()
    let port: UInt16

    /// Starts a broker, on a free port unless one is given, and waits until it listens.
    init(_ kind: String, in folder: TemporaryFolder, port: UInt16? = nil) async throws {
        self.kind = kind
        self.folder = folder
        if let port {
            self.port = port
        } else {
            let (descriptor, port) = try LoopbackSocket.bound()
            LoopbackSocket.end(descriptor)
            self.port = port
        }
        process.executableURL = Self.script
        process.arguments = [kind, "\(self.port)", folder.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let number = self.port
        let listens = await eventually {
            guard let descriptor = LoopbackSocket.connect(port: number) else { return false }
            LoopbackSocket.end(descriptor)
            return true
        }
        try #require(listens, "\(kind) does not start: Scripts/install more")
    }

    /// Ends it without a farewell.
    func kill() {
        _ = Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// The same again, at the same port.
    func restarted() async throws -> Broker { try await Broker(kind, in: folder, port: port) }

    func endpoint(_ scheme: String) throws -> ByteEndpoint { try ByteEndpoint(.user("\(scheme)://127.0.0.1:\(port)")) }
}
#endif
