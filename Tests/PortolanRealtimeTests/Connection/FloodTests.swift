import PortolanFetch
import PortolanWeb
import Synchronization
import TestHelpers
import Testing

@testable import PortolanRealtime

/// Brokers that say more than is read of them.
@Suite struct FloodTests {
    /// A broker that has much to say at once, and how much of it was taken.
    private final class Flood: ByteTransport, ByteConnection {
        static let messagesPerChunk = 512
        private static let chunk = Array(
            (0..<messagesPerChunk).map { number in
                "MESSAGE\nsubscription:v1\nmessage-id:1\ndestination:/topic/v\nnumberPlate:\(number)\nline:9\n"
                    + "longitude:24.9\nlatitude:60.1\n\n\0"
            }.joined().utf8)

        private let chunkCount: Int
        private let next = Mutex(0)
        private let (closing, end) = AsyncStream.makeStream(of: Void.self)

        init(chunkCount: Int) { self.chunkCount = chunkCount }

        /// How many messages were taken of it.
        var takenCount: Int { next.withLock { max(0, $0 - 1) } * Self.messagesPerChunk }

        func connect(to endpoint: ByteEndpoint) async throws(FetchError) -> any ByteConnection { self }

        func send(_ bytes: [UInt8]) async throws(FetchError) {}

        func receive() async throws(FetchError) -> [UInt8]? {
            let number = next.withLock { next -> Int in
                defer { next = min(next + 1, chunkCount + 1) }
                return next
            }
            if number == 0 { return Array("CONNECTED\nversion:1.2\n\n\0".utf8) }
            if number <= chunkCount { return Self.chunk }
            for await _ in closing {}
            return nil
        }

        func close() { end.finish() }
    }

    private static func feed(_ broker: Flood) throws -> STOMPFeed {
        try STOMPFeed(
            ByteEndpoint("stomp://localhost"), STOMPFeed.Settings(vehicles: "/topic/v"), broker, .test(TestClock()))
    }

    @Test func `of half a million unread messages, a few thousand are accepted`() async throws {
        let broker = Flood(chunkCount: 500_000 / Flood.messagesPerChunk)
        let events = try Self.feed(broker).events(for: AsyncStream { $0.finish() })
        let limit = 1 << 13
        #expect(await eventually { broker.takenCount >= limit })
        // Tasks that can continue do so while others wait.
        for _ in 0..<1000 { await Task.yield() }
        // One chunk is being read, one waits for that, and one to be handed over.
        #expect(broker.takenCount <= limit + 3 * Flood.messagesPerChunk)
        withExtendedLifetime(events) {}
    }

    @Test func `a late reader receives all messages`() async throws {
        let chunkCount = 40, broker = Flood(chunkCount: chunkCount)
        let events = try Self.feed(broker).events(for: AsyncStream { $0.finish() })
        #expect(await eventually { broker.takenCount >= 1 << 13 })
        var count = 0
        for await event in events {
            if case .reports(let reports) = event { count += reports.count }
            if count >= chunkCount * Flood.messagesPerChunk { break }
        }
        #expect(count == chunkCount * Flood.messagesPerChunk)
        #expect(broker.takenCount == count)
    }
}
