import ArgumentParser
import Foundation
import PortolanTransit

/// `portolan transit departures`.
struct TransitDeparturesCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "departures", abstract: "Lists departures from a stop, or arrivals.",
        discussion: """
            A STOP is an identifier, a code or a name. A name may match one stop or station, or stops close together, such as both \
            sides of a street.
            Times are in the stop's time zone.

            EXAMPLES
              portolan transit departures kuopio.zip 207671 --at 2016-11-16T08:00
              portolan transit departures kuopio.zip 207671 --arrivals --minutes 30 --json
            """)

    @OptionGroup var feed: FeedOptions
    @Argument(help: "The stop.") var stop: String

    @Option(help: "Start at this time, as 2026-11-23T08:00 or 08:00 (default: now).")
    var at: String?

    @Option(help: "List N minutes, 1 to 10080.")
    var minutes = 120

    @Option(help: "List at most N entries.")
    var limit = 30

    @Flag(help: "List arrivals, not departures.")
    var arrivals = false

    var limits: LimitOptions { feed.network.limits }

    func validate() throws {
        guard (1...10_080).contains(minutes) else { throw ValidationError("--minutes must be between 1 and 10080") }
        guard limit > 0 else { throw ValidationError("--limit \(limit): must be more than 0") }
    }

    func run() async throws {
        let (timetable, lost) = try await feed.timetable()
        let clock = TransitTime(timetable), time = try clock.date(at)
        let stops = try StopText(stop).stops(in: timetable), board = StopBoard(timetable)
        let most = limit < .max ? limit + 1 : limit
        let all = stops.flatMap { stop in
            arrivals
                ? board.arrivals(at: stop, after: time, within: minutes * 60, limit: most)
                : board.departures(from: stop, after: time, within: minutes * 60, limit: most)
        }
        // The departures of one stop are already in order.
        let found =
            stops.count == 1
            ? all
            : all.enumerated().sorted {
                ($0.element.expected ?? $0.element.scheduled, $0.offset)
                    < ($1.element.expected ?? $1.element.scheduled, $1.offset)
            }.map(\.element)
        let document = BoardDocument(
            Array(found.prefix(limit)), at: stops, timetable, clock, time: time, isArrival: arrivals)
        feed.tell(limit, of: "more", isCut: found.count > limit)
        try feed.print(document, or: document.text, lost: lost)
    }
}

/// A board, as printed.
struct BoardDocument: Encodable {
    struct Call: Encodable {
        var line, lineID, mode, headsign, trip: String
        /// ISO 8601, with the offset of the time zone.
        var scheduled: String
        var expected: String?
        /// Seconds.
        var delay: Int?
        var stop: String
        var platform: String?
        /// `stops`, `skipped` or `canceled`.
        var state: String
        /// Seconds between the trips of a frequency-based service.
        var headway: Int?
        var isOnRequest: Bool?
        /// Whether the trip is added, not in the timetable.
        var isAdded: Bool?
    }

    var stop, name: String
    /// All stops of the board, if it has several.
    var stops: [String]?
    var departures, arrivals: [Call]?
    /// The board as text.
    let text: String

    private enum CodingKeys: String, CodingKey { case stop, stops, name, departures, arrivals }

    init(
        _ calls: [StopBoard.Call], at stops: [Int], _ timetable: Timetable, _ clock: TransitTime, time: Date,
        isArrival: Bool
    ) {
        let place = timetable.stops[stops[0]], ids = stops.map { timetable.stops[$0].id }
        self.stop = place.id
        self.stops = ids.count > 1 ? ids : nil
        name = place.name
        let documents = calls.map { call in
            let line = timetable.lines[call.line]
            let state =
                switch call.state {
                case .stops: "stops"
                case .skipped: "skipped"
                case .canceled: "canceled"
                }
            return Call(
                line: line.badge, lineID: line.id, mode: line.mode.rawValue, headsign: call.headsign, trip: call.tripID,
                scheduled: clock.text(call.scheduled), expected: call.expected.map(clock.text), delay: call.delay,
                stop: timetable.stops[call.stop].id, platform: call.platform.isEmpty ? nil : call.platform,
                state: state, headway: call.headway, isOnRequest: call.isOnRequest ? true : nil,
                isAdded: call.isAdded ? true : nil)
        }
        if isArrival { arrivals = documents } else { departures = documents }
        let rows = zip(calls, documents).map { call, document in
            [
                (call.headway != nil ? "≈ " : "") + clock.clock(call.scheduled, otherThan: time), document.line,
                document.headsign, document.platform ?? "",
                document.state == "stops"
                    ? document.expected == nil ? "" : clock.clock(call.expected ?? time) : document.state,
                call.isOnRequest ? "on request" : call.isAdded ? "added" : "",
            ] + (ids.count > 1 ? [document.stop] : [])
        }
        text =
            PlainText.oneLine("\(place.name) (\(ids.joined(separator: ", ")))") + "\n"
            + (rows.isEmpty
                ? "no \(isArrival ? "arrivals" : "departures") in this period"
                    + (clock.uncovered(time, by: timetable).map { ": \($0)" } ?? "") + "\n"
                : TextTable.text(
                    [["TIME", "LINE", "HEADSIGN", "PLATFORM", "EXPECTED", ""] + (ids.count > 1 ? ["STOP"] : [])] + rows))
            + (calls.contains { $0.headway != nil } ? "≈: approximate, frequency-based service\n" : "")
    }
}
