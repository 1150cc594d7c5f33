import PortolanFeatures
import PortolanGeo

/// How an object is shown between two fixes: from where it was seen to where it is known to be, straight or along a line.
struct LiveMotion: Sendable {
    /// Where it begins and ends, in longitude and latitude; they may differ by a turn.
    private let start: Coordinate
    let end: Coordinate
    /// When, in seconds since 1970.
    private let startTime: Double
    let endTime: Double
    private let path: Path?

    /// A part of a line.
    private struct Path: Sendable {
        let shape: GroundLine
        let from: Double
        let to: Double
        /// From the line to the object, at both ends.
        let startOffset: Coordinate
        let endOffset: Coordinate
    }

    /// An object that stays.
    init(at place: Coordinate) {
        start = place
        end = place
        startTime = 0
        endTime = 0
        path = nil
    }

    /// A motion from one place to another.
    ///
    /// - Parameters:
    ///   - shape: the line along which it goes, where it comes within `tolerance` metres of both places and is no longer
    ///     between them than `longest` metres.
    ///   - hint: how far along the line it was before.
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

    /// How far along its line it ends, where it has one.
    var endMeasure: Double? { path?.to }

    /// Which part of the motion is done.
    private func progress(at time: Double) -> Double {
        guard time < endTime else { return 1 }
        return endTime > startTime ? max((time - startTime) / (endTime - startTime), 0) : 1
    }

    /// Where the object is at a time, with a longitude of −180 to 180.
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

    /// Where the object heads at a time; `nil` when it does not move.
    func bearing(at time: Double) -> Double? {
        if let path, path.from != path.to {
            let measure = path.from + (path.to - path.from) * progress(at: time)
            return path.shape.bearing(at: measure, isBackward: path.to < path.from)
        }
        return start == end ? nil : start.bearing(to: end)
    }
}

extension Coordinate {
    /// The way from another place nearby, in degrees.
    fileprivate func offset(from other: Coordinate) -> Coordinate {
        let near = nearest(to: other)
        return Coordinate(x: near.x - other.x, y: near.y - other.y)
    }

    /// The place with a longitude of −180 to 180.
    fileprivate var wrapped: Coordinate { abs(x) <= 180 ? self : nearest(to: Coordinate(x: 0, y: 0)) }
}

/// How often an object is heard of: the last five intervals between its fixes.
struct LiveIntervals: Sendable {
    /// The newest first.
    private var seconds = (0.0, 0.0, 0.0, 0.0, 0.0)
    private var count = 0

    /// Notes one interval.
    mutating func note(_ interval: Double) {
        seconds = (interval, seconds.0, seconds.1, seconds.2, seconds.3)
        count = min(count + 1, 5)
    }

    /// The one in the middle of the last five, the shorter of two in the middle; `nil` before the first.
    var median: Double? {
        guard count > 0 else { return nil }
        let sorted = [seconds.0, seconds.1, seconds.2, seconds.3, seconds.4].prefix(count).sorted()
        return sorted[(count - 1) / 2]
    }
}
