import Foundation
import Testing

@testable import PortolanRealtime

/// The examples are those of WHATWG HTML, "Interpreting an event stream".
@Suite struct EventStreamTests {
    private func read(_ text: String, in pieces: Int = .max) throws -> [EventStreamMessage] {
        var reader = EventStreamReader(), messages: [EventStreamMessage] = [], rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            messages += try reader.take(rest.prefix(pieces))
            rest = rest.dropFirst(pieces)
        }
        return messages
    }

    @Test(arguments: [1, 2, 7, .max]) func `the examples of the standard are parsed, in chunks of any size`(
        pieces: Int
    ) throws {
        #expect(
            try read("data: YHOO\ndata: +2\ndata: 10\n\n", in: pieces) == [EventStreamMessage(data: "YHOO\n+2\n10")])
        #expect(
            try read(
                ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n", in: pieces
            )
                == [EventStreamMessage(data: "first event", id: "1"), EventStreamMessage(data: "second event")])
        #expect(
            try read("data\n\ndata\ndata\n\ndata:", in: pieces)
                == [EventStreamMessage(data: ""), EventStreamMessage(data: "\n")])
        #expect(
            try read("data:test\n\ndata: test\n\n", in: pieces)
                == Array(repeating: EventStreamMessage(data: "test"), count: 2))
    }

    @Test func `all three kinds of line ends and a byte order mark are accepted`() throws {
        let expected = [EventStreamMessage(event: "add", data: "a\nb")]
        #expect(try read("\u{FEFF}event: add\rdata: a\rdata: b\r\r") == expected)
        #expect(try read("event: add\r\ndata: a\r\ndata: b\r\n\r\n") == expected)
    }

    @Test func `a retry time consists of digits alone`() throws {
        var reader = EventStreamReader()
        _ = try reader.take("retry: 2500\nretry: x\nretry: -1\n".utf8)
        #expect(reader.retry == .milliseconds(2500))
    }

    @Test func `messages survive writing and reading, whatever they contain`() throws {
        for message in [
            EventStreamMessage(data: "a\nb\n"), EventStreamMessage(event: "gone", data: "{\"a\":1}", id: "7"),
            EventStreamMessage(data: ": x"), EventStreamMessage(data: ""),
        ] {
            var reader = EventStreamReader()
            #expect(try reader.take(EventStreamMessage.stillHere + message.bytes) == [message])
        }
        let odd = EventStreamMessage(event: "a\ndata: x", data: "y", id: "1\n\n")
        #expect(String(decoding: odd.bytes, as: UTF8.self) == "id: 1\nevent: adata: x\ndata: y\n\n")
    }

    @Test func `an endless message is rejected`() {
        var reader = EventStreamReader(limit: 1000)
        #expect(throws: FeedError.self) { try reader.take([UInt8](repeating: 0x61, count: 1001)) }
        var longer = EventStreamReader(limit: 1000)
        #expect(throws: FeedError.self) {
            for _ in 0..<100 { _ = try longer.take(Array("data: 0123456789abcdef\n".utf8)) }
        }
    }
}
