import PortolanGeo

/// The way around a box for edges that do not meet it.
struct BoxDetour {
    private let box: BoundingBox
    /// The corners and the middles of the sides of a slightly larger box, counterclockwise from the lower left.
    private let stations: [Coordinate]

    init(_ box: BoundingBox) {
        self.box = box
        let wide = box.widened(by: 1.0 / 64), center = box.center
        stations = [
            (wide.minX, wide.minY), (center.x, wide.minY), (wide.maxX, wide.minY), (wide.maxX, center.y),
            (wide.maxX, wide.maxY), (center.x, wide.maxY), (wide.minX, wide.maxY), (wide.minX, center.y),
        ].map { Coordinate(x: $0.0, y: $0.1) }
    }

    /// Returns whether a segment meets the box, or may meet it within rounding errors.
    func touches(_ from: Coordinate, _ to: Coordinate) -> Bool {
        guard max(from.x, to.x) >= box.minX, min(from.x, to.x) <= box.maxX, max(from.y, to.y) >= box.minY,
            min(from.y, to.y) <= box.maxY
        else { return false }
        // The box is on one side of the line if all its corners are.
        let sides = [
            (box.minX, box.minY), (box.maxX, box.minY), (box.maxX, box.maxY), (box.minX, box.maxY),
        ].map { side(from, to, Coordinate(x: $0.0, y: $0.1)) }
        return !sides.allSatisfy { $0 > 0 } && !sides.allSatisfy { $0 < 0 }
    }

    private func side(_ from: Coordinate, _ to: Coordinate, _ place: Coordinate) -> Int {
        let left = (to.x - from.x) * (place.y - from.y), right = (to.y - from.y) * (place.x - from.x)
        let error = (abs(left) + abs(right)) * 4e-16
        return left - right > error ? 1 : left - right < -error ? -1 : 0
    }

    /// Returns the stations from the region of one position to that of another, on the side of the box on which the
    /// segment passes it.
    func corners(_ from: Coordinate, _ to: Coordinate) -> [Coordinate] {
        guard let start = region(of: from), let end = region(of: to) else { return [] }
        let steps = (end - start + 8) % 8
        // Between opposite corners, the segment passes the box on either side.
        let isCounterclockwise = steps == 4 ? side(from, to, box.center) > 0 : steps < 4
        var corners = [stations[start]], region = start
        while region != end {
            region = (region + (isCounterclockwise ? 1 : 7)) % 8
            corners.append(stations[region])
        }
        return corners
    }

    /// The number of the station in the direction of a position, or `nil` inside the box.
    private func region(of place: Coordinate) -> Int? {
        let column = place.x < box.minX ? 0 : place.x > box.maxX ? 2 : 1
        let row = place.y < box.minY ? 0 : place.y > box.maxY ? 2 : 1
        return [[0, 1, 2], [7, nil, 3], [6, 5, 4]][row][column]
    }
}
