import Foundation
import TestHelpers
import Testing

@testable import PortolanRealtime
@testable import PortolanTransit

/// Trips beside the timetable, from a message that the published bindings wrote: on boards and in journeys.
@Suite struct AddedTripTests {
    /// Eight o'clock of Helsinki, when the first trip of the day leaves.
    static let eight = Date(timeIntervalSince1970: 1_795_413_600)
    static func minutes(_ count: Double) -> Date { eight.addingTimeInterval(count * 60) }

    static func timetable() throws -> Timetable {
        try TransitFeed(files: SampleFeed.files.mapValues { Array($0.utf8) }).timetable
    }

    static func updates() throws -> [TripUpdate] {
        try RealtimeMessage(bytes: Fixture.bytes("gtfs-realtime/added-trips.pb")).updates
    }

    @Test func `added trips are listed on boards and marked as added`() throws {
        let board = StopBoard(try Self.timetable()).applying(try Self.updates(), now: Self.eight)
        let calls = board.departures(from: 1, after: Self.eight, within: 5400)
        #expect(calls.map(\.tripID) == ["extra-2", "t1", "extra-1", "t1-copy", "t2"])
        #expect(calls.map(\.isAdded) == [true, false, true, true, false])
        #expect(calls.map(\.scheduled) == [5, 11, 39, 56, 71].map { Self.minutes($0) })
        // A copy that is two minutes late at this stop leaves two minutes later.
        #expect(calls.map(\.expected) == [Self.minutes(5), nil, Self.minutes(39), Self.minutes(58), nil])
        #expect(calls.map(\.headsign) == ["Sörnäinen", "Hakaniemi", "Hakaniemi", "Hakaniemi", "Hakaniemi"])
        #expect(Set(calls.map(\.line)) == [0])
        // Nothing leaves where a trip ends, nor comes where it begins.
        #expect(board.departures(from: 3, after: Self.eight, within: 5400).isEmpty)
        #expect(board.arrivals(at: 3, after: Self.eight, within: 5400).map(\.tripID) == ["extra-2"])
        #expect(board.arrivals(at: 1, after: Self.eight, within: 1200).map(\.tripID) == ["t1"])
    }

    @Test func `updates with unknown lines or stops, or times that go back, are unmatched`() throws {
        let board = StopBoard(try Self.timetable()).applying(try Self.updates(), now: Self.eight)
        #expect(board.unmatchedUpdates.map(\.trip.trip) == ["other-line", "backwards", "nowhere"])
    }

    @Test(arguments: [
        (1, 3, 0.0, "extra-2", 5.0, 12.0), (0, 2, 20, "extra-1", 30, 48), (0, 2, 35, "t1-copy", 45, 67),
        (0, 1, 20, "extra-1", 30, 38),
    ])
    func `journeys use added trips, forward and backward in time`(
        from: Int, to: Int, start: Double, trip: String, leaves: Double, comes: Double
    ) throws {
        let planner = JourneyPlanner(try Self.timetable(), walking: Walking(reach: 0, changeReach: 0))
            .applying(try Self.updates(), now: Self.eight)
        for time in [JourneyPlanner.Query.Time.departing(Self.minutes(start)), .arriving(Self.minutes(comes))] {
            let query = JourneyPlanner.Query(from: .stop(from), to: .stop(to), time: time)
            let journey = try #require(try planner.journeys(query).first)
            let ride = try #require(journey.rides.first)
            #expect(journey.rides.count == 1)
            #expect(ride.tripID == trip)
            #expect(ride.isAdded)
            #expect(journey.departure == Self.minutes(leaves))
            #expect(journey.arrival == Self.minutes(comes))
            #expect(ride.board == from)
            #expect(ride.alight == to)
            // It has no shape: straight lines between its stops.
            #expect(planner.timetable.path(of: ride).count == ride.calls.count)
        }
    }

    @Test func `journeys transfer between scheduled and added trips`() throws {
        let planner = JourneyPlanner(try Self.timetable(), walking: Walking(reach: 0, changeReach: 0))
        var extra = TripUpdate(trip: TripReference(trip: "late", line: "r9"), change: .added)
        extra.stops = [
            .init(stop: "s2", departure: .at(Self.minutes(20))), .init(stop: "s4", arrival: .at(Self.minutes(30))),
        ]
        let query = JourneyPlanner.Query(from: .stop(0), to: .stop(3), time: .departing(Self.eight))
        #expect(try planner.journeys(query).isEmpty)
        let journey = try planner.applying([extra], now: Self.eight).journeys(query).first
        #expect(journey?.rides.map(\.tripID) == ["t1", "late"])
        #expect(journey?.rides.map(\.isAdded) == [false, true])
        // Told again it holds once, and it may be taken back.
        let again = try planner.applying([extra, extra], now: Self.eight).journeys(query)
        #expect(again.first == journey)
        var back = extra
        back.change = .canceled
        let taken = planner.applying([extra, back], now: Self.eight)
        #expect(try taken.journeys(query).isEmpty && taken.unmatchedUpdates.isEmpty)
    }

    @Test func `the number of added trips is limited`() throws {
        let trips = (0...AddedTrips.mostTrips).map { number in
            var update = TripUpdate(trip: TripReference(trip: "x\(number)", line: "r9"), change: .added)
            update.stops = [.init(stop: "s1", departure: .at(Self.eight))]
            return update
        }
        let board = StopBoard(try Self.timetable()).applying(trips, now: Self.eight)
        #expect(board.unmatchedUpdates == [trips[AddedTrips.mostTrips]])
        var long = trips[0]
        long.stops = Array(repeating: long.stops[0], count: AddedTrips.mostCalls + 1)
        #expect(StopBoard(try Self.timetable()).applying([long], now: Self.eight).unmatchedUpdates == [long])
    }

    @Test func `added trips and copies survive writing and reading`() throws {
        let updates = try Self.updates()
        #expect(updates.map(\.copyOf) == [nil, nil, "t1", nil, nil, nil])
        let message = RealtimeMessage(vehicles: [], trips: updates, disruptions: [], time: Self.eight)
        #expect(try RealtimeMessage(bytes: message.bytes).updates == updates)
        let record = ReplayFeed.Record(time: Self.eight, event: .trips(updates, time: Self.eight))
        #expect(try ReplayFeed.Record(line: record.line) == record)
    }
}
