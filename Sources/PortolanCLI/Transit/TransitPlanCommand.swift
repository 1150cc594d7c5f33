import ArgumentParser
import Foundation
import PortolanGeo
import PortolanTransit
import PortolanWeb

/// `portolan transit plan`.
struct TransitPlanCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan", abstract: "Finds journeys in a timetable.",
        discussion: """
            A PLACE is LON,LAT in degrees, or a stop: its identifier, or the name of a stop, a station, or stops close together, such \
            as both sides of a street. Times are in the feed's time zone.

            EXAMPLES
              portolan transit plan kuopio.zip 27.6783,62.8925 27.6409,62.8965 \\
                --at 2016-11-16T08:00
              portolan transit plan kuopio.zip 207671 207100 --at 2016-11-16T08:00 --arrive
              portolan transit plan kuopio.zip Tori Neulamäki --at 2016-11-16T08:00 \\
                --span 60 --json
            """)

    @OptionGroup var feed: FeedOptions
    @Argument(help: "The start of the journey.") var from: String
    @Argument(help: "The end of the journey.") var to: String

    @Option(help: "Depart at this time, as 2026-11-23T08:00 or 08:00 (default: now).")
    var at: String?

    @Flag(help: "Arrive at the time of --at.")
    var arrive = false

    @Option(help: "List all departures within N minutes, 1 to 1440, not just the next ones.")
    var span: Int?

    @Option(help: "Allow at most N transfers, 0 to 15.")
    var transfers = 4

    @Option(help: "Walk at most N metres to a stop and between stops, 0 to 5000.")
    var walk = 600.0

    @Option(help: "Prefer arrival (earliest) or moving (least walking and riding).")
    var rank: Rank = .arrival

    enum Rank: String, ExpressibleByArgument { case arrival, moving }

    var limits: LimitOptions { feed.network.limits }

    func validate() throws {
        if let span, !(1...1440).contains(span) { throw ValidationError("--span \(span): must be between 1 and 1440") }
        guard (0...15).contains(transfers) else { throw ValidationError("--transfers must be between 0 and 15") }
        guard (0...5000).contains(walk) else { throw ValidationError("--walk must be between 0 and 5000") }
        if arrive, span != nil { throw ValidationError("--span and --arrive cannot be combined") }
    }

    func run() async throws {
        let (timetable, lost) = try await feed.timetable()
        let clock = TransitTime(timetable), time = try clock.date(at)
        let (from, to) = (try StopText(self.from).place(in: timetable), try StopText(self.to).place(in: timetable))
        let journeys: [Journey]
        do throws(JourneyPlanner.QueryError) {
            var walking = Walking()
            walking.reach = walk
            let planner = JourneyPlanner(timetable, walking: walking)
            let query = JourneyPlanner.Query(
                from: from, to: to, time: arrive ? .arriving(time) : .departing(time), maximumTransfers: transfers)
            if let span {
                journeys = try planner.profile(query, seconds: span * 60)
            } else {
                journeys = try planner.journeys(query)
            }
        } catch { throw CommandFailure(error) }
        let document = JourneysDocument(
            span == nil || rank == .moving ? journeys.ranked(by: rank == .arrival ? .arrival : .moving) : journeys,
            timetable, clock, at: time)
        guard !journeys.isEmpty else {
            try feed.print(document, or: document.text)
            throw CommandFailure(
                .badData,
                "no journey found within a day" + (clock.uncovered(time, by: timetable).map { ": \($0)" } ?? ""))
        }
        try feed.print(document, or: document.text, lost: lost)
    }
}

extension CommandFailure {
    /// A failure to find journeys.
    init(_ error: JourneyPlanner.QueryError) {
        let status: ExitStatus =
            switch error {
            case .nowhere, .impossibleTime: .usage
            case .noSuchStop: .noInput
            case .noStopNear: .badData
            }
        self.init(status, error.description)
    }
}

/// Journeys, as printed.
struct JourneysDocument: Encodable {
    struct Stop: Encodable {
        var name: String?
        var id: String?
        var coordinate: [Double]?
    }

    struct Leg: Encodable {
        /// `walk`, or the mode of the vehicle.
        var mode: String
        var line, lineID, headsign, trip, color: String?
        var from, to: Stop
        /// ISO 8601, with the offset of the feed's time zone.
        var departure, arrival: String
        var seconds: Int
        var meters: Double?
        var stops: Int?
        var staysSeated: Bool?
        /// Whether the trip is added, not in the timetable.
        var isAdded: Bool?
        /// The minimum transfer time to it in seconds, if the feed has one.
        var minimumTransferTime: Int?
    }

    struct Item: Encodable {
        var departure, arrival: String
        var seconds, transfers: Int
        var walkMeters: Double
        var legs: [Leg]
        var summary: String
    }

    var journeys: [Item]
    /// The journeys as text.
    let text: String

    private enum CodingKeys: String, CodingKey { case journeys }

    /// Seconds as text: "3 min", "45 s".
    private static func length(_ seconds: Int) -> String {
        seconds % 60 == 0 && seconds > 0 ? "\(seconds / 60) min" : "\(seconds) s"
    }

    init(_ journeys: [Journey], _ timetable: Timetable, _ clock: TransitTime, at time: Date) {
        func stop(_ index: Int) -> Stop {
            let stop = timetable.stops[index]
            return Stop(name: stop.name, id: stop.id, coordinate: stop.place.map { [$0.x, $0.y] })
        }
        func place(_ place: Journey.Location) -> Stop {
            switch place {
            case .stop(let index): stop(index)
            case .stops(let several): several.first.map(stop) ?? Stop()
            case .place(let place): Stop(coordinate: [place.x, place.y])
            }
        }
        var text = ""
        self.journeys = journeys.map { journey in
            let legs = journey.legs.map { leg in
                switch leg {
                case .walk(let walk):
                    return Leg(
                        mode: "walk", from: place(walk.from), to: place(walk.to), departure: clock.text(walk.departure),
                        arrival: clock.text(walk.arrival), seconds: walk.seconds, meters: walk.meters.rounded())
                case .ride(let ride):
                    let line = timetable.lines[ride.line]
                    return Leg(
                        mode: line.mode.rawValue, line: line.badge, lineID: line.id, headsign: ride.headsign,
                        trip: ride.tripID, color: line.color.map { hexadecimal($0) }, from: stop(ride.board),
                        to: stop(ride.alight), departure: clock.text(ride.departure),
                        arrival: clock.text(ride.arrival),
                        seconds: Int(ride.arrival.timeIntervalSince(ride.departure)), stops: ride.stopCount,
                        staysSeated: ride.staysSeated ? true : nil, isAdded: ride.isAdded ? true : nil,
                        minimumTransferTime: ride.minimumTransferTime)
                }
            }
            let summary = RideGuide.Words.english.text(RideGuide.Suggestion(journey, in: timetable))
            let seconds = Int(journey.arrival.timeIntervalSince(journey.departure))
            text +=
                "\(clock.clock(journey.departure, otherThan: time)) → \(clock.clock(journey.arrival, otherThan: time))"
            text += "  \((seconds + 30) / 60) min, "
            text += PhraseText.counted(journey.transfers, "change|changes")
            text += "  \(PlainText.oneLine(summary))\n"
            for (leg, item) in zip(journey.legs, legs) {
                switch leg {
                case .walk(let walk):
                    text += "    \(clock.clock(walk.departure))  walk \(Int(walk.meters.rounded())) m"
                    text += item.to.name.map { " to \(PlainText.oneLine($0))" } ?? ""
                    text += "\n"
                case .ride(let ride):
                    text += "    \(clock.clock(ride.departure))  \(item.line ?? "") "
                    text += ride.headsign.isEmpty ? "" : "(\(PlainText.oneLine(ride.headsign))) "
                    text +=
                        "from \(PlainText.oneLine(item.from.name ?? "")) to \(PlainText.oneLine(item.to.name ?? ""))"
                    text += ", \(ride.stopCount) stops, \(clock.clock(ride.arrival))"
                    text += ride.isAdded ? "; added" : ""
                    text += ride.staysSeated ? "; stay on board" : ""
                    text += ride.minimumTransferTime.map { "; minimum transfer time \(Self.length($0))" } ?? ""
                    text += "\n"
                }
            }
            text += "\n"
            return Item(
                departure: clock.text(journey.departure), arrival: clock.text(journey.arrival), seconds: seconds,
                transfers: journey.transfers, walkMeters: journey.walkMeters.rounded(), legs: legs, summary: summary)
        }
        while text.hasSuffix("\n\n") { text.removeLast() }
        self.text = text
    }
}

/// A colour as `#RRGGBB`.
func hexadecimal(_ color: UInt32) -> String {
    let digits = String(color, radix: 16, uppercase: true)
    return "#" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
}
