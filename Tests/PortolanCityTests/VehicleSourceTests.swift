import Foundation
import Portolan
import PortolanFetch
import PortolanRealtime
import PortolanTesting
import TestHelpers
import Testing

@testable import PortolanCity

@Suite struct VehicleSourceTests {
    static let client = ServiceClient(
        configuration: RendererConfiguration(),
        transport: StubTransport { (request) throws(FetchError) in
            throw FetchError(.cannotConnect, url: request.url, detail: "nobody is there")
        })

    static let lines = """
        # t id;line;lon;lat;bearing;direction;previous;stop;departure
        0 A1;1009;24.94;60.17;90;1;1;2;1621
        10 A1;1009;24.95;60.17;90;1;1;2;1621
        10 B2;1003;24.96;60.18;0;2;1;2;1621
        """

    static func heard(
        _ text: String, _ interest: VehicleInterest = VehicleInterest()
    ) async throws
        -> VehicleSource.Opened.Heard
    {
        let folder = try TemporaryFolder()
        try folder.write(Array(text.utf8), to: "vehicles.txt")
        return try await VehicleSource(folder.path + "/vehicles.txt").open(client: client)
            .listen(for: .seconds(60), interest: interest)
    }

    @Test func `a recording is played to its end`() async throws {
        let heard = try await Self.heard(Self.lines)
        #expect(heard.fleet.snapshot.map(\.id) == ["A1", "B2"])
        #expect(heard.fault == nil)
        #expect(heard.fleet.vehicles["A1"]?.place?.x == 24.95)
        #expect(heard.time == Date(timeIntervalSince1970: 10))
    }

    @Test func `a recorded stream can be used as a source`() async throws {
        let fleet = try await Self.heard(Self.lines).fleet
        var recorder = ReplayFeed.Recorder()
        let line = recorder.record(.reports(fleet.snapshot), at: Date(timeIntervalSince1970: 10))
        #expect(try await Self.heard(String(decoding: line, as: UTF8.self)).fleet.snapshot == fleet.snapshot)
    }

    @Test func `a recording played as live starts at the given time`() async throws {
        let folder = try TemporaryFolder(), start = Date(timeIntervalSince1970: 1_800_000_000)
        try folder.write(Array(Self.lines.utf8), to: "vehicles.txt")
        let opened = try await VehicleSource(folder.path + "/vehicles.txt").open(
            client: Self.client, speed: .times(5), startingAt: start)
        #expect(opened.end == start.addingTimeInterval(2))
    }

    @Test(
        arguments: [
            ([0x0A, 0x0D, 0x0A, 0x03, 0x32, 0x2E, 0x30], VehicleSource.Form.gtfsRealtime),
            ([0x0A, 0x3C, 0x0A, 0x03, 0x32, 0x2E, 0x30], .gtfsRealtime),
            ([0x0A, 0x80, 0x01, 0x0A, 0x03, 0x31, 0x2E], .gtfsRealtime), (Array("\n\n\n0 A;1;2;3;4".utf8), .recording),
            (Array(#"<?xml version="1.0"?><Siri/>"#.utf8), .siri),
            (Array(#"{"Siri":{"ServiceDelivery":{}}}"#.utf8), .siri),
            (Array(#"{"event":"reports","t":0,"vehicles":[]}"#.utf8), .recording),
            (Array("0 A;1;2;3;4".utf8), .recording),
            ([], .recording),
        ] as [([UInt8], VehicleSource.Form)])
    func `the content determines the kind of a source`(bytes: [UInt8], form: VehicleSource.Form) {
        #expect(VehicleSource.form(of: bytes) == form)
    }

    @Test(arguments: [
        ("stomp://broker.example", VehicleSource.Form.stomp), ("mqtts://broker.example:8883", .hfp),
        ("STOMP+SSL://broker.example", .stomp),
    ])
    func `brokers are recognised by their URL scheme`(text: String, form: VehicleSource.Form) {
        #expect(VehicleSource(text).form == form)
    }

    @Test func `a server whose format is clear from its content is requested once`() async throws {
        let message = RealtimeMessage(
            vehicles: [VehicleMarksTests.report { $0.time = Date() }], time: Date())
        // There is no other responder.
        let transport = StubTransport(bodies: ["http://city.invalid/vehicles": message.bytes])
        let client = ServiceClient(configuration: RendererConfiguration(), transport: transport)
        let heard = try await VehicleSource("http://city.invalid/vehicles").open(client: client)
            .listen(for: .seconds(60))
        #expect(heard.fleet.snapshot.map(\.id) == ["RHKL00201"])
        #expect(heard.fault == nil)
    }

    @Test func `an invalid recording is reported with its line`() async throws {
        await #expect {
            _ = try await Self.heard("root:x:0:0\n")
        } throws: { error in
            ((error as? MapError)?.underlying as? FeedError)?.code == .malformed
        }
    }

    /// A source that tells some events, and then nothing more.
    private struct QuietFeed: VehicleFeed {
        let name = "quiet"
        let told: [FeedEvent]

        func events(for interests: AsyncStream<VehicleInterest>) -> AsyncStream<FeedEvent> {
            let told = told
            return AsyncStream { continuation in for event in told { continuation.yield(event) } }
        }
    }

    private static let lost = FeedError(.refused, source: "quiet", "the broker denied access")

    @Test(
        arguments: [
            ([], .silent, false), ([.state(.connecting)], .silent, false),
            ([.state(.connecting), .state(.lost(lost, retry: .seconds(1))), .state(.connecting)], .refused, false),
            ([.state(.connecting), .state(.connected)], nil, true), ([.state(.connecting), .state(.live)], nil, true),
            ([.state(.live), .state(.lost(lost, retry: .seconds(1)))], .refused, false),
            ([.state(.lost(lost, retry: .seconds(1))), .state(.live)], .refused, true),
        ] as [([FeedEvent], FeedError.Code?, Bool)])
    func `a slow source is distinguished from one without vehicles`(
        told: [FeedEvent], code: FeedError.Code?, isHeard: Bool
    ) async {
        let heard = await VehicleSource.Opened(feed: QuietFeed(told: told), isAsked: false).listen(
            for: .milliseconds(50))
        #expect(heard.fault?.code == code)
        #expect(heard.isHeard == isHeard)
        #expect(heard.fleet.vehicles.isEmpty)
        #expect(heard.isConfirmed == (told.last != .state(.connected)))
    }

    @Test func `skipped lines of a recording are reported`() async throws {
        let heard = try await Self.heard(Self.lines + "\nbad\n")
        #expect(
            heard.losses.count == 1 && heard.notes.map(\.message) == ["1 entry is left out: line 5: not a vehicle"])
        await #expect(throws: MapError.self) { _ = try await Self.heard("") }
    }

    @Test func `an outdated message is reported as such, from a URL and from a file`() async throws {
        let time = Date(timeIntervalSince1970: 1_500_000_000)
        let message = RealtimeMessage(vehicles: [VehicleMarksTests.report { $0.time = time }], time: time)
        let folder = try TemporaryFolder(), address = "http://city.invalid/vehicles"
        try folder.write(message.bytes, to: "vehicles.pb")
        let client = ServiceClient(
            configuration: RendererConfiguration(), transport: StubTransport(bodies: [address: message.bytes]))
        for source in [folder.path + "/vehicles.pb", address] {
            let heard = try await VehicleSource(source).open(client: client).listen(for: .seconds(60))
            #expect(heard.fleet.snapshot.map(\.id) == ["RHKL00201"])
            #expect(heard.fault == nil)
            #expect(heard.silentCount == 0)
            #expect(heard.age(at: time.addingTimeInterval(3 * 86_400)) == .seconds(3 * 86_400))
            #expect(heard.notes.first?.message.hasPrefix("the newest position is ") == true)
            #expect(heard.notes.count == 1)
        }
    }

    @Test func `vehicles with old positions in a fresh message are counted`() async throws {
        let message = RealtimeMessage(
            vehicles: [VehicleMarksTests.report { $0.time = Date(timeIntervalSinceNow: -7200) }], time: Date())
        let client = ServiceClient(
            configuration: RendererConfiguration(),
            transport: StubTransport(bodies: ["http://a.invalid/v": message.bytes]))
        let heard = try await VehicleSource("http://a.invalid/v").open(client: client).listen(for: .seconds(60))
        #expect(
            heard.fleet.vehicles.isEmpty && heard.silentCount == 1
                && heard.nothing.message == "no vehicle reports any more"
        )
        #expect(
            heard.notes.map(\.message) == [
                "1 vehicle is left out, as nothing was heard of it for too long; the newest position is 2 hours old"
            ])
    }
}
