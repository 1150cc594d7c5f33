import PortolanGeo

/// The area on one side of a meridian or a parallel, including its edge.
struct HalfPlane {
    enum Axis { case longitude, latitude }

    let axis: Axis
    let bound: Double
    /// Whether larger values are inside.
    let isAbove: Bool

    private func value(_ place: Coordinate) -> Double { axis == .longitude ? place.x : place.y }

    private func contains(_ place: Coordinate) -> Bool { isAbove ? value(place) >= bound : value(place) <= bound }

    /// Returns whether a segment runs along the edge.
    func isAlong(_ a: Coordinate, _ b: Coordinate) -> Bool { value(a) == bound && value(b) == bound }

    /// Returns the intersection of a segment with the edge.
    private func crossing(_ a: Coordinate, _ b: Coordinate) -> Coordinate {
        let share = (bound - value(a)) / (value(b) - value(a))
        return axis == .longitude
            ? Coordinate(x: bound, y: a.y + (b.y - a.y) * share) : Coordinate(x: a.x + (b.x - a.x) * share, y: bound)
    }

    /// Returns the part of a ring that is inside, closed along the edge (Sutherland and Hodgman).
    func inside(of ring: [Coordinate]) -> [Coordinate] {
        guard var previous = ring.last(where: \.isFinite) else { return [] }
        var result: [Coordinate] = []
        for place in ring where place.isFinite {
            if contains(place) != contains(previous) { result.append(crossing(previous, place)) }
            if contains(place) { result.append(place) }
            previous = place
        }
        return result
    }

    /// Returns the parts of a line that are inside.
    func pieces(of line: [Coordinate]) -> [[Coordinate]] {
        var pieces: [[Coordinate]] = [], piece: [Coordinate] = []
        var previous: Coordinate?
        for place in line where place.isFinite {
            if let previous, contains(place) != contains(previous) {
                piece.append(crossing(previous, place))
                if contains(previous) {
                    pieces.append(piece)
                    piece = []
                }
            }
            if contains(place) { piece.append(place) }
            previous = place
        }
        if !piece.isEmpty { pieces.append(piece) }
        return pieces.filter { $0.count > 1 }
    }
}

extension SphereCircle {
    /// Returns the longitude range to each side, in degrees, of a circle that contains no pole.
    static func halfSpan(latitude: Double, radius: Double) -> Double {
        let circle = SphereCircle(center: Coordinate(x: 0, y: latitude), radius: radius)
        return stride(from: 0.0, through: 180, by: 2).map { abs(circle.place(bearing: $0).x) }.max().map { $0 + 0.1 }
            ?? 180
    }

    /// Returns the difference between the cosine at a position and that of the circle, as a measure of its distance
    /// from the circle.
    func depth(of place: Coordinate) -> Double { abs(cosine(of: place) - cosineOfRadius) }

    /// Returns the positions between two on the circle, in the shorter direction.
    func arc(from: Coordinate, to: Coordinate) -> [Coordinate] {
        let start = bearing(of: from), turn = (bearing(of: to) - start).remainder(dividingBy: 360)
        let count = Int((abs(turn) / 2).rounded(.up))
        var last = from
        return (1..<max(count, 1)).map { step in
            // In the turn nearest to the previous position, however often the circle goes round the world.
            last = place(bearing: start + turn * Double(step) / Double(count)).nearest(to: last)
            return last
        }
    }

    /// The whole circle as a ring.
    var ring: [Coordinate] {
        var last = place(bearing: 0)
        return (0...180).map { step in
            last = place(bearing: Double(step) * 2).nearest(to: last)
            return last
        }
    }
}
