public import PortolanGeo

/// A line on the ground, measured in metres from its beginning.
///
/// It is measured along shortest lines on WGS 84; between two places it is straight in longitude and latitude.
public struct GroundLine: Hashable, Sendable {
    /// Where a line comes nearest to a place.
    public struct Nearest: Hashable, Sendable {
        /// How far that is from the beginning, along the line.
        public let measure: Double
        /// The place on the line, in degrees.
        public let place: Coordinate
        /// How far apart the two are in metres, on a flat map about the place asked for.
        public let meters: Double
    }

    private let places: [Coordinate]
    /// How far each place is from the first, along the line.
    private let measures: [Double]

    /// Measures a line in longitude and latitude; `nil` when it has fewer than two places, or one is nowhere.
    ///
    /// - Complexity: O(places), about a microsecond each.
    public init?(_ places: [Coordinate]) {
        guard places.count > 1, places.allSatisfy({ abs($0.x) <= 360 && abs($0.y) <= 90 }) else { return nil }
        // Each longitude is the nearest to the one before.
        var unwrapped: [Coordinate] = [], measures: [Double] = [], length = 0.0
        unwrapped.reserveCapacity(places.count)
        measures.reserveCapacity(places.count)
        for place in places {
            guard let last = unwrapped.last else {
                unwrapped.append(place)
                measures.append(0)
                continue
            }
            length += Geodesic.line(from: last, to: place).meters
            unwrapped.append(place.nearest(to: last))
            measures.append(length)
        }
        guard length > 0 else { return nil }
        self.places = unwrapped
        self.measures = measures
    }

    /// How long it is.
    public var length: Double { measures[measures.count - 1] }

    /// How many places the line has.
    package var count: Int { places.count }

    /// The place so many metres from the beginning, or the nearer end.
    ///
    /// - Complexity: O(log places).
    public func place(at measure: Double) -> Coordinate {
        let (segment, part) = locate(measure)
        let one = places[segment], other = places[segment + 1]
        return Coordinate(x: one.x + (other.x - one.x) * part, y: one.y + (other.y - one.y) * part)
    }

    /// Where the line leads to there, in degrees clockwise from north; the opposite for what goes back.
    package func bearing(at measure: Double, isBackward: Bool) -> Double {
        let segment = locate(measure).segment
        let bearing = places[segment].bearing(to: places[segment + 1])
        return isBackward ? (bearing < 180 ? bearing + 180 : bearing - 180) : bearing
    }

    /// Where the line comes nearest to a place in longitude and latitude.
    ///
    /// - Parameter window: where on the line is looked, or `nil` for all of it: a line may come by twice.
    /// - Complexity: O(places within the window).
    public func nearest(to place: Coordinate, within window: ClosedRange<Double>? = nil) -> Nearest {
        let range = window.map { locate($0.lowerBound).segment...locate($0.upperBound).segment } ?? 0...places.count - 2
        let place = place.nearest(to: places[range.lowerBound])
        // A flat map about the place, in metres.
        let scaleY = 111_320.0, scaleX = scaleY * Libm.cosine(place.y * .pi / 180)
        var best = Double.infinity, measure = measures[range.lowerBound]
        for segment in range {
            let one = places[segment], other = places[segment + 1]
            let ax = (one.x - place.x) * scaleX, ay = (one.y - place.y) * scaleY
            let dx = (other.x - one.x) * scaleX, dy = (other.y - one.y) * scaleY
            let square = dx * dx + dy * dy
            let part = min(max(square > 0 ? -(ax * dx + ay * dy) / square : 0, 0), 1)
                .clamped(to: parts(of: segment, within: window))
            let x = ax + dx * part, y = ay + dy * part, distance = x * x + y * y
            guard distance < best else { continue }
            best = distance
            measure = measures[segment] + (measures[segment + 1] - measures[segment]) * part
        }
        return Nearest(measure: measure, place: self.place(at: measure), meters: best.squareRoot())
    }

    /// How far from the beginning it comes nearest to a place, or `nil` where it stays farther away than `tolerance` metres.
    package func measure(
        nearestTo place: Coordinate, tolerance: Double, within window: ClosedRange<Double>? = nil
    ) -> Double? {
        let near = nearest(to: place, within: window)
        return near.meters <= tolerance ? near.measure : nil
    }

    /// Which parts of a segment lie within a window that touches it.
    private func parts(of segment: Int, within window: ClosedRange<Double>?) -> ClosedRange<Double> {
        let start = measures[segment], length = measures[segment + 1] - start
        guard let window, length > 0 else { return 0...1 }
        let first = min(max((window.lowerBound - start) / length, 0), 1)
        return first...max(first, min((window.upperBound - start) / length, 1))
    }

    /// The segment that holds a measure, and which part of it is before.
    private func locate(_ measure: Double) -> (segment: Int, part: Double) {
        var low = 0, high = measures.count - 2
        while low < high {
            let middle = (low + high) / 2
            if measures[middle + 1] < measure { low = middle + 1 } else { high = middle }
        }
        let length = measures[low + 1] - measures[low]
        return (low, length > 0 ? min(max((measure - measures[low]) / length, 0), 1) : 0)
    }
}

extension Coordinate {
    /// The direction to a place nearby, in degrees clockwise from north.
    package func bearing(to other: Coordinate) -> Double {
        let other = other.nearest(to: self)
        let east = (other.x - x) * Libm.cosine((y + other.y) / 2 * .pi / 180)
        let angle = Libm.arcTangent(y: east, x: other.y - y) * 180 / .pi
        return angle < 0 ? angle + 360 : angle
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        min(max(self, range.lowerBound), range.upperBound)
    }
}
