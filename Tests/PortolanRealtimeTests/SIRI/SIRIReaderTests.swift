import Foundation
import PortolanFetch
import PortolanGeo
import PortolanTesting
import PortolanTransit
import PortolanWeb
import TestHelpers
import Testing

@testable import PortolanRealtime

/// The documents are written after the documentation; see the page beside them.
@Suite struct SIRIReaderTests {
    private let reader = SIRIReader(source: "a.example")
    private func read(_ name: String) throws -> SIRIDelivery {
        try reader.delivery(Fixture.bytes("siri/\(name)"), now: time(0))
    }

    @Test(arguments: ["vehicles.xml", "vehicles.json"])
    func `vehicles are read alike from XML and JSON`(name: String) throws {
        let delivery = try read(name)
        #expect(delivery.time == ISOTime.date("2026-11-23T14:24:30Z"))
        #expect(delivery.isOfVehicles)
        #expect(delivery.vehicles.count == 2)
        #expect(delivery.faultCount == 1)
        #expect(delivery.cancelledVehicles == ["RHKL00001"])
        let moment = try #require(ISOTime.date("2026-11-23T14:24:00Z"))
        var first = VehicleReport(
            id: "RHKL00239", time: moment, place: Coordinate(longitude: 24.937137, latitude: 60.201705))
        (first.line, first.label, first.mode, first.headsign) = ("1009", "9", .tram, "Pasila")
        (first.bearing, first.delay, first.stop) = (256.5, .seconds(-30), "1173433")
        first.trip = TripReference(
            trip: "trip-1", line: "1009", direction: 1, day: ServiceDay(year: 2026, month: 11, day: 23))
        #expect(delivery.vehicles.first == first)
        let second = try #require(delivery.vehicles.last)
        #expect(second.place == Coordinate(longitude: 24.94, latitude: 60.17))
        #expect(second.bearing == nil)
        #expect(second.time == delivery.time)
    }

    @Test func `speeds are read if their unit is known`() throws {
        var reader = reader
        reader.velocityUnit = 1 / 3.6
        let speed = try reader.delivery(Fixture.bytes("siri/vehicles.xml"), now: time(0)).vehicles.first?.speed
        #expect(speed.map { abs($0 - 10) < 1e-9 } == true)
    }

    @Test func `stop visits become arrivals and trip updates`() throws {
        let delivery = try read("stops.xml")
        #expect(delivery.arrivals.count == 2)
        #expect(delivery.faultCount == 1)
        let arrival = try #require(delivery.arrivals.first)
        #expect(arrival.stop == "650")
        #expect(arrival.label == "3T")
        #expect(arrival.destination == "Katajanokka")
        #expect(arrival.delay == .seconds(120))
        #expect(arrival.direction == 0)
        #expect(!arrival.isCancelled)
        #expect(delivery.arrivals.last?.isCancelled == true)
        #expect(delivery.arrivals.last?.label == "1009")
        #expect(delivery.updates.map(\.trip.trip) == ["t1", "t2"])
        #expect(delivery.updates.first?.stops.first?.arrival == arrival.expected.map { .at($0) })
        #expect(delivery.updates.last?.stops.map(\.change) == [.skipped])
    }

    @Test func `situations become alerts, in a SOAP response as well`() throws {
        let delivery = try read("situations.xml")
        #expect(delivery.disruptions.map(\.id) == ["S-1"])
        #expect(delivery.faultCount == 1)
        let notice = try #require(delivery.disruptions.first)
        #expect(notice.targets.map(\.line) == ["1009", nil, "1004"] && notice.targets[1].stop == "650")
        #expect(notice.targets[2].trip?.trip == "t4")
        #expect(notice.effect == .detour)
        #expect(notice.severity == .severe)
        #expect(notice.cause == "roadworks")
        #expect(Disruption.text(notice.title, in: ["fi"]) == "Linja 9 poikkeusreitillä")
        #expect(notice.periods.count == 2)
        #expect(notice.url[""] == "https://example.org/9")
    }

    @Test func `an error reported by the server is thrown`() throws {
        do {
            _ = try read("error.xml")
            Issue.record("it was read")
        } catch let error as FeedError { #expect(error.code == .reported && error.reason == "no such requestor") }
    }

    @Test(arguments: [
        "", "<a/>", "{}", "[]", "<Siri", #"{"Siri":"#, "<Siri><ServiceDelivery>&x;</ServiceDelivery></Siri>",
    ])
    func `an invalid delivery is an error`(text: String) {
        #expect(throws: FeedError.self) { try reader.delivery(Array(text.utf8), now: time(0)) }
    }

    @Test func `limits are enforced`() throws {
        var reader = reader
        reader.byteLimit = 1000
        for name in ["vehicles.xml", "vehicles.json"] {
            do {
                _ = try reader.delivery(Fixture.bytes("siri/\(name)"), now: time(0))
                Issue.record("it was read")
            } catch let error as FeedError { #expect(error.code == .limitExceeded) }
        }
    }

    @Test(arguments: ["vehicles.xml", "vehicles.json", "stops.xml", "situations.xml"])
    func `truncated deliveries are errors`(name: String) throws {
        let bytes = try Fixture.bytes("siri/\(name)")
        for count in stride(from: 0, to: bytes.count - 10, by: 7) {
            #expect(throws: FeedError.self) { try reader.delivery(Array(bytes.prefix(count)), now: time(0)) }
        }
    }
}

@Suite struct SIRIFeedTests {
    @Test func `a source reports vehicles, trips and alerts`() throws {
        var poll = SIRIPollReader(reader: SIRIReader(), count: 1)
        var kinds: [String] = []
        for name in ["vehicles.xml", "stops.xml", "situations.xml"] {
            for event in try poll.events(of: Fixture.bytes("siri/\(name)"), from: 0, now: time(0)) {
                switch event {
                case .snapshot(let reports, _): kinds.append("all \(reports.count)")
                case .gone(let ids, _): kinds.append("gone \(ids.count)")
                case .trips(let trips, _): kinds.append("trips \(trips.count)")
                case .disruptions(let notices): kinds.append("notices \(notices.count)")
                case .losses(let losses): kinds.append("losses \(losses.count)")
                default: kinds.append("?")
                }
            }
        }
        #expect(kinds == ["all 2", "gone 1", "losses 1", "trips 2", "losses 1", "notices 1", "losses 1"])
    }

    @Test func `a POST request is valid XML, whatever the names in it`() async throws {
        let question = SIRIFeed.Request.vehicles(requestor: "a<&>b", line: "9\"", time: time(0))
        let text = String(decoding: question.bytes, as: UTF8.self)
        #expect(text.contains("<RequestorRef>a&lt;&amp;&gt;b</RequestorRef>"))
        #expect(text.contains("<LineRef>9&quot;</LineRef>"))
        #expect(text.contains("1970-01-01T00:00:00Z"))
        let clock = TestClock(), body = try Fixture.bytes("siri/vehicles.json")
        let transport = StubTransport { HTTPResponse(status: 200, body: body, url: $0.url) }
        let feed = SIRIFeed(
            ["http://a.example/siri"], body: question, fetcher: Fetcher(transport: transport, clock: .test(clock)),
            clock: .test(clock))
        for await event in feed.events(for: AsyncStream { $0.finish() }) where event == .state(.live) { break }
        #expect(transport.requests.first?.body == question)
    }
}
