import PortolanFetch
import PortolanWeb
import TestHelpers
import Testing

@testable import PortolanRealtime

@Suite struct STOMPSessionTests {
    private static func session(
        _ url: String = "stomp://broker.example", heartBeat: Duration = .seconds(1),
        versions: [STOMPFrame.Version] = STOMPFrame.Version.allCases
    ) throws -> STOMPSession {
        var connecting = STOMPConnecting(to: try ByteEndpoint(.user(url)))
        connecting.heartBeat = heartBeat
        connecting.versions = versions
        return STOMPSession(connecting, now: .zero)
    }

    private static func receive(
        _ text: String, in session: inout STOMPSession, now: Duration = .zero
    ) throws(FeedError) -> [STOMPSession.Event] {
        var events: [STOMPSession.Event] = []
        try session.receive(Array(text.utf8), now: now) { events.append($0) }
        return events
    }

    @Test func `user name and password are sent unescaped`() throws {
        var session = try Self.session("stomp://ann:p%3Aw%5C@broker.example:1")
        #expect(
            String(decoding: session.takeOutgoing(), as: UTF8.self)
                == "CONNECT\naccept-version:1.0,1.1,1.2\nhost:broker.example\nheart-beat:1000,1000\nlogin:ann\npasscode:p:w\\\n\n\0"
        )
        #expect(session.takeOutgoing().isEmpty)
    }

    @Test(arguments: [
        ("version:1.2", STOMPFrame.Version.v1_2), ("version:1.1", .v1_1), ("version:1.0", .v1_0), ("session: 1", .v1_0),
    ])
    func `the broker chooses the version, and 1_0 is the default`(header: String, version: STOMPFrame.Version) throws {
        var session = try Self.session()
        #expect(try Self.receive("CONNECTED\n\(header)\n\n\0", in: &session) == [.connected])
        #expect(session.version == version)
    }

    @Test(arguments: [
        ("CONNECTED\nversion:9.9\n\n\0", FeedError.Code.unsupported), ("ERROR\nmessage:no\n\n\0", .refused),
        ("MESSAGE\n\n\0", .malformed), ("CONNECTED\nversion:1.2\nheart-beat:1\n\n\0", .malformed),
        ("CONNECTED\nversion:1.2\nheart-beat:-1,0\n\n\0", .malformed), ("HTTP/1.1 400\r\n\r\n", .malformed),
        ("CONNECTED\nversion:1.2\n\n\0CONNECTED\nversion:1.2\n\n\0", .malformed),
        ("CONNECTED\nversion:1.2\n\n\0RECEIPT\n\n\0", .malformed),
    ])
    func `unexpected frames end the session`(text: String, code: FeedError.Code) throws {
        var session = try Self.session()
        #expect { _ = try Self.receive(text, in: &session) } throws: { ($0 as? FeedError)?.code == code }
    }

    @Test(arguments: [
        // Our wish each second; the broker's offer and wish; the resulting heartbeat interval and timeout.
        ("0,0", Duration?.none, Duration?.none), ("1000,1000", .milliseconds(500), .seconds(3)),
        ("5000,0", nil, .seconds(11)), ("0,4000", .seconds(2), nil), ("10,10", .milliseconds(500), .seconds(3)),
        ("99999999999,0", nil, .seconds(172_801)),
    ])
    func `the heart-beat interval is that of the slower side`(offer: String, beat: Duration?, silence: Duration?) throws
    {
        var session = try Self.session()
        _ = try Self.receive("CONNECTED\nversion:1.2\nheart-beat:\(offer)\n\n\0", in: &session)
        #expect(session.beatInterval == beat)
        #expect(session.silenceLimit == silence)
    }

    @Test func `heart-beats are sent when idle, and a silent broker is detected`() throws {
        var session = try Self.session()
        _ = try Self.receive("CONNECTED\nversion:1.2\nheart-beat:1000,1000\n\n\0", in: &session)
        _ = session.takeOutgoing()
        #expect(session.due == .milliseconds(500))
        try session.tick(now: .milliseconds(500))
        #expect(session.takeOutgoing() == [0x0A])
        session.send(STOMPFrame("SEND"), now: .milliseconds(900))
        try session.tick(now: .milliseconds(1100))
        #expect(session.takeOutgoing() == STOMPFrame("SEND").encoded(for: .v1_2))
        _ = try Self.receive("\n", in: &session, now: .milliseconds(2000))
        try session.tick(now: .milliseconds(4999))
        #expect { try session.tick(now: .milliseconds(5000)) } throws: { ($0 as? FeedError)?.code == .silent }
    }

    @Test func `a client that does not read does not report the broker as silent`() throws {
        var session = try Self.session()
        _ = try Self.receive("CONNECTED\nversion:1.2\nheart-beat:1000,1000\n\n\0", in: &session)
        #expect(throws: Never.self) { try session.tick(isReading: false, now: .seconds(60)) }
        #expect(throws: Never.self) { try session.tick(now: .seconds(62)) }
    }

    @Test func `a broker that does not accept the connection in time is silent`() throws {
        var session = try Self.session()
        try session.tick(now: .seconds(9))
        #expect { try session.tick(now: .seconds(10)) } throws: { ($0 as? FeedError)?.code == .silent }
    }

    @Test func `an error is reported in one line, without secrets and stack traces`() throws {
        var session = try Self.session("stomp://ann:sesame@broker.example")
        _ = try Self.receive("CONNECTED\nversion:1.2\n\n\0", in: &session)
        let events = try Self.receive(
            "ERROR\nreceipt-id:r1\nmessage:no\\nsuch sesame\n\njavax.jms.JMSException\n\tat org.x\n\0", in: &session)
        guard case .error(let fault, "r1")? = events.first else { throw FeedError(.malformed, source: "", "\(events)") }
        #expect(
            fault == FeedError(.reported, source: "stomp://***@broker.example", "error from the broker: no such ***"))
    }
}
