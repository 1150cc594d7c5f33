import PortolanFeatures
import PortolanGeo

/// The motion of an object between two fixes, from its drawn position to its actual one, straight or along a line.
struct LiveMotion: Sendable {
    /// The start and end as longitude and latitude, which may be in different turns.
    private let start: Coordinate
    let end: Coordinate
    /// The times in seconds since 1970.
    private let startTime: Double
    let endTime: Double
    private let path: Path?

    /// A section of a line.
    private struct Path: Sendable {
        let shape: GroundLine
        let from: Double
        let to: Double
        /// The offsets of the object from the line at both ends.
        let startOffset: Coordinate
        let endOffset: Coordinate
    }

    /// Creates a stationary object.
    init(at place: Coordinate) {
        start = place
        end = place
        startTime = 0
        endTime = 0
        path = nil
    }

    /// Creates a motion from one coordinate to another.
    ///
    /// - Parameters:
    ///   - shape: the line to follow, if it is within `tolerance` metres of both coordinates and at most `longest`
    ///     metres long between them.
    ///   - hint: the previous measure along the line.
    init(
        from start: Coordinate, to end: Coordinate, at time: Double, over seconds: Double, along shape: GroundLine?,
        after hint: Double?, tolerance: Double, longest: Double
    ) {
        self.start = start
        self.end = end.nearest(to: start)
        startTime = time
        endTime = time + seconds
        guard let shape,
            let from = hint.flatMap({ hint in
                shape.measure(nearestTo: start, tolerance: tolerance, within: hint - longest...hint + longest)
            }) ?? shape.measure(nearestTo: start, tolerance: tolerance),
            let to = shape.measure(nearestTo: end, tolerance: tolerance, within: from - longest...from + longest)
        else {
            path = nil
            return
        }
        path = Path(
            shape: shape, from: from, to: to, startOffset: start.offset(from: shape.place(at: from)),
            endOffset: end.offset(from: shape.place(at: to)))
    }

    /// The measure along the line at the end, or `nil` without a line.
    var endMeasure: Double? { path?.to }

    /// Returns the completed fraction of the motion.
    private func progress(at time: Double) -> Double {
        guard time < endTime else { return 1 }
        return endTime > startTime ? max((time - startTime) / (endTime - startTime), 0) : 1
    }

    /// Returns the position at a time, with a longitude of −180 to 180.
    func place(at time: Double) -> Coordinate {
        let part = progress(at: time)
        guard part < 1 else { return end.wrapped }
        guard let path else {
            return Coordinate(x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part).wrapped
        }
        let base = path.shape.place(at: path.from + (path.to - path.from) * part)
        let one = path.startOffset, other = path.endOffset
        return Coordinate(
            x: base.x + one.x + (other.x - one.x) * part, y: base.y + one.y + (other.y - one.y) * part
        ).wrapped
    }

    /// Returns the positions from a time until the end, at equal intervals of time: a single one at rest.
    ///
    /// - Parameter limit: the maximum number of intervals; a straight motion has one.
    func places(from time: Double, limit: Int) -> [Coordinate] {
        guard time < endTime else { return [place(at: time)] }
        var count = 1
        if let path {
            let meters = abs(path.to - path.from) * (1 - progress(at: time))
            count = min(max(Int(meters / Self.stepMeters), 1), max(limit, 1))
        }
        let start = max(time, startTime)
        return (0...count).map { place(at: start + (endTime - start) * Double($0) / Double(count)) }
    }

    /// The length of an interval on a line, in metres.
    private static let stepMeters = 30.0

    /// Returns the direction of motion at a time, or `nil` if the object does not move.
    func bearing(at time: Double) -> Double? {
        if let path, path.from != path.to {
            let measure = path.from + (path.to - path.from) * progress(at: time)
            return path.shape.bearing(at: measure, isBackward: path.to < path.from)
        }
        return start == end ? nil : start.bearing(to: end)
    }
}

extension Coordinate {
    /// Returns the offset from another nearby coordinate, in degrees.
    fileprivate func offset(from other: Coordinate) -> Coordinate {
        let near = nearest(to: other)
        return Coordinate(x: near.x - other.x, y: near.y - other.y)
    }

    /// The coordinate with a longitude of −180 to 180.
    fileprivate var wrapped: Coordinate { abs(x) <= 180 ? self : nearest(to: Coordinate(x: 0, y: 0)) }
}

/// The update rate of an object: the last five intervals between its fixes.
struct LiveIntervals: Sendable {
    /// The intervals, the newest first.
    private var seconds = (0.0, 0.0, 0.0, 0.0, 0.0)
    private var count = 0

    /// Adds an interval.
    mutating func note(_ interval: Double) {
        seconds = (interval, seconds.0, seconds.1, seconds.2, seconds.3)
        count = min(count + 1, 5)
    }

    /// The median of the last five intervals, the lower one of two; `nil` without intervals.
    var median: Double? {
        guard count > 0 else { return nil }
        let sorted = [seconds.0, seconds.1, seconds.2, seconds.3, seconds.4].prefix(count).sorted()
        return sorted[(count - 1) / 2]
    }
}
