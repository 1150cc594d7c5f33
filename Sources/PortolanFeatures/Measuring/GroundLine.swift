package import PortolanGeo

/// A line on the ground with a measure in metres from its start.
///
/// ```swift
/// if let line = GroundLine(coordinates) {
///     print(line.length, line.place(at: line.length / 2))
/// }
/// ```
///
/// Lengths are those of geodesics on WGS 84. Between two vertices, the line is straight in longitude and latitude.
package struct GroundLine: Hashable, Sendable {
    /// The point of a line that is nearest to a position.
    package struct Nearest: Hashable, Sendable {
        /// The distance from the start along the line, in metres.
        package let measure: Double
        /// The position on the line, in degrees.
        package let place: Coordinate
        /// The distance between the two positions in metres, on a plane around the given one.
        package let meters: Double
    }

    private let places: [Coordinate]
    /// The measure of each vertex.
    private let measures: [Double]

    /// Creates a line from longitudes and latitudes, or returns `nil` with fewer than two, or with an invalid one.
    ///
    /// - Complexity: O(vertices), about a microsecond each.
    package init?(_ places: [Coordinate]) {
        guard places.count > 1, places.allSatisfy({ abs($0.x) <= 360 && abs($0.y) <= 90 }) else { return nil }
        // Each longitude is in the turn nearest to the previous one.
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

    /// The length in metres.
    package var length: Double { measures[measures.count - 1] }

    /// The number of vertices.
    package var count: Int { places.count }

    /// Returns the position at a distance in metres from the start, limited to the line.
    ///
    /// - Complexity: O(log vertices).
    package func place(at measure: Double) -> Coordinate {
        let (segment, part) = locate(measure)
        let one = places[segment], other = places[segment + 1]
        return Coordinate(x: one.x + (other.x - one.x) * part, y: one.y + (other.y - one.y) * part)
    }

    /// Returns the part of the line between two measures, limited to the line.
    ///
    /// - Complexity: O(log vertices + vertices of the part).
    package func part(from first: Double, to last: Double) -> [Coordinate] {
        guard last > first else { return [place(at: first)] }
        var part = [place(at: first)]
        var index = locate(first).segment + 1
        while index < places.count, measures[index] < last {
            if measures[index] > first { part.append(places[index]) }
            index += 1
        }
        let end = place(at: last)
        if part.last != end { part.append(end) }
        return part
    }

    /// Returns the direction of the line at a measure in degrees clockwise from north; the opposite direction if
    /// `isBackward`.
    package func bearing(at measure: Double, isBackward: Bool) -> Double {
        let segment = locate(measure).segment
        let bearing = places[segment].bearing(to: places[segment + 1])
        return isBackward ? (bearing < 180 ? bearing + 180 : bearing - 180) : bearing
    }

    /// Returns the point of the line that is nearest to a longitude and latitude.
    ///
    /// - Parameter window: the range of measures to search, or `nil` for the whole line. A line may pass a position
    ///   twice.
    /// - Complexity: O(vertices within the window).
    package func nearest(to place: Coordinate, within window: ClosedRange<Double>? = nil) -> Nearest {
        let range = window.map { locate($0.lowerBound).segment...locate($0.upperBound).segment } ?? 0...places.count - 2
        let place = place.nearest(to: places[range.lowerBound])
        // A plane around the position, in metres.
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

    /// Returns the measure of the point nearest to a position, or `nil` if it is farther away than `tolerance` metres.
    package func measure(
        nearestTo place: Coordinate, tolerance: Double, within window: ClosedRange<Double>? = nil
    ) -> Double? {
        let near = nearest(to: place, within: window)
        return near.meters <= tolerance ? near.measure : nil
    }

    /// Returns the fractions of a segment within a window that intersects it.
    private func parts(of segment: Int, within window: ClosedRange<Double>?) -> ClosedRange<Double> {
        let start = measures[segment], length = measures[segment + 1] - start
        guard let window, length > 0 else { return 0...1 }
        let first = min(max((window.lowerBound - start) / length, 0), 1)
        return first...max(first, min((window.upperBound - start) / length, 1))
    }

    /// Returns the segment at a measure, and the fraction of the segment before it.
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
    /// Returns the direction to a nearby position, in degrees clockwise from north.
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
