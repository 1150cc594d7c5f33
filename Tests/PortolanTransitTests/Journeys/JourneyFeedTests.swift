import Foundation
import PortolanGeo
import Testing

@testable import PortolanTransit

/// Journeys through feeds.
@Suite struct JourneyFeedTests {
    struct Query: Sendable {
        var from: String, to: String, at: Int, arrival: Int, rides: Int
    }

    static let planner: Result<JourneyPlanner, any Error> = Result {
        try JourneyPlanner(TransitFeed(at: FeedSample.fixture).timetable, walking: Walking(reach: 0, changeReach: 0))
    }

    func stop(_ id: String, _ timetable: Timetable) throws -> Int {
        try #require(timetable.stops.firstIndex { $0.id == id })
    }

    /// Found by cafein 0.29.0 on 2026-11-24 without ways on foot, four rides at most.
    @Test(arguments: [
        Query(from: "314026795", to: "314016320", at: 18443, arrival: 21592, rides: 3),
        Query(from: "1514631234", to: "313981048", at: 41084, arrival: 41837, rides: 2),
        Query(from: "315151659", to: "314026796", at: 19189, arrival: 20258, rides: 1),
        Query(from: "314026795", to: "314039820", at: 28249, arrival: 28961, rides: 2),
        Query(from: "315151660", to: "304966041", at: 35403, arrival: 35828, rides: 2),
        Query(from: "314048973", to: "313981048", at: 54811, arrival: 55637, rides: 2),
        Query(from: "314069970", to: "319786923", at: 41690, arrival: 41777, rides: 1),
        Query(from: "395244182", to: "315151659", at: 71133, arrival: 71802, rides: 2),
        Query(from: "313981049", to: "25502085", at: 38548, arrival: 39329, rides: 2),
        Query(from: "177934965", to: "319786923", at: 33489, arrival: 34165, rides: 1),
    ])
    func `journeys in a synthetic feed of Helsinki equal those of another planner`(query: Query) throws {
        let planner = try Self.planner.get(), timetable = planner.timetable
        let midnight = try Date("2026-11-23T22:00:00Z", strategy: .iso8601)
        let journeys = try planner.journeys(
            JourneyPlanner.Query(
                from: .stop(stop(query.from, timetable)), to: .stop(stop(query.to, timetable)),
                time: .departing(midnight.addingTimeInterval(Double(query.at))), maximumTransfers: 3))
        #expect(journeys.map { Int($0.arrival.timeIntervalSince(midnight)) } == [query.arrival])
        #expect(journeys.map(\.rides.count) == [query.rides])
        for ride in journeys.flatMap(\.rides) {
            // The path is a part of the shape from one stop to the other, with a bend where the shape has one.
            let path = timetable.path(of: ride)
            let board = try #require(timetable.stops[ride.board].place),
                alight = try #require(timetable.stops[ride.alight].place)
            let first = try #require(path.first), last = try #require(path.last)
            #expect(NearMeters.between(first, board) < 60)
            #expect(NearMeters.between(last, alight) < 60)
            let length = zip(path, path.dropFirst()).reduce(0) { $0 + NearMeters.between($1.0, $1.1) }
            #expect(length > 0.9 * NearMeters.between(board, alight) - 120)
            #expect(length < 5000)
        }
    }

    /// Read off the feed by hand: AB1 and BFC1 are one block, AB2 and BFC2 another, shuttles leave each half hour.
    @Test(
        .enabled(if: FeedSample.has("sample-feed-1.zip")),
        arguments: [
            (
                "BEATTY_AIRPORT", "FUR_CREEK_RES", "2007-06-05T14:00:00Z", ["AB1", "BFC1"], "2007-06-05T15:00:00Z",
                "2007-06-05T16:20:00Z", 0
            ),
            (
                "STAGECOACH", "FUR_CREEK_RES", "2007-06-05T14:00:00Z", ["STBA", "AB1", "BFC1"], "2007-06-05T14:30:00Z",
                "2007-06-05T16:20:00Z", 1
            ),
            (
                "FUR_CREEK_RES", "BEATTY_AIRPORT", "2007-06-05T14:00:00Z", ["BFC2", "AB2"], "2007-06-05T18:00:00Z",
                "2007-06-05T19:15:00Z", 0
            ),
            (
                "STAGECOACH", "AMV", "2007-06-09T14:00:00Z", ["STBA", "AAMV1"], "2007-06-09T14:30:00Z",
                "2007-06-09T16:00:00Z", 1
            ),
        ])
    func `journeys in the sample feed equal those found by hand`(
        from: String, to: String, at: String, trips: [String], departure: String, arrival: String, transfers: Int
    ) throws {
        let timetable = try TransitFeed(at: FeedSample.folder + "/sample-feed-1.zip").timetable
        let planner = JourneyPlanner(timetable, walking: Walking(reach: 0, changeReach: 0))
        let date = try Date(at, strategy: .iso8601)
        let query = JourneyPlanner.Query(
            from: .stop(try stop(from, timetable)), to: .stop(try stop(to, timetable)), time: .departing(date))
        let journey = try #require(try planner.journeys(query).first)
        #expect(journey.rides.map(\.tripID) == trips)
        #expect(journey.departure == (try Date(departure, strategy: .iso8601)))
        #expect(journey.arrival == (try Date(arrival, strategy: .iso8601)))
        #expect(journey.transfers == transfers)
        // Asked for backwards it is the same.
        var back = query
        back.time = .arriving(journey.arrival.addingTimeInterval(120))
        let latest = try #require(try planner.journeys(back).first { $0.transfers == transfers })
        #expect(latest.departure == journey.departure)
        #expect(latest.arrival == journey.arrival)
    }

    @Test(.enabled(if: FeedSample.has("sample-feed-1.zip")))
    func `no journey is found on a day without service`() throws {
        let timetable = try TransitFeed(at: FeedSample.folder + "/sample-feed-1.zip").timetable
        let planner = JourneyPlanner(timetable, walking: Walking(reach: 0, changeReach: 0))
        let query = JourneyPlanner.Query(
            from: .stop(try stop("BEATTY_AIRPORT", timetable)), to: .stop(try stop("FUR_CREEK_RES", timetable)),
            time: .departing(try Date("2007-06-04T14:00:00Z", strategy: .iso8601)))
        #expect(try planner.journeys(query).isEmpty)
    }
}
