import Foundation
import PortolanFetch
import PortolanGeo
import PortolanTesting
import PortolanTransit
import PortolanWeb
import TestHelpers
import Testing

@testable import PortolanRealtime

@Suite struct HFPTests {
    private static let now = Date(timeIntervalSince1970: 1_795_271_200)

    /// Invented messages on real geometry, a topic and a payload each.
    private static func samples() throws -> [(topic: String, payload: [UInt8])] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/hfp-messages.txt")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
            let halves = line.split(separator: "\t")
            return (String(halves[0]), Array(halves[1].utf8))
        }
    }

    private static func report(
        _ payload: String,
        topic: String = "/hfp/v2/journey/ongoing/vp/bus/0012/01234/2550/2/Itäkeskus/23:10/1040446/3/60;24/17/28/39/"
    ) -> VehicleReport? {
        HFPReader.report(topic: topic, payload: Array(payload.utf8), heard: now)
    }

    private static func message(_ fields: String) -> String {
        #"{"VP":{"oper":12,"veh":1234,"tsi":1795271160,\#(fields)"route":"2550"}}"#
    }

    /// Whether a topic matches a filter, told from the standard (MQTT 3.1.1, section 4.7).
    private static func matches(_ topic: String, _ filter: String) -> Bool {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        let wanted = filter.split(separator: "/", omittingEmptySubsequences: false)
        for (index, want) in wanted.enumerated() {
            if want == "#" { return true }
            guard index < levels.count, want == "+" || want == levels[index] else { return false }
        }
        return levels.count == wanted.count
    }

    @Test func `a message becomes a vehicle with all its fields`() throws {
        let reports = try Self.samples().map { HFPReader.report(topic: $0.topic, payload: $0.payload, heard: Self.now) }
        #expect(reports.count == 11)
        #expect(reports.allSatisfy { $0 != nil })
        let report = try #require(reports[0])
        #expect(report.id == "40/201")
        #expect(report.line == "1003")
        #expect(report.label == "3")
        #expect(report.mode == .tram)
        #expect(report.place == Coordinate(longitude: 24.942336, latitude: 60.170413))
        #expect(report.headsign == "Töölö")
        #expect(report.bearing == 87)
        #expect(report.speed == 5.5)
        #expect(report.delay == .zero)
        #expect(report.time == Date(timeIntervalSince1970: 1_795_271_160))
        #expect(report.stop == "314039820")
        #expect(
            report.trip
                == TripReference(
                    line: "1003", direction: 0, day: ServiceDay(year: 2026, month: 11, day: 21),
                    start: 16 * 3600 + 21 * 60))
    }

    @Test func `negative values are delays, and directions begin with one`() {
        let report = Self.report(Self.message(#""dl":-90,"dir":"2","#))
        #expect(report?.delay == .seconds(90))
        #expect(report?.trip?.direction == 1)
        #expect(Self.report(Self.message(#""dir":1,"#))?.trip?.direction == 0)
        #expect(Self.report(Self.message(#""dir":"3","#))?.trip?.direction == nil)
    }

    @Test(arguments: [
        ("04:29", 28 * 3600 + 29 * 60), ("04:30", 4 * 3600 + 30 * 60), ("00:00", 24 * 3600), ("23:59", 86_340),
    ])
    func `an operating day ends at half past four`(start: String, seconds: Int) {
        #expect(Self.report(Self.message(#""oday":"2026-11-21","start":"\#(start)","#))?.trip?.start == seconds)
    }

    @Test func `a vehicle without coordinates has no position`() {
        let report = Self.report(
            Self.message(#""lat":null,"long":null,"odo":null,"spd":null,"hdg":null,"dl":null,"stop":null,"occu":0,"#),
            topic: "/hfp/v2/journey/ongoing/vp/bus/0012/01234/2550/2/Itäkeskus/23:10/EOL/0////")
        #expect(report != nil)
        #expect(report?.place == nil)
        #expect(report?.stop == nil)
        #expect(report?.speed == nil)
    }

    @Test func `swapped latitude and longitude are corrected by the topic`() {
        #expect(
            Self.report(Self.message(#""lat":24.789,"long":60.123,"#))?.place
                == Coordinate(longitude: 24.789, latitude: 60.123))
        #expect(
            Self.report(Self.message(#""lat":60.123,"long":24.789,"#))?.place
                == Coordinate(longitude: 24.789, latitude: 60.123))
    }

    @Test func `a headsign may contain any character, even a slash`() {
        let topic =
            "/hfp/v2/journey/ongoing/vp/train/0090/01045/3001K/1/Kerava/Lahti €/05:12/4610551/1/60;25/34/17/82/more/of/it"
        #expect(Self.report(Self.message(""), topic: topic)?.headsign == "Kerava/Lahti €")
    }

    @Test(arguments: [
        "", "{", "[]", "{}", #"{"VP":1}"#, #"{"VP":{}}"#, #"{"VP":{"oper":"x","veh":1,"tsi":1795271160}}"#,
        #"{"DEP":{"oper":12,"veh":1,"tsi":1795271160}}"#, #"{"VP":{"oper":1,"veh":1,"tsi":1e300}}"#,
        #"{"VP":{"oper":1,"veh":1,"tst":"yesterday"}}"#,
    ])
    func `invalid payloads are ignored`(payload: String) {
        #expect(Self.report(payload) == nil)
    }

    @Test(arguments: [
        "", "/", "hfp/v2", "/hfp/v1/journey/ongoing/vp/bus/1/2/3/1/a/12:00/1/1/60;24",
        "/hfp/v2/journey/ongoing/dep/bus/1/2/3/1/a/12:00/1/1/60;24",
    ])
    func `other topics are ignored`(topic: String) {
        #expect(Self.report(Self.message(""), topic: topic) == nil)
    }

    @Test func `the textual time is used if there is no other, and never far in the future`() {
        #expect(
            Self.report(#"{"VP":{"oper":1,"veh":1,"tst":"2026-11-21T14:26:00.500Z"}}"#)?.time
                == Date(timeIntervalSince1970: 1_795_271_160.5))
        #expect(Self.report(#"{"VP":{"oper":1,"veh":1,"tsi":1895271160}}"#)?.time == Self.now.addingTimeInterval(60))
    }

    @Test func `an area becomes the filter that the documentation states`() throws {
        let extent = try #require(Extent(minX: 24.7891, minY: 60.1231, maxX: 24.7899, maxY: 60.1239))
        #expect(
            HFPTopic.filters(for: VehicleInterest(extent: extent))
                == ["/hfp/v2/journey/ongoing/vp/+/+/+/+/+/+/+/+/+/60;24/17/28/39/#"])
    }

    @Test func `at most twenty filters end with a wildcard and cover the whole interest`() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<300 {
            let size = pow(10, Double.random(in: -3...(-0.31), using: &random))
            let x = Double.random(in: 23...26, using: &random), y = Double.random(in: 59...61, using: &random)
            let extent = try #require(Extent(minX: x, minY: y, maxX: x + size, maxY: y + size))
            let lines =
                Bool.random(using: &random) ? nil : Set((0..<Int.random(in: 1...25, using: &random)).map { "\($0)" })
            let filters = HFPTopic.filters(for: VehicleInterest(extent: extent, lines: lines))
            #expect((1...20).contains(filters.count))
            #expect(filters.allSatisfy { $0.hasSuffix("/#") })
            let longitude = Double.random(in: x...(x + size), using: &random)
            let latitude = Double.random(in: y...(y + size), using: &random)
            let (a, b) = (Int(latitude * 1000), Int(longitude * 1000))
            let digits = [100, 10, 1].map { "\(a / $0 % 10)\(b / $0 % 10)" }.joined(separator: "/")
            let topic =
                "/hfp/v2/journey/ongoing/vp/bus/1/2/\(lines?.min() ?? "7")/1/A/12:00/1/5/\(a / 1000);\(b / 1000)/\(digits)/"
            #expect(filters.contains { Self.matches(topic, $0) }, "\(topic) \(filters)")
        }
    }

    @Test func `a wide view does not subscribe to small movements`() throws {
        let extent = try #require(Extent(minX: 24.2, minY: 60.2, maxX: 24.8, maxY: 60.8))
        let filters = HFPTopic.filters(for: VehicleInterest(extent: extent))
        #expect(filters.count == 5)
        #expect(
            !filters.contains { Self.matches("/hfp/v2/journey/ongoing/vp/bus/1/2/3/1/A/12:00/1/5/60;24/33/44/55/", $0) }
        )
        #expect(
            filters.contains { Self.matches("/hfp/v2/journey/ongoing/vp/bus/1/2/3/1/A/12:00/1/4/60;24/33/44/55/", $0) })
    }

    @Test func `line names cannot inject parts of a filter`() {
        #expect(HFPTopic.filters(for: VehicleInterest(lines: ["#", "+", "a/b", "", "x\0"])) == [])
        #expect(
            HFPTopic.filters(for: VehicleInterest(lines: ["#", "1009"])) == ["/hfp/v2/journey/ongoing/vp/+/+/+/1009/#"])
        #expect(HFPTopic.filters(for: VehicleInterest()) == ["/hfp/v2/journey/ongoing/vp/+/+/+/+/#"])
    }

    @Test func `a feed receives what it subscribed to, once, and changes its subscription`() async throws {
        let samples = try Self.samples()
        func publish(_ index: Int) -> [UInt8] {
            MQTTPacket.publish(MQTTMessage(topic: samples[index].topic, payload: samples[index].payload)).encoded ?? []
        }
        let transport = ScriptedByteTransport([
            [
                .expect(MQTTPacket.connect(MQTTConnecting(user: "ann", password: "sesame")).encoded ?? []),
                .say(MQTTPacket.connectAcknowledged(hasSession: false, code: 0).encoded ?? []),
                .expect(
                    MQTTPacket.subscribe(id: 1, filters: ["/hfp/v2/journey/ongoing/vp/+/+/+/1003/#"]).encoded ?? []),
                .say(
                    (MQTTPacket.subscribeAcknowledged(id: 1, codes: [0]).encoded ?? []) + publish(0) + publish(0)
                        + publish(1)),
            ]
        ])
        let clock = TestClock(),
            feed = try HFPFeed(ByteEndpoint("mqtt://ann:sesame@localhost"), .init(), transport, .test(clock))
        let (interests, wish) = AsyncStream.makeStream(of: VehicleInterest.self)
        wish.yield(VehicleInterest(lines: ["1003"]))
        var heard: [String] = []
        for await event in feed.events(for: interests) {
            if case .reports(let reports) = event { heard += reports.compactMap(\.line) }
            if heard.count == 1 {
                wish.yield(VehicleInterest(lines: ["1002"]))
                let subscribe =
                    MQTTPacket.subscribe(id: 2, filters: ["/hfp/v2/journey/ongoing/vp/+/+/+/1002/#"]).encoded ?? []
                #expect(
                    await eventually {
                        if transport.sent[0].suffix(subscribe.count) == subscribe[...] { return true }
                        clock.advance(by: .milliseconds(20))
                        return false
                    })
                transport.push(
                    (MQTTPacket.subscribeAcknowledged(id: 2, codes: [0]).encoded ?? []) + publish(0) + publish(1), on: 0
                )
                let leave =
                    MQTTPacket.unsubscribe(id: 3, filters: ["/hfp/v2/journey/ongoing/vp/+/+/+/1003/#"]).encoded ?? []
                #expect(await eventually { transport.sent[0].suffix(leave.count) == leave[...] })
            }
            if heard.count == 2 { break }
        }
        #expect(heard == ["1003", "1002"])
        #expect(feed.name == "mqtt://***@localhost")
        #expect(transport.surprises.isEmpty)
        #expect(await eventually { transport.closed == [true] })
        #expect(transport.sent[0].suffix(2) == [0xE0, 0])
    }

    @Test(
        arguments: [("30", -30), ("-86400", 86_400), ("86401", nil), ("-9223372036854775808", nil)] as [(String, Int?)])
    func `delays of up to a day are accepted`(late: String, delay: Int?) {
        #expect(Self.report(Self.message("\"dl\":\(late),"))?.delay == delay.map { .seconds($0) })
    }

    @Test func `rejected filters are reported and requested again, while others are received`() throws {
        var machine = HFPFeedMachine(.init(), endpoint: try ByteEndpoint("mqtt://localhost")), step = FeedStep()
        func moment(_ seconds: Int) -> Moment { Moment(now: .seconds(seconds), date: Self.now) }
        func filter(_ line: Int) -> String { "/hfp/v2/journey/ongoing/vp/+/+/+/\(line)/#" }
        machine.begin(VehicleInterest(lines: ["1", "2"]), at: moment(0), into: &step)
        try machine.receive(
            MQTTPacket.connectAcknowledged(hasSession: false, code: 0).encoded ?? [], at: moment(0), into: &step)
        step = FeedStep()
        try machine.receive(
            MQTTPacket.subscribeAcknowledged(id: 1, codes: [0, 0x80]).encoded ?? [], at: moment(0), into: &step)
        guard case .state(.lost(let fault, .seconds(300)))? = step.events.first else {
            Issue.record("the fault is not told")
            return
        }
        #expect(fault.code == .refused)
        #expect(step.events.last == .state(.live))
        step = FeedStep()
        try machine.receive(MQTTPacket.pong.encoded ?? [], at: moment(299), into: &step)
        machine.choose(VehicleInterest(lines: ["1", "2"]), at: moment(300), into: &step)
        try machine.tick(isReading: true, at: moment(301), into: &step)
        let asked = MQTTPacket.subscribe(id: 2, filters: [filter(2)]).encoded ?? []
        #expect(String(decoding: step.outgoing, as: UTF8.self).contains(String(decoding: asked, as: UTF8.self)))
    }
}
