public import PortolanGeo

extension Timetable {
    /// Returns the path of a ride between its boarding and alighting stops: the part of the trip's shape, or straight
    /// lines between the stops if there is no shape.
    ///
    /// Stops are matched to the shape in order and as closely as possible, so that shapes with loops are cut correctly.
    ///
    /// - Complexity: O(points of the shape × stops).
    public func path(of ride: Journey.Ride) -> [Coordinate] {
        let stops = ride.calls.compactMap { call in
            self.stops.indices.contains(call.stop) ? self.stops[call.stop].place : nil
        }
        guard trips.shapes.indices.contains(ride.trip), stops.count == ride.calls.count, stops.count > 1 else {
            return stops
        }
        let shape = Int(trips.shapes[ride.trip])
        let points = shape >= 0 ? path(ofShape: shape) : []
        guard let cut = ShapeCut(points, stops) else { return stops }
        return cut.path
    }
}

/// The part of a path from the first to the last of its stops.
struct ShapeCut {
    /// A position on the path: the segment, the fraction along it, and the distance to the stop.
    private struct Spot {
        var segment: Int, part: Double, meters: Double
        func isBefore(_ other: Spot) -> Bool { (segment, part) <= (other.segment, other.part) }
    }

    let path: [Coordinate]

    /// The maximum work: points times stops.
    private static let mostSteps = 4_000_000
    /// The distance in metres at which a path position is a candidate besides the nearest one.
    private static let near = 60.0

    /// Cuts a path, or returns `nil` if it has too few points, too many points for its stops, or does not follow their
    /// order.
    init?(_ line: [Coordinate], _ stops: [Coordinate]) {
        guard line.count > 1, stops.count > 1, line.count * stops.count <= Self.mostSteps,
            line.allSatisfy(\.isFinite), stops.allSatisfy(\.isFinite)
        else { return nil }
        let spots = stops.map { Self.spots(line, $0) }
        // Dynamic programming minimizes the sum of distances for positions in ascending order.
        var costs = spots[0].map(\.meters), parents: [[Int]] = [[]]
        for stop in 1..<stops.count {
            var next: [Double] = [], from: [Int] = []
            for spot in spots[stop] {
                var best = Double.infinity, parent = -1
                for (index, before) in spots[stop - 1].enumerated() where costs[index] < best && before.isBefore(spot) {
                    best = costs[index]
                    parent = index
                }
                next.append(best + spot.meters)
                from.append(parent)
            }
            costs = next
            parents.append(from)
        }
        guard var index = costs.indices.min(by: { costs[$0] < costs[$1] }), costs[index] < .infinity else { return nil }
        let last = spots[stops.count - 1][index]
        for stop in (1..<stops.count).reversed() { index = parents[stop][index] }
        let first = spots[0][index]
        var path = [Self.place(line, first)]
        if first.segment < last.segment { path += line[first.segment + 1...last.segment] }
        path.append(Self.place(line, last))
        self.path = path.enumerated().filter { $0.offset == 0 || $0.element != path[$0.offset - 1] }.map(\.element)
    }

    /// Returns the candidate positions for a stop: the nearest position of at most 40 nearby sections, the nearest one
    /// overall, and both ends.
    private static func spots(_ line: [Coordinate], _ stop: Coordinate) -> [Spot] {
        let degree = NearMeters(latitude: stop.y).perDegree
        var nearest = Spot(segment: 0, part: 0, meters: .infinity), stretches: [Spot] = [], isNear = false
        for segment in 0..<line.count - 1 {
            let a = line[segment].nearest(to: stop), b = line[segment + 1].nearest(to: stop)
            let x = (a.x - stop.x) * degree.x, y = (a.y - stop.y) * degree.y
            let dx = (b.x - a.x) * degree.x, dy = (b.y - a.y) * degree.y, length = dx * dx + dy * dy
            let part = length > 0 ? min(max(-(x * dx + y * dy) / length, 0), 1) : 0
            let ex = x + part * dx, ey = y + part * dy
            let spot = Spot(segment: segment, part: part, meters: (ex * ex + ey * ey).squareRoot())
            if spot.meters < nearest.meters { nearest = spot }
            if spot.meters > Self.near {
                isNear = false
            } else if !isNear {
                stretches.append(spot)
                isNear = true
            } else if let last = stretches.last, spot.meters < last.meters {
                stretches[stretches.count - 1] = spot
            }
        }
        // If even the nearest position is far, the ends of the path may be meant.
        let ends = [
            Spot(segment: 0, part: 0, meters: NearMeters.between(line[0], stop)),
            Spot(segment: line.count - 2, part: 1, meters: NearMeters.between(line[line.count - 1], stop)),
        ]
        return stretches.prefix(40) + [nearest] + ends
    }

    private static func place(_ line: [Coordinate], _ spot: Spot) -> Coordinate {
        let a = line[spot.segment], b = line[spot.segment + 1]
        return Coordinate(x: a.x + (b.x - a.x) * spot.part, y: a.y + (b.y - a.y) * spot.part)
    }
}
