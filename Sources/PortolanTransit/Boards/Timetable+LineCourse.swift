public import PortolanGeo

extension Timetable {
    /// A route variant of a line: its sequence of stops and its path on the ground.
    public struct LineCourse: Hashable, Sendable {
        /// The line, as an index into ``Timetable/lines``.
        public var line: Int
        /// The direction, 0 or 1, or `nil`.
        public var direction: Int?
        /// The headsign of the vehicles, or the name of the last stop if the feed gives none.
        public var headsign: String
        /// The stops in order, as indices into ``Timetable/stops``.
        public var stops: [Int]
        /// The path: the most common shape of its trips, or straight lines between the stops if there is no shape.
        public var path: [Coordinate]
        /// Whether ``path`` comes from a shape of the feed.
        public var isShaped: Bool
        /// The number of trips in the timetable that follow this course.
        public var tripCount: Int
    }
}

extension Timetable {
    /// Returns the courses of a line, one for each sequence of stops, sorted by direction and then by trip count.
    ///
    /// - Complexity: linear in the number of patterns and of trips of the line.
    public func courses(ofLine line: Int) -> [Timetable.LineCourse] {
        struct Key: Hashable {
            var direction: Int8
            var stops: [Int32]
        }
        var courses: [Key: (order: Int, trips: Int, shapes: [Int32: Int], pattern: Pattern)] = [:]
        for pattern in patterns where Int(pattern.line) == line && !pattern.trips.isEmpty {
            let key = Key(direction: pattern.direction, stops: Array(patternStops[pattern.stops]))
            var course = courses[key] ?? (courses.count, 0, [:], pattern)
            course.trips += pattern.trips.count
            for trip in pattern.trips { course.shapes[trips.shapes[trip], default: 0] += 1 }
            courses[key] = course
        }
        return courses.sorted {
            ($0.key.direction, -$0.value.trips, $0.value.order) < ($1.key.direction, -$1.value.trips, $1.value.order)
        }.map { key, course in
            let shape = course.shapes.filter { $0.key >= 0 }.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key
            let path = shape.map { self.path(ofShape: Int($0)) } ?? []
            let first = course.pattern.trips.lowerBound
            let shown = headsign(trip: first, time: timeIndex(trip: first, stop: 0, in: course.pattern))
            return Timetable.LineCourse(
                line: line, direction: key.direction < 0 ? nil : Int(key.direction),
                headsign: shown.isEmpty ? endName(of: course.pattern) : shown, stops: key.stops.map { Int($0) },
                path: path.count > 1 ? path : key.stops.compactMap { stops[Int($0)].place }, isShaped: path.count > 1,
                tripCount: course.trips)
        }
    }
}
