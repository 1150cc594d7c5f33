import Foundation
import PortolanFetch
import PortolanGeo
import PortolanTesting
import PortolanTransit
import PortolanWeb
import TestHelpers
import Testing

@testable import PortolanRealtime

@Suite struct STOMPFeedTests {
    private static let connect =
        "CONNECT\naccept-version:1.0,1.1,1.2\nhost:localhost\nheart-beat:1000,1000\n\n\0"
    private static let connected = "CONNECTED\nversion:1.2\nheart-beat:1000,1000\n\n\0"
    private static let helsinki = Extent(minX: 24.9, minY: 60.1, maxX: 25, maxY: 60.2)

    private static func subscribe(_ number: Int, _ selector: String?) -> String {
        "SUBSCRIBE\nid:v\(number)\ndestination:/topic/v\nack:auto\n" + (selector.map { "selector:\($0)\n" } ?? "")
            + "receipt:r\(number)\n\n\0"
    }

    private static func message(
        _ id: String, _ x: Double, _ y: Double, line: String = "9", subscription: String = "v1"
    ) -> String {
        "MESSAGE\nsubscription:\(subscription)\nmessage-id:1\ndestination:/topic/v\nnumberPlate:\(id)\nline:\(line)\n"
            + "longitude:\(x)\nlatitude:\(y)\norientation:90\n\n\0\n"
    }

    private static func say(_ text: String) -> ScriptedByteTransport.Step { .say(Array(text.utf8)) }
    private static func expect(_ text: String) -> ScriptedByteTransport.Step { .expect(Array(text.utf8)) }

    /// A feed that plays scripts, and what it tells.
    private struct Rehearsal {
        let transport: ScriptedByteTransport
        let clock = TestClock()
        let interests: AsyncStream<VehicleInterest>.Continuation
        var events: AsyncStream<FeedEvent>.AsyncIterator

        init(
            _ scripts: [[ScriptedByteTransport.Step]], alerts: String? = nil, _ interest: VehicleInterest? = nil
        ) throws {
            transport = ScriptedByteTransport(scripts)
            var settings = STOMPFeed.Settings(vehicles: "/topic/v", alerts: alerts)
            settings.heartBeat = .seconds(1)
            let feed = try STOMPFeed(ByteEndpoint("stomp://localhost"), settings, transport, .test(clock))
            let (stream, continuation) = AsyncStream.makeStream(of: VehicleInterest.self)
            interests = continuation
            // Known before the feed begins.
            continuation.yield(interest ?? VehicleInterest())
            events = feed.events(for: stream).makeAsyncIterator()
        }

        mutating func next() async -> FeedEvent? { await events.next(isolation: #isolation) }

        /// The vehicles of the next event that has some.
        mutating func vehicles() async -> [String]? {
            while let event = await next() {
                if case .reports(let reports) = event { return reports.map(\.id) }
            }
            return nil
        }

        func hasSent(_ text: String, on connection: Int = 0) async -> Bool {
            await eventually { [transport] in
                transport.sent.count > connection
                    && String(decoding: transport.sent[connection], as: UTF8.self).contains(text)
            }
        }
    }

    @Test func `the feed connects, subscribes and reports vehicles`() async throws {
        var stage = try Rehearsal([
            [
                Self.expect(Self.connect), Self.say(Self.connected), Self.expect(Self.subscribe(1, nil)),
                Self.say(
                    "RECEIPT\nreceipt-id:r1\n\n\0" + Self.message("A", 24.95, 60.15)
                        + Self.message("B", 1, 2, line: "-")),
            ]
        ])
        #expect(await stage.next() == .state(.connecting))
        #expect(await stage.next() == .state(.connected))
        #expect(await stage.next() == .state(.live))
        guard case .reports(let reports)? = await stage.next() else { return #expect(Bool(false)) }
        #expect(reports.map(\.id) == ["A", "B"])
        #expect(reports[0].place == Coordinate(longitude: 24.95, latitude: 60.15))
        #expect(reports[0].line == "9")
        #expect(reports[0].bearing == 90)
        #expect(reports[1].line == nil)
        #expect(stage.transport.surprises.isEmpty)
    }

    @Test
    func `when the view moves, the new subscription starts before the old one ends`() async throws {
        let first = VehicleInterest(extent: Self.helsinki, lines: ["9"])
        var stage = try Rehearsal([[Self.expect(Self.connect), Self.say(Self.connected)]], first)
        #expect(await stage.hasSent("receipt:r1\n"))
        stage.transport.push(Array("RECEIPT\nreceipt-id:r1\n\n\0".utf8), on: 0)
        while let event = await stage.next(), event != .state(.live) {}
        let far = try #require(Extent(minX: 10, minY: 50, maxX: 11, maxY: 51))
        // Many moves, of which the last counts once the view rests.
        for shift in 1...5 {
            stage.interests.yield(VehicleInterest(extent: far.shifted(x: Double(shift), y: 0), lines: ["9"]))
        }
        stage.interests.yield(VehicleInterest(extent: far, lines: ["9"]))
        // The alarm of the last wish may be set after the time was moved: it is moved until it rings.
        let clock = stage.clock, transport = stage.transport
        #expect(
            await eventually {
                if String(decoding: transport.sent[0], as: UTF8.self).contains("receipt:r2\n") { return true }
                clock.advance(by: .milliseconds(10))
                transport.push([0x0A], on: 0)
                return false
            })
        #expect(!String(decoding: transport.sent[0], as: UTF8.self).contains("UNSUBSCRIBE"))
        #expect(
            String(decoding: transport.sent[0], as: UTF8.self).contains(
                "longitude < 11.250000 and longitude > 9.750000"))
        // Both deliver the same: it is reported once; a second message of one of them is new.
        transport.push(
            Array(
                (Self.message("A", 10.5, 50.5) + Self.message("A", 10.5, 50.5, subscription: "v2")
                    + Self.message("A", 10.6, 50.5, subscription: "v2") + Self.message("A", 10.6, 50.5)
                    + Self.message("A", 10.6, 50.5, subscription: "v2")).utf8), on: 0)
        #expect(await stage.vehicles() == ["A", "A", "A"])
        #expect(await stage.hasSent("UNSUBSCRIBE\nid:v1\nreceipt:r3\n"))
        #expect(
            String(decoding: transport.sent[0], as: UTF8.self).components(separatedBy: "SUBSCRIBE\nid:v").count == 4)
    }

    @Test func `small moves need no new subscription`() async throws {
        var machine = STOMPFeedMachine(STOMPFeed.Settings(alerts: nil), endpoint: try ByteEndpoint("stomp://localhost"))
        var step = FeedStep()
        let start = Moment(now: .zero, date: Date(timeIntervalSince1970: 0))
        machine.begin(VehicleInterest(extent: Self.helsinki), at: start, into: &step)
        try machine.receive(Array((Self.connected + "RECEIPT\nreceipt-id:r1\n\n\0").utf8), at: start, into: &step)
        step = FeedStep()
        machine.choose(
            VehicleInterest(extent: Self.helsinki.flatMap { $0.shifted(x: 0.02, y: 0.01) }), at: start, into: &step)
        let later = Moment(now: .milliseconds(400), date: start.date)
        try machine.tick(isReading: true, at: later, into: &step)
        #expect(step.outgoing.isEmpty)
        machine.choose(
            VehicleInterest(extent: Self.helsinki.flatMap { $0.shifted(x: 0.2, y: 0) }), at: later, into: &step)
        #expect(machine.due == .milliseconds(700))
        try machine.tick(isReading: true, at: Moment(now: .milliseconds(700), date: start.date), into: &step)
        #expect(String(decoding: step.outgoing, as: UTF8.self).contains("SUBSCRIBE\nid:v2\n"))
    }

    @Test func `messages of a broker without selectors are filtered by the client`() async throws {
        let interest = VehicleInterest(extent: Self.helsinki, lines: ["9"])
        var stage = try Rehearsal([[Self.expect(Self.connect), Self.say(Self.connected)]], interest)
        stage.transport.push([], on: 0)
        #expect(await stage.hasSent("receipt:r1\n"))
        stage.transport.push(
            Array(
                (Self.message("far", 1, 2) + Self.message("other", 24.95, 60.15, line: "4")
                    + Self.message("here", 24.95, 60.15) + Self.message("other", 24.96, 60.15, line: "-")
                    + Self.message("broken", 24.95, 95) + Self.message("new", 24.96, 60.15, line: "-")).utf8), on: 0)
        // The statement about a line holds until it is repeated; without one, all vehicles are possible.
        #expect(await stage.vehicles() == ["here", "new"])
    }

    @Test func `a rejected selector is replaced by filtering in the client`() async throws {
        var stage = try Rehearsal(
            [[Self.expect(Self.connect), Self.say(Self.connected)]], VehicleInterest(lines: ["9"]))
        #expect(await stage.hasSent("receipt:r1\n"))
        stage.transport.push(Array("ERROR\nmessage:Couldn't create TopicSubscription\n\njavax\n\0".utf8), on: 0)
        #expect(await stage.hasSent(Self.subscribe(2, nil)))
        stage.transport.push(
            Array(
                (Self.message("A", 1, 2, subscription: "v2") + Self.message("B", 1, 2, line: "4", subscription: "v2"))
                    .utf8),
            on: 0)
        #expect(await stage.vehicles() == ["A"])
    }

    @Test func `the feed reconnects after increasing delays, and subscribes again`() async throws {
        var stage = try Rehearsal([
            [Self.expect(Self.connect), Self.say(Self.connected + "RECEIPT\nreceipt-id:r1\n\n\0"), .end],
            [.fail(FetchError(.connectionLost, url: "stomp://localhost", detail: "reset"))],
            [
                Self.expect(Self.connect), Self.say(Self.connected),
                Self.expect("SUBSCRIBE\nid:v2\ndestination:/topic/v\nack:auto\nreceipt:r1\n\n\0"),
                Self.say("RECEIPT\nreceipt-id:r1\n\n\0" + Self.message("A", 1, 2)),
            ],
        ])
        var pauses: [Duration] = []
        let clock = stage.clock, transport = stage.transport
        while let event = await stage.next() {
            if case .state(.lost(_, let pause)) = event {
                pauses.append(pause)
                // Moved until the pause, which may not have begun yet, is over.
                let count = pauses.count
                guard count <= 2 else { break }
                #expect(
                    await eventually {
                        if transport.sent.count > count { return true }
                        clock.advance(by: .milliseconds(100))
                        return false
                    })
            }
            if case .reports(let reports) = event {
                #expect(reports.map(\.id) == ["A"])
                break
            }
        }
        #expect(pauses == [.milliseconds(500), .seconds(1)])
        #expect(stage.transport.sent.count == 3)
    }

    @Test func `a silent broker counts as lost, and heart-beats keep the connection`() async throws {
        var stage = try Rehearsal([
            [
                Self.expect(Self.connect), Self.say(Self.connected), Self.expect(Self.subscribe(1, nil)),
                Self.say("RECEIPT\nreceipt-id:r1\n\n\0"),
            ]
        ])
        while let event = await stage.next(), event != .state(.live) {}
        let clock = stage.clock
        let moving = Task {
            while !Task.isCancelled, await eventually({ clock.sleeperCount > 0 }) {
                clock.advance(by: .milliseconds(100))
            }
        }
        defer { moving.cancel() }
        guard case .state(.lost(let fault, _))? = await stage.next() else { return #expect(Bool(false)) }
        #expect(fault.code == .silent)
        // It was heard from us meanwhile.
        #expect(stage.transport.sent[0].suffix(3) == [0x0A, 0x0A, 0x0A])
    }

    @Test func `new alerts replace the earlier ones`() async throws {
        var stage = try Rehearsal([[Self.expect(Self.connect), Self.say(Self.connected)]], alerts: "/topic/a")
        #expect(await stage.hasSent("SUBSCRIBE\nid:alerts\ndestination:/topic/a\n"))
        for text in ["Line 9 stands", ""] {
            stage.transport.push(
                Array("MESSAGE\nsubscription:alerts\nmessage-id:m\ndestination:/topic/a\n\n\(text)\0".utf8), on: 0)
        }
        var notices: [[String]] = []
        while notices.count < 2, let event = await stage.next() {
            if case .disruptions(let disruptions) = event { notices.append(disruptions.compactMap { $0.text[""] }) }
        }
        #expect(notices == [["Line 9 stands"], []])
    }

    @Test func `the feed disconnects when its last listener leaves`() async throws {
        var stage: Rehearsal? = try Rehearsal([[Self.expect(Self.connect), Self.say(Self.connected)]])
        let transport = try #require(stage?.transport)
        #expect(await stage?.hasSent("receipt:r1\n") == true)
        stage = nil
        #expect(await eventually { transport.closed == [true] })
        #expect(String(decoding: transport.sent[0], as: UTF8.self).hasSuffix("DISCONNECT\n\n\0"))
    }

    private static func alert(_ id: String, _ text: String) -> [UInt8] {
        Array("MESSAGE\nsubscription:alerts\nmessage-id:\(id)\ndestination:/topic/a\n\n\(text)\0".utf8)
    }

    private static func texts(_ step: FeedStep) -> [[String]] {
        step.events.compactMap { event in
            if case .disruptions(let notices) = event { notices.compactMap { $0.text[""] } } else { nil }
        }
    }

    private static func moment(_ seconds: Int) -> Moment {
        Moment(now: .seconds(seconds), date: Date(timeIntervalSince1970: Double(seconds)))
    }

    @Test func `of several alert lists received together, only the last is reported`() throws {
        var settings = STOMPFeed.Settings(vehicles: "/topic/v", alerts: "/topic/a")
        settings.heartBeat = .zero
        var machine = STOMPFeedMachine(settings, endpoint: try ByteEndpoint("stomp://localhost")), step = FeedStep()
        machine.begin(VehicleInterest(), at: Self.moment(0), into: &step)
        try machine.receive(
            Array("CONNECTED\nversion:1.2\n\n\0RECEIPT\nreceipt-id:r1\n\n\0".utf8), at: Self.moment(0), into: &step)
        step = FeedStep()
        let together = (0..<50).flatMap { Self.alert("m\($0)", "Line \($0) stands") }
        try machine.receive(together, at: Self.moment(1), into: &step)
        #expect(Self.texts(step) == [(0..<50).map { "Line \($0) stands" }])
        // What says nothing new is not told again.
        step = FeedStep()
        try machine.receive(Self.alert("m49", "Line 49 stands"), at: Self.moment(2), into: &step)
        #expect(Self.texts(step).isEmpty)
    }

    @Test func `all current alerts are reported, each until it expires`() throws {
        var settings = STOMPFeed.Settings(vehicles: "/topic/v", alerts: "/topic/a")
        settings.heartBeat = .zero
        var machine = STOMPFeedMachine(settings, endpoint: try ByteEndpoint("stomp://localhost")), step = FeedStep()
        machine.begin(VehicleInterest(), at: Self.moment(0), into: &step)
        let connected = "CONNECTED\nversion:1.2\n\n\0RECEIPT\nreceipt-id:r1\n\n\0"
        try machine.receive(Array(connected.utf8), at: Self.moment(0), into: &step)
        func say(_ id: String, _ text: String, at seconds: Int) throws -> [[String]] {
            var step = FeedStep()
            try machine.receive(Self.alert(id, text), at: Self.moment(seconds), into: &step)
            return Self.texts(step)
        }
        #expect(try say("1", "Line 9 stands", at: 0) == [["Line 9 stands"]])
        #expect(try say("2", "Snow", at: 10) == [["Line 9 stands", "Snow"]])
        #expect(try say("3", "", at: 10).isEmpty, "it takes none away but its own")
        #expect(try say("4", "Snow", at: 20).count == 1, "told again, it holds longer")
        #expect(machine.due == .seconds(21_600))
        step = FeedStep()
        try machine.tick(isReading: true, at: Self.moment(21_600), into: &step)
        #expect(Self.texts(step) == [["Snow"]])
        for number in 0..<150 { _ = try say("n\(number)", "Text \(number)", at: 21_600) }
        #expect(try say("last", "Last", at: 21_600).last?.count == 100)
    }

    @Test func `an unconfirmed end of a subscription is waited for at most ten seconds`() throws {
        var settings = STOMPFeed.Settings(vehicles: "/topic/v", alerts: nil)
        settings.heartBeat = .zero
        var machine = STOMPFeedMachine(settings, endpoint: try ByteEndpoint("stomp://localhost")), step = FeedStep()
        machine.begin(VehicleInterest(lines: ["9"]), at: Self.moment(0), into: &step)
        let connected = "CONNECTED\nversion:1.2\n\n\0RECEIPT\nreceipt-id:r1\n\n\0"
        try machine.receive(Array(connected.utf8), at: Self.moment(0), into: &step)
        machine.choose(VehicleInterest(lines: ["4"]), at: Self.moment(0), into: &step)
        try machine.tick(isReading: true, at: Self.moment(1), into: &step)
        try machine.receive(Array("RECEIPT\nreceipt-id:r2\n\n\0".utf8), at: Self.moment(1), into: &step)
        #expect(machine.due == .seconds(11))
        try machine.tick(isReading: true, at: Self.moment(11), into: &step)
        #expect(machine.due == nil)
    }

    @Test func `identifiers of more than 100 bytes are ignored`() {
        var reader = MobitransitReader()
        func frame(_ id: Int, _ line: Int) -> STOMPFrame {
            STOMPFrame(
                "MESSAGE",
                [
                    .init("numberPlate", String(repeating: "a", count: id)),
                    .init("line", String(repeating: "1", count: line)), .init("longitude", "24"),
                    .init("latitude", "60"),
                ])
        }
        #expect(reader.report(of: frame(101, 1), heard: Date()) == nil)
        #expect(reader.report(of: frame(100, 100), heard: Date())?.line?.count == 100)
        #expect(reader.report(of: frame(99, 101), heard: Date())?.line == nil)
    }
}
