package import PortolanGeo

/// Approximates circular arcs in the coordinate plane by chords.
package enum CircularArc {
    /// The maximum angle of a chord, in radians.
    private static let step = 4 * Double.pi / 180

    /// Returns the positions on the arc from `start` through `middle` to `end`, without `start` and with `end` last.
    ///
    /// If start and end are equal, the result is a full circle with `middle` on the opposite side (ISO 19107,
    /// `GM_Arc`). For collinear positions, and ones that are not finite, the result is a straight line.
    package static func chords(from start: Coordinate, through middle: Coordinate, to end: Coordinate) -> [Coordinate] {
        let isCircle = start == end
        guard start.isFinite, middle.isFinite, end.isFinite,
            let center = isCircle
                ? Coordinate(x: (start.x + middle.x) / 2, y: (start.y + middle.y) / 2)
                : Self.center(start, middle, end)
        else { return [middle, end] }
        func angle(_ place: Coordinate) -> Double { Libm.arcTangent(y: place.y - center.y, x: place.x - center.x) }
        let radius = Libm.hypotenuse(start.x - center.x, start.y - center.y)
        guard radius > 0, radius.isFinite else { return [end] }
        let first = angle(start)
        var sweep = 2 * Double.pi
        if !isCircle {
            func turn(_ place: Coordinate) -> Double {
                let turn = (angle(place) - first).remainder(dividingBy: 2 * .pi)
                return turn < 0 ? turn + 2 * .pi : turn
            }
            let whole = turn(end)
            sweep = turn(middle) <= whole ? whole : whole - 2 * .pi
        }
        return places(center, radius, from: first, sweep: sweep) + [end]
    }

    /// Returns the positions on a circle between the ends of an arc.
    ///
    /// - Parameters:
    ///   - first: the angle of the start, in radians counterclockwise from east.
    ///   - sweep: the angle of the whole arc, negative for clockwise.
    package static func places(
        _ center: Coordinate, _ radius: Double, from first: Double, sweep: Double
    ) -> [Coordinate] {
        let count = max(Int((abs(sweep) / step).rounded(.up)), 2)
        return (1..<count).map { number in
            let angle = first + sweep * Double(number) / Double(count)
            return Coordinate(x: center.x + radius * Libm.cosine(angle), y: center.y + radius * Libm.sine(angle))
        }
    }

    /// Returns the centre and radius of the circle through three positions, or `nil` if they are collinear.
    package static func circle(
        through one: Coordinate, _ two: Coordinate, _ three: Coordinate
    ) -> (center: Coordinate, radius: Double)? {
        center(one, two, three).map { ($0, Libm.hypotenuse(one.x - $0.x, one.y - $0.y)) }
    }

    /// Returns the centre of the circle through three positions, or `nil` if they are collinear.
    private static func center(_ one: Coordinate, _ two: Coordinate, _ three: Coordinate) -> Coordinate? {
        // Relative to the first position, so that large coordinates lose no digits.
        let bx = two.x - one.x, by = two.y - one.y, cx = three.x - one.x, cy = three.y - one.y
        let cross = 2 * (bx * cy - by * cx)
        let b = bx * bx + by * by, c = cx * cx + cy * cy
        guard abs(cross) > 1e-12 * max(b, c) else { return nil }
        return Coordinate(x: one.x + (cy * b - by * c) / cross, y: one.y + (bx * c - cx * b) / cross)
    }
}
