import ArgumentParser
import Portolan
import PortolanGeo
import PortolanTransit

/// `portolan transit stops`.
struct TransitStopsCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "stops", abstract: "Lists stops near a coordinate, in a box, or by name.",
        discussion: """
            Without --near, --bbox and a text, lists all stops.

            EXAMPLES
              portolan transit stops kuopio.zip --near 27.6783,62.8925
              portolan transit stops kuopio.zip --bbox 27.65,62.88,27.70,62.90
              portolan transit stops kuopio.zip neulamaki --json
            """)

    @OptionGroup var feed: FeedOptions

    @Argument(help: "A text in the names of stops, as --search.")
    var text: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("List stops near LON,LAT in degrees.", valueName: "place"))
    var near: String?

    @Option(help: "List stops within N metres, 1 to 30000.")
    var within = 500.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("List stops in this box, in degrees: WEST,SOUTH,EAST,NORTH.", valueName: "box"))
    var bbox: String?

    @Option(
        help: ArgumentHelp("List stops with this text in their name; case and accents are ignored.", valueName: "text"))
    var search: String?

    @Option(help: "List at most N stops.")
    var limit = 50

    var limits: LimitOptions { feed.network.limits }

    func validate() throws {
        guard (1...30_000).contains(within) else { throw ValidationError("--within must be between 1 and 30000") }
        guard text == nil || search == nil else { throw ValidationError("--search: the text is given twice") }
        guard limit > 0 else { throw ValidationError("--limit \(limit): must be more than 0") }
    }

    func run() async throws {
        let place = try near.map { text throws(CommandFailure) in
            guard let place = StopText(text).coordinate, abs(place.x) <= 180, abs(place.y) <= 90 else {
                throw CommandFailure(.usage, "--near \(text): not a valid coordinate; expected LON,LAT in degrees")
            }
            return place
        }
        let box = try bbox.map { text throws(CommandFailure) in
            let form = "WEST,SOUTH,EAST,NORTH in degrees"
            let sides = try ViewRequest.numbers(text, count: 4, option: "--bbox", form: form)
            guard let box = Extent(minX: sides[0], minY: sides[1], maxX: sides[2], maxY: sides[3]) else {
                throw CommandFailure(.usage, "--bbox \(text): empty, or in the wrong order; expected \(form)")
            }
            return box
        }
        let (timetable, lost) = try await feed.timetable()
        let board = StopBoard(timetable)
        var found: [(stop: Int, meters: Double?)]
        if let place {
            found = board.stops(near: place, within: within).map { ($0.stop, $0.meters) }
        } else {
            found = timetable.stops.indices.filter { timetable.stops[$0].kind == .stop }.map { ($0, nil) }
        }
        if let search = search ?? text {
            let wanted = TransitSearch(timetable).matches(search, limit: timetable.stops.count).compactMap { match in
                if case .stop(let index) = match { index } else { nil as Int? }
            }
            if place == nil {
                found = wanted.map { ($0, nil) }
            } else {
                let known = Set(wanted.flatMap { board.boardable($0) + [$0] })
                found = found.filter { known.contains($0.stop) }
            }
        }
        if let box { found = found.filter { timetable.stops[$0.stop].place.map(box.contains) ?? false } }
        let document = StopsDocument(found.prefix(limit).map { $0 }, board)
        guard !found.isEmpty else {
            try feed.print(document, or: document.text)
            throw CommandFailure(.noInput, "no stop found")
        }
        feed.tell(limit, of: "\(found.count) stops", isCut: found.count > limit)
        try feed.print(document, or: document.text, lost: lost)
    }
}

/// Stops, as printed.
struct StopsDocument: Encodable {
    struct Stop: Encodable {
        var id, name: String
        var code, platform, zone: String?
        var coordinate: [Double]?
        /// The distance from the requested coordinate.
        var meters: Double?
        /// The names of the lines at the stop.
        var lines: [String]
        var wheelchair: Bool?
    }

    var stops: [Stop]

    init(_ found: [(stop: Int, meters: Double?)], _ board: StopBoard) {
        func some(_ text: String) -> String? { text.isEmpty ? nil : text }
        stops = found.map { index, meters in
            let stop = board.timetable.stops[index]
            var lines: [String] = []
            for line in board.lines(atStop: index).map({ board.timetable.lines[$0].badge }) where !lines.contains(line)
            {
                lines.append(line)
            }
            return Stop(
                id: stop.id, name: stop.name, code: some(stop.code), platform: some(stop.platform),
                zone: some(stop.zone), coordinate: stop.place.map { [$0.x, $0.y] }, meters: meters?.rounded(),
                lines: lines, wheelchair: stop.wheelchair == .unknown ? nil : stop.wheelchair == .possible)
        }
    }

    /// The stops as text.
    var text: String {
        TextTable.text(
            [["ID", "NAME", "CODE", "PLATFORM", "DISTANCE", "LINES"]]
                + stops.map { stop in
                    [
                        stop.id, stop.name, stop.code ?? "", stop.platform ?? "",
                        stop.meters.map { "\(Int($0)) m" } ?? "", stop.lines.joined(separator: " "),
                    ]
                }, hasWholeEnd: true)
    }
}
