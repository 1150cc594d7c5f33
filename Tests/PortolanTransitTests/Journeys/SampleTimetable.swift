import PortolanGeo
import TestHelpers

@testable import PortolanTransit

/// A timetable as people would write it down, from which the columns are made.
struct SampleTimetable {
    struct Trip {
        var id: String
        var line = 0
        var stops: [Int]
        var arrivals: [Int]
        var departures: [Int]
        var boards: [Bool] = []
        var alights: [Bool] = []
        /// Days after the first one.
        var days: Set<Int> = [0]
        var block: Int?

        init(_ id: String, line: Int = 0, _ calls: [(stop: Int, time: Int)], days: Set<Int> = [0], block: Int? = nil) {
            self.id = id
            self.line = line
            stops = calls.map(\.stop)
            arrivals = calls.map(\.time)
            departures = arrivals
            boards = calls.map { _ in true }
            alights = boards
            self.days = days
            self.block = block
        }
    }

    /// Metres east and north of 25° E, 60° N.
    var stops: [(x: Double, y: Double)]
    var parents: [Int: Int] = [:]
    var trips: [Trip] = []
    var transfers: [Timetable.TransferRule] = []
    var tripLinks: [Timetable.TripLink] = []
    var firstDay = ServiceDay(daysSince1970: 20_000)
    var timeZone = "UTC"

    static func place(_ x: Double, _ y: Double) -> Coordinate {
        let degree = NearMeters(latitude: 60).perDegree
        return Coordinate(x: 25 + x / degree.x, y: 60 + y / degree.y)
    }

    func timetable() -> Timetable {
        var table = Timetable()
        table.agencies = [Timetable.Agency(name: "Sample", timeZone: timeZone)]
        table.stops = stops.enumerated().map { index, at in
            var stop = Timetable.Stop(id: "S\(index)", name: "Stop \(index)", place: Self.place(at.x, at.y))
            stop.parent = parents[index]
            return stop
        }
        for station in Set(parents.values) { table.stops[station].kind = .station }
        table.transfers = transfers
        table.tripLinks = tripLinks
        for line in 0...(trips.map(\.line).max() ?? 0) {
            table.lines.append(Timetable.Line(id: "L\(line)", shortName: "\(line)", mode: .bus))
        }
        let services = Array(Set(trips.map(\.days))).sorted { $0.sorted().lexicographicallyPrecedes($1.sorted()) }
        let dayCount = (services.flatMap { $0 }.max() ?? 0) + 1
        table.calendar.days = firstDay...firstDay.advanced(by: dayCount - 1)
        for (index, days) in services.enumerated() {
            table.calendar.ids.append("service \(index)".utf8)
            var words = Array(repeating: UInt64(0), count: table.calendar.wordCount)
            for day in days { words[day / 64] |= 1 << UInt64(day % 64) }
            table.calendar.bits += words
        }
        // Trips that stop alike, in groups of which none overtakes another.
        var groups: [[Trip]] = []
        for trip in trips.sorted(by: { $0.departures.lexicographicallyPrecedes($1.departures) }) {
            let place = groups.firstIndex { group in
                guard let last = group.last else { return false }
                return last.line == trip.line && last.stops == trip.stops && last.boards == trip.boards
                    && last.alights == trip.alights && zip(last.arrivals, trip.arrivals).allSatisfy { $0 <= $1 }
                    && zip(last.departures, trip.departures).allSatisfy { $0 <= $1 }
            }
            if let place { groups[place].append(trip) } else { groups.append([trip]) }
        }
        for group in groups {
            let first = table.patternStops.count
            table.patternStops += group[0].stops.map { Int32($0) }
            table.patternRules += group[0].stops.indices.map { index in
                var rules: Timetable.StopRules = [.timed]
                if group[0].boards[index] { rules.insert(.boards) }
                if group[0].alights[index] { rules.insert(.alights) }
                return rules
            }
            let firstTrip = table.tripCount
            let number = Int32(table.patterns.count)
            let times = table.arrivals.count
            for trip in group {
                table.trips.ids.append(trip.id.utf8)
                table.trips.services.append(Int32(services.firstIndex(of: trip.days) ?? 0))
                table.trips.patterns.append(number)
                table.trips.headsigns.append(-1)
                table.trips.shortNames.append(-1)
                table.trips.blocks.append(Int32(trip.block ?? -1))
                table.trips.shapes.append(-1)
                table.trips.wheelchair.append(0)
                table.trips.bicycles.append(0)
                table.trips.headways.append(0)
                table.arrivals += trip.arrivals.map { Int32($0) }
                table.departures += trip.departures.map { Int32($0) }
            }
            table.patterns.append(
                Timetable.Pattern(
                    line: Int32(group[0].line), direction: 0, stops: first..<table.patternStops.count,
                    trips: firstTrip..<table.tripCount, times: times))
        }
        return table
    }
}

extension SampleTimetable {
    /// A timetable at random: some lines with many trips each, nights that run on past midnight, stops where one may only board or
    /// leave, blocks, and rules of changing.
    static func random(seed: UInt64) -> SampleTimetable {
        var random = SeededGenerator(seed: seed)
        let stopCount = Int.random(in: 6...14, using: &random)
        var sample = SampleTimetable(
            stops: (0..<stopCount).map { _ in
                (
                    Double.random(in: 0...1500, using: &random).rounded(),
                    Double.random(in: 0...1500, using: &random).rounded()
                )
            })
        for line in 0..<Int.random(in: 2...6, using: &random) {
            let length = Int.random(in: 2...min(6, stopCount), using: &random)
            var way = Array((0..<stopCount).shuffled(using: &random).prefix(length))
            if length > 3, Bool.random(using: &random) { way.append(way[0]) }
            let boards = way.map { _ in Int.random(in: 0..<8, using: &random) > 0 }
            let alights = way.map { _ in Int.random(in: 0..<8, using: &random) > 0 }
            // A vehicle that goes round has one trip after the other.
            let isBlock = way.first == way.last
            var ends: [(end: Int, days: Set<Int>)] = []
            var trips: [Trip] = []
            for number in 0..<Int.random(in: 1...12, using: &random) {
                var clock = Int.random(in: 0..<1700, using: &random) * 60
                var trip = Trip("T\(line).\(number)", line: line, way.map { ($0, 0) })
                for index in way.indices {
                    clock += Int.random(in: 0...10, using: &random) * 60
                    trip.arrivals[index] = clock
                    if Int.random(in: 0..<4, using: &random) == 0 {
                        clock += Int.random(in: 0...5, using: &random) * 60
                    }
                    trip.departures[index] = clock
                }
                trip.boards = boards
                trip.alights = alights
                trip.days = [[0], [1], [0, 1, 2], [1, 2], [0, 1, 2, 3]][Int.random(in: 0..<5, using: &random)]
                trips.append(trip)
            }
            for var trip in trips.sorted(by: { $0.departures[0] < $1.departures[0] }) {
                if isBlock {
                    let vehicle = ends.firstIndex { $0.end <= trip.departures[0] && $0.days.isSubset(of: trip.days) }
                    trip.block = line * 100 + (vehicle ?? ends.count)
                    let end = (end: trip.arrivals[way.count - 1], days: trip.days)
                    if let vehicle { ends[vehicle] = end } else { ends.append(end) }
                }
                sample.trips.append(trip)
            }
        }
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let kind = Timetable.TransferRule.Kind(rawValue: UInt8.random(in: 0...3, using: &random)) ?? .timed
            let from = Int.random(in: 0..<stopCount, using: &random), to = Int.random(in: 0..<stopCount, using: &random)
            guard !sample.transfers.contains(where: { $0.from == from && $0.to == to }) else { continue }
            sample.transfers.append(
                Timetable.TransferRule(
                    from: from, to: to, kind: kind, seconds: Int.random(in: 0...10, using: &random) * 60))
        }
        return sample
    }
}
