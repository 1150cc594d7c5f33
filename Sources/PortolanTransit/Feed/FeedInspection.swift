import PortolanGeo

/// Checks of a whole feed that single rows cannot fail.
extension TransitFeed {
    /// Returns the problems of the rows and of the feed as a whole.
    ///
    /// The checks find unused stops and lines, trips that never run or are too fast, stops far from their shape, and
    /// feeds outside of their validity.
    ///
    /// - Parameters:
    ///   - today: the day on which the feed should be valid, or `nil` to skip this check.
    ///   - limits: thresholds for speed and distance, and the maximum work.
    /// - Complexity: linear in the number of stops, trips and stop times; each stop of a pattern is compared with its
    ///   shape once.
    public func inspected(
        on today: ServiceDay? = nil, limits: TransitFeed.InspectionLimits = TransitFeed.InspectionLimits()
    ) -> TransitFeed.Problems {
        var inspection = FeedInspection(timetable: timetable, limits: limits, problems: problems)
        inspection.inspectUse()
        inspection.inspectDays(today)
        inspection.inspectPatterns()
        return inspection.problems
    }
}

extension TransitFeed {
    /// The thresholds and work limits of ``TransitFeed/inspected(on:limits:)``.
    public struct InspectionLimits: Hashable, Sendable {
        /// The maximum distance in metres between a stop and the shape of its trips.
        public var shapeMeters = 150.0
        /// The maximum number of comparisons between stops and shape segments.
        ///
        /// Exceeding it is reported as a problem.
        public var comparisonCount = 300_000_000
        /// The tolerance of times in seconds, because most feeds round them to minutes.
        public var slackSeconds = 60

        /// Creates the default limits.
        public init() {}

        /// Returns the highest plausible speed of a mode, in kilometres per hour.
        public func fastest(_ mode: TransitMode) -> Double {
            switch mode {
            case .tram, .cableTram, .trolleybus, .bus: 120
            case .funicular, .aerialLift: 60
            case .ferry: 100
            case .subway, .monorail, .coach, .taxi: 150
            case .rail: 450
            case .air: 1200
            case .other: 450
            }
        }
    }
}

private struct FeedInspection {
    let timetable: Timetable
    let limits: TransitFeed.InspectionLimits
    var problems: TransitFeed.Problems

    /// Reports stops without trips and lines without trips.
    mutating func inspectUse() {
        var isUsed = [Bool](repeating: false, count: timetable.stops.count)
        for stop in timetable.patternStops { isUsed[Int(stop)] = true }
        for (index, stop) in timetable.stops.enumerated() where stop.kind == .stop && !isUsed[index] {
            problems.add(.unusedStop, .notice, file: "stops.txt", column: "stop_id", "no trip stops at \"\(stop.id)\"")
        }
        var isRun = [Bool](repeating: false, count: timetable.lines.count)
        for pattern in timetable.patterns where !pattern.trips.isEmpty { isRun[Int(pattern.line)] = true }
        for (index, line) in timetable.lines.enumerated() where !isRun[index] {
            problems.add(
                .unusedLine, .warning, file: "routes.txt", column: "route_id", "no trip runs on \"\(line.id)\"")
        }
    }

    /// Reports services without days and feeds outside of their validity.
    mutating func inspectDays(_ today: ServiceDay?) {
        let calendar = timetable.calendar, words = calendar.wordCount
        var isUsed = [Bool](repeating: false, count: calendar.serviceCount)
        for service in timetable.trips.services { isUsed[Int(service)] = true }
        var first = Int.max, last = Int.min
        for service in 0..<calendar.serviceCount where isUsed[service] {
            let bits = calendar.bits[(service * words)..<((service + 1) * words)]
            guard let low = bits.firstIndex(where: { $0 != 0 }), let high = bits.lastIndex(where: { $0 != 0 }) else {
                problems.add(
                    .neverRuns, .warning, file: "trips.txt", column: "service_id",
                    "\"\(calendar.ids[service])\" has no date")
                continue
            }
            first = min(first, (low - service * words) * 64 + bits[low].trailingZeroBitCount)
            last = max(last, (high - service * words) * 64 + 63 - bits[high].leadingZeroBitCount)
        }
        guard let today, let days = calendar.days, first <= last else { return }
        let ends = (days.lowerBound.advanced(by: first), days.lowerBound.advanced(by: last))
        let end = min(ends.1, timetable.feed.to ?? ends.1), start = max(ends.0, timetable.feed.from ?? ends.0)
        if end < today {
            problems.add(.expired, .warning, file: "calendar.txt", "the last date is \(end)")
        } else if start > today {
            problems.add(.early, .warning, file: "calendar.txt", "the first date is \(start)")
        }
    }

    /// Reports trips that run too fast and stops far from their shapes.
    mutating func inspectPatterns() {
        /// The stop and shape pairs that have been reported.
        var told: Set<Int64> = [], comparisonCount = 0
        for pattern in timetable.patterns {
            let stops = timetable.patternStops[pattern.stops].map { Int($0) }
            let places = stops.map { timetable.stops[$0].place }
            var shapes: Set<Int32> = []
            for trip in pattern.trips { shapes.insert(timetable.trips.shapes[trip]) }
            for shape in shapes.sorted() where shape >= 0 {
                guard comparisonCount <= limits.comparisonCount else { continue }
                let path = timetable.path(ofShape: Int(shape))
                comparisonCount += path.count * (stops.count + 1)
                for (stop, place) in zip(stops, places) where told.insert(Int64(shape) << 32 | Int64(stop)).inserted {
                    guard let place, let meters = Self.meters(from: place, to: path), meters > limits.shapeMeters else {
                        continue
                    }
                    problems.add(
                        .farFromShape, .warning, file: "shapes.txt", column: "shape_id",
                        "\"\(timetable.stops[stop].id)\" is \(Int(meters)) m from \"\(timetable.shapes.ids[Int(shape)])\""
                    )
                }
            }
            inspectSpeed(of: pattern, stops, places)
        }
        if comparisonCount > limits.comparisonCount {
            problems.add(
                .limit, .notice, file: "shapes.txt", "too many shapes to compare all stops with them")
        }
    }

    private mutating func inspectSpeed(of pattern: Timetable.Pattern, _ stops: [Int], _ places: [Coordinate?]) {
        let fastest = limits.fastest(timetable.lines[Int(pattern.line)].mode)
        // The minimum plausible seconds between consecutive stops.
        let least = zip(places, places.dropFirst()).map { a, b -> Double in
            guard let a, let b else { return 0 }
            return NearMeters.between(a, b) / fastest * 3.6
        }
        for trip in pattern.trips {
            let start = timetable.timeIndex(trip: trip, stop: 0, in: pattern)
            for (leg, seconds) in least.enumerated() {
                let given = Int(timetable.arrivals[start + leg + 1] - timetable.departures[start + leg])
                guard Double(given + limits.slackSeconds) < seconds else { continue }
                problems.add(
                    .tooFast, .warning, file: "stop_times.txt", column: "arrival_time",
                    """
                    "\(timetable.trips.ids[trip])" is \(given) s from "\(timetable.stops[stops[leg]].id)" to \
                    "\(timetable.stops[stops[leg + 1]].id)", \(Int(seconds * fastest / 3.6)) m away
                    """)
                break
            }
        }
    }

    /// Returns the offset from an origin in metres, x eastward and y northward.
    private static func offset(_ place: Coordinate, from origin: Coordinate) -> (x: Double, y: Double) {
        var x = place.x - origin.x
        if x > 180 { x -= 360 } else if x < -180 { x += 360 }
        let degree = NearMeters(latitude: (place.y + origin.y) / 2).perDegree
        return (x * degree.x, (place.y - origin.y) * degree.y)
    }

    /// Returns the distance in metres from a coordinate to a path, or `nil` if the path is empty.
    private static func meters(from place: Coordinate, to path: [Coordinate]) -> Double? {
        var best: Double?
        var last: (x: Double, y: Double)?
        for point in path {
            let here = offset(point, from: place)
            var nearest = here
            if let last {
                let along = (x: here.x - last.x, y: here.y - last.y)
                let square = along.x * along.x + along.y * along.y
                let share = square > 0 ? min(max(-(last.x * along.x + last.y * along.y) / square, 0), 1) : 1
                nearest = (last.x + along.x * share, last.y + along.y * share)
            }
            let distance = (nearest.x * nearest.x + nearest.y * nearest.y).squareRoot()
            best = min(best ?? distance, distance)
            last = here
        }
        return best
    }
}
