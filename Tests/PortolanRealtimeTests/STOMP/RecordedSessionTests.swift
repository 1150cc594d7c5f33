import Foundation
import PortolanFetch
import PortolanTesting
import PortolanWeb
import TestHelpers
import Testing

@testable import PortolanRealtime

/// A session with ActiveMQ 5.17.2, as it went over the wire.
@Suite struct RecordedSessionTests {
    private struct Recorded: Decodable {
        var frames: [Line]

        /// The sender, the time in seconds, and the content.
        struct Line: Decodable {
            var who: String
            var text: String

            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                who = try list.decode(String.self)
                _ = try list.decode(Double.self)
                text = try list.decode(String.self)
            }
        }

        static func load() throws -> Recorded {
            let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "Fixtures/stomp-session-activemq-5.17.2.json")
            return try JSONDecoder().decode(Recorded.self, from: Data(contentsOf: file))
        }
    }

    @Test func `the frames of the client are written byte for byte`() throws {
        for line in try Recorded.load().frames where line.who == "C" && line.text != "\n" {
            var parser = STOMPParser()
            parser.append(Array(line.text.utf8))
            let frame = try #require(try parser.next())
            #expect(String(decoding: frame.encoded(for: .v1_2), as: UTF8.self) == line.text)
        }
    }

    @Test(arguments: [1, 5, 64, Int.max])
    func `the frames of the broker are parsed, in chunks of any size`(pieces: Int) throws {
        let recorded = try Recorded.load().frames
        var connecting = STOMPConnecting(to: try ByteEndpoint("stomp://localhost"))
        connecting.heartBeat = .seconds(1)
        var session = STOMPSession(connecting, now: .zero)
        #expect(String(decoding: session.takeOutgoing(), as: UTF8.self) == recorded[0].text)
        var rest = recorded.filter { $0.who == "S" }.flatMap { Array($0.text.utf8) }[...]
        var events: [STOMPSession.Event] = []
        while !rest.isEmpty {
            try session.receive(Array(rest.prefix(pieces)), now: .zero) { events.append($0) }
            rest = rest.dropFirst(pieces)
        }
        #expect(events.count == 6)
        #expect(events[0] == .connected && events[1] == .receipt("s0") && events[3] == .receipt("u0"))
        guard case .message(let message) = events[2], case .error(let fault, nil) = events[4] else {
            return #expect(Bool(false))
        }
        #expect(message["note"] == "café: 1\\2\n3")
        #expect(message["message-id"] == "ID:vm-38621-1795228503275-1:2:-1:1:12")
        #expect(fault.reason == "error from the broker: Couldn't create TopicSubscription")
        var reader = MobitransitReader()
        let report = reader.report(of: message, heard: Date(timeIntervalSince1970: 2_000_000_000))
        #expect(report?.id == "RHKL00239")
        #expect(report?.line == "1009")
        #expect(report?.bearing == 270)
        #expect(report?.time == Date(timeIntervalSince1970: 1_795_228_503.619))
    }

    @Test func `a feed receives the vehicle of the session`() async throws {
        let recorded = try Recorded.load().frames
        var script: [ScriptedByteTransport.Step] = [.expect(Array(recorded[0].text.utf8))]
        for line in recorded where line.who == "S" { script.append(.say(Array(line.text.utf8))) }
        let transport = ScriptedByteTransport([script + [.end]])
        var settings = STOMPFeed.Settings(alerts: nil)
        settings.heartBeat = .seconds(1)
        let feed = try STOMPFeed(ByteEndpoint("stomp://localhost"), settings, transport, .test(TestClock()))
        var heard: [String] = [], fault: FeedError?
        for await event in feed.events(for: AsyncStream { $0.finish() }) {
            if case .reports(let reports) = event { heard += reports.map(\.id) }
            if case .state(.lost(let why, _)) = event {
                fault = why
                break
            }
        }
        #expect(heard == ["RHKL00239"])
        #expect(fault?.code == .reported)
        #expect(transport.surprises.isEmpty)
    }
}
