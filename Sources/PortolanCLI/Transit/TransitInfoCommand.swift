import ArgumentParser
import PortolanGeo
import PortolanTransit

/// `portolan transit info`.
struct TransitInfoCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Shows the contents of a timetable: stops, lines, trips and dates.",
        discussion: """
            EXAMPLES
              portolan transit info kuopio.zip
              portolan transit info https://example.org/gtfs.zip --json
            """)

    @OptionGroup var feed: FeedOptions

    var limits: LimitOptions { feed.network.limits }

    func run() async throws {
        let feed = try await feed.read()
        let document = TransitInfoDocument(feed)
        try self.feed.print(document, or: document.text, lost: feed.problems.lossCount)
    }
}

/// The contents of a timetable, as printed.
struct TransitInfoDocument: Encodable {
    struct Line: Encodable {
        var id, name, longName, mode: String
        var color: String?
    }

    var publisher, version: String?
    var agencies: [String]
    var timeZones: [String]
    var stops, routes, trips, stopTimes, services: Int
    /// The first and last date of the calendars.
    var from, to: String?
    /// Longitudes and latitudes: west, south, east, north.
    var bbox: [Double]?
    /// The number of rows, values and trips that were left out or are doubtful.
    var problems: Int
    var lines: [Line]

    init(_ feed: TransitFeed) {
        let timetable = feed.timetable
        publisher = timetable.feed.publisher.isEmpty ? nil : timetable.feed.publisher
        version = timetable.feed.version.isEmpty ? nil : timetable.feed.version
        agencies = timetable.agencies.map(\.name)
        timeZones = Array(Set(timetable.agencies.map(\.timeZone))).sorted()
        stops = timetable.stops.count
        routes = timetable.lines.count
        trips = feed.rowCounts["trips.txt"] ?? timetable.tripCount
        stopTimes = feed.rowCounts["stop_times.txt"] ?? timetable.stopTimeCount
        services = timetable.calendar.serviceCount
        from = timetable.calendar.days?.lowerBound.description
        to = timetable.calendar.days?.upperBound.description
        let places = timetable.stops.compactMap(\.place)
        if let west = places.map(\.x).min(), let south = places.map(\.y).min(), let east = places.map(\.x).max(),
            let north = places.map(\.y).max()
        {
            bbox = [west, south, east, north]
        }
        problems = feed.problems.count
        lines = timetable.lines.map { line in
            Line(
                id: line.id, name: line.badge, longName: line.longName, mode: line.mode.rawValue,
                color: line.color.map(hexadecimal))
        }
    }

    var text: String {
        var rows = [["", ""]]
        rows.append(["agency", agencies.joined(separator: ", ")])
        if let publisher { rows.append(["publisher", publisher + (version.map { ", \($0)" } ?? "")]) }
        rows.append(["days", [from, to].compactMap(\.self).joined(separator: " to ")])
        rows.append(["time zone", timeZones.joined(separator: ", ")])
        rows += [("stops", stops), ("lines", routes), ("trips", trips), ("times", stopTimes), ("services", services)]
            .map { [$0.0, String($0.1)] }
        if problems > 0 { rows.append(["problems", "\(problems); see portolan transit validate"]) }
        let table = TextTable.text(rows, hasWholeEnd: true).drop { $0 == "\n" }
        let lines = TextTable.text(
            [["LINE", "NAME", "KIND", "ID"]] + lines.map { [$0.name, $0.longName, $0.mode, $0.id] })
        return table + "\n" + lines
    }
}
