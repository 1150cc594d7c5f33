#if os(Linux) && Drivers
import Foundation
import Glibc
import PortolanFetch
import TestHelpers
import PortolanWeb
import Testing

@testable import PortolanRealtime

extension Trait where Self == ConditionTrait {
    /// Skips a suite unless brokers should be started, as by `Scripts/test-more`, since they take long.
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
    private let isSecure: Bool
    private let folder: TemporaryFolder
    private let process = Process()
    let port: UInt16

    /// Starts a broker, on a free port unless one is given, and waits until it listens.
    ///
    /// - Parameter isSecure: whether it is spoken to by TLS alone, with a certificate of ``authority``.
    init(_ kind: String, in folder: TemporaryFolder, port: UInt16? = nil, isSecure: Bool = false) async throws {
        self.kind = kind
        self.isSecure = isSecure
        self.folder = folder
        if let port {
            self.port = port
        } else {
            let (descriptor, port) = try LoopbackSocket.bound()
            LoopbackSocket.end(descriptor)
            self.port = port
        }
        process.executableURL = Self.script
        process.arguments = [kind, "\(self.port)", folder.path] + (isSecure ? ["tls"] : [])
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
    func restarted() async throws -> Broker { try await Broker(kind, in: folder, port: port, isSecure: isSecure) }

    /// The file of the authority whose certificate it shows.
    var authority: String { folder.path + "/ca.pem" }

    func endpoint(_ scheme: String) throws -> ByteEndpoint { try ByteEndpoint(.user("\(scheme)://127.0.0.1:\(port)")) }
}

/// Messages of Helsinki's high-frequency positions.
enum HFPSample {
    static func message(_ number: Int, route: String = "1009", cell: String = "60;24/19/74/02") -> [UInt8] {
        let payload =
            #"{"VP":{"desi":"9","dir":"1","oper":40,"veh":\#(number),"tst":"2026-11-21T14:26:00.000Z","tsi":1795271160,"spd":5.5,"#
            + #""hdg":87,"lat":60.170413,"long":24.942336,"acc":0.0,"dl":0,"odo":null,"drst":0,"oday":"2026-11-21","jrn":1,"#
            + #""line":1,"start":"16:21","loc":"GPS","stop":null,"route":"\#(route)","occu":0}}"#
        let topic = "/hfp/v2/journey/ongoing/vp/tram/0040/00201/\(route)/1/Töölö/16:21/3140398/5/\(cell)/"
        return MQTTPacket.publish(MQTTMessage(topic: topic, payload: Array(payload.utf8))).encoded ?? []
    }
}
#endif
