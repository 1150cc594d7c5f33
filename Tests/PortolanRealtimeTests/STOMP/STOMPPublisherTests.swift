import PortolanFetch
import PortolanTesting
import PortolanWeb
import TestHelpers
import Testing

@testable import PortolanRealtime

@Suite struct STOMPPublisherTests {
    private static let connect = Array("CONNECT\naccept-version:1.0,1.1,1.2\nhost:localhost\nheart-beat:0,0\n\n\0".utf8)
    private static let connected = Array("CONNECTED\nversion:1.2\n\n\0".utf8)

    private static func publisher(
        _ transport: ScriptedByteTransport, _ clock: TestClock = TestClock()
    ) throws -> STOMPPublisher {
        try STOMPPublisher(ByteEndpoint("stomp://localhost"), transport, .test(clock))
    }

    @Test func `publishing ends when the broker has received all, and the connection is kept`() async throws {
        let send = "SEND\ndestination:/topic/v\nline:9\n"
        let transport = ScriptedByteTransport([
            [
                .expect(Self.connect), .say(Self.connected),
                .expect(Array((send + "\n\0" + send + "receipt:r1\ncontent-length:2\n\nhi\0").utf8)),
                .say(Array("RECEIPT\nreceipt-id:r1\n\n\0".utf8)), .expect(Array((send + "receipt:r2\n\n\0").utf8)),
                .say(Array("RECEIPT\nreceipt-id:r2\n\n\0".utf8)),
            ]
        ])
        var publisher = try Self.publisher(transport)
        try await publisher.publish(
            [([.init("line", "9")], []), ([.init("line", "9")], Array("hi".utf8))], to: "/topic/v")
        try await publisher.publish([([.init("line", "9")], [])], to: "/topic/v")
        await publisher.close()
        #expect(transport.surprises.isEmpty)
        #expect(String(decoding: transport.sent[0], as: UTF8.self).hasSuffix("DISCONNECT\n\n\0"))
        #expect(transport.closed == [true])
    }

    @Test func `a failure is thrown, and the next message uses a new connection`() async throws {
        let transport = ScriptedByteTransport([
            [.expect(Self.connect), .say(Array("ERROR\nmessage:no\n\n\0".utf8))],
            [.expect(Self.connect), .say(Self.connected), .end],
            [.expect(Self.connect), .say(Self.connected), .say(Array("RECEIPT\nreceipt-id:r1\n\n\0".utf8))],
        ])
        var publisher = try Self.publisher(transport)
        var codes: [FeedError.Code] = []
        for _ in 0..<2 {
            do throws(FeedError) { try await publisher.publish([([], [])], to: "/topic/v") } catch {
                codes.append(error.code)
            }
        }
        #expect(codes.first == .refused)
        #expect(codes.count == 2)
        try await publisher.publish([([], [])], to: "/topic/v")
    }

    @Test func `a broker that does not confirm times out`() async throws {
        let transport = ScriptedByteTransport([[.expect(Self.connect), .say(Self.connected)]]), clock = TestClock()
        let publishing = Task {
            var publisher = try Self.publisher(transport, clock)
            try await publisher.publish([([], [])], to: "/topic/v")
        }
        #expect(await eventually { transport.sent.first.map { $0.count > Self.connect.count } ?? false })
        #expect(
            await eventually {
                clock.advance(by: .seconds(1))
                return transport.closed == [true]
            })
        await #expect { try await publishing.value } throws: { ($0 as? FeedError)?.code == .silent }
    }

    /// A connection that takes nothing until it is closed.
    private final class StuckTransport: ByteTransport, ByteConnection {
        private let (closing, close_) = AsyncStream.makeStream(of: Void.self)

        func connect(to endpoint: ByteEndpoint) async throws(FetchError) -> any ByteConnection { self }

        func send(_ bytes: [UInt8]) async throws(FetchError) {
            for await _ in closing {}
            throw FetchError(.connectionLost, url: "stomp://localhost", detail: "closed")
        }

        func receive() async throws(FetchError) -> [UInt8]? { nil }
        func close() { close_.finish() }
    }

    @Test func `a broker that does not read times out`() async throws {
        let clock = TestClock(), transport = StuckTransport()
        let publishing = Task {
            var publisher = try STOMPPublisher(ByteEndpoint("stomp://localhost"), transport, .test(clock))
            try await publisher.publish([([], [])], to: "/topic/v")
        }
        #expect(await eventually { clock.sleeperCount == 1 })
        clock.advance(by: .seconds(10))
        await #expect { try await publishing.value } throws: { ($0 as? FeedError)?.code == .silent }
    }
}
