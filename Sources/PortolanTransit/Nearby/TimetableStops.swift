public import Foundation
public import PortolanGeo

/// A stop finder for a local timetable, without network access.
public struct TimetableStops: StopFinder {
    private let board: StopBoard
    private let indices: [String: Int]

    /// The maximum number of stops in a result.
    public static let maximumCount = 1000

    /// Creates a finder.
    ///
    /// - Parameter board: the stop board of a timetable, with live updates if they were applied.
    public init(_ board: StopBoard) {
        self.board = board
        let stops = board.timetable.stops
        indices = Dictionary(stops.indices.map { (stops[$0].id, $0) }) { first, _ in first }
    }

    /// The publisher of the feed, or `timetable`.
    public var name: String {
        let publisher = board.timetable.feed.publisher
        return publisher.isEmpty ? "timetable" : publisher
    }

    /// Returns the boardable stops within a straight distance in metres.
    public func stops(near center: Coordinate, within meters: Double) throws(StopFinderError) -> NearbyStops {
        let meters = try meters.checked(center)
        let near = board.stops(near: center, within: meters)
        let stops = near.prefix(Self.maximumCount).compactMap { found -> NearbyStops.Stop? in
            let known = board.timetable.stops[found.stop]
            guard let place = known.place else { return nil }
            var stop = NearbyStops.Stop(id: known.id, name: known.name, place: place, meters: found.meters)
            stop.code = known.code
            stop.platform = known.platform
            stop.mode = board.lines(atStop: found.stop).first.map { board.timetable.lines[$0].mode }
            return stop
        }
        var answer = NearbyStops(stops, within: meters, distance: .straight, source: name)
        answer.isCut = near.count > Self.maximumCount
        return answer
    }

    /// Returns the next departures at a stop or station within a day.
    public func arrivals(at stop: String, from time: Date, limit: Int) throws(StopFinderError) -> [NearbyStops.Arrival]
    {
        guard let index = indices[stop] else { throw .unknownStop(stop) }
        guard board.timetable.covers(time) else { throw .uncovered(board.timetable.calendar.days) }
        let limit = min(max(0, limit), TransitAnswer.maximumArrivalCount)
        let arrivals = board.departures(from: index, after: time, within: 86_400, limit: limit).map { call in
            let line = board.timetable.lines[call.line]
            var arrival = NearbyStops.Arrival(line: line.badge, scheduled: call.scheduled)
            arrival.headsign = call.headsign
            arrival.mode = line.mode
            arrival.color = line.color
            arrival.estimated = call.expected
            arrival.isCanceled = call.state != .stops
            arrival.trip = call.tripID
            return arrival
        }
        return arrivals.sorted(by: NearbyStops.Arrival.isBefore)
    }
}
