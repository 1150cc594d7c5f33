import PortolanGeo

/// The plane of a picture between four ground corners: from 0 to 1 across and up, evenly spaced along its sides.
struct QuadPlane: MapProjection {
    private let origin: Coordinate
    /// The vectors from the lower left corner to the right and up, and the deviation of the upper right corner from
    /// their sum.
    private let across: Coordinate
    private let up: Coordinate
    private let twist: Coordinate
    private let middle: Double

    /// Creates the plane of four corners: lower left, lower right, upper right, upper left; `nil` if they enclose no
    /// area.
    init?(_ corners: [Coordinate]) {
        guard corners.count == 4 else { return nil }
        origin = corners[0]
        across = Coordinate(x: corners[1].x - origin.x, y: corners[1].y - origin.y)
        up = Coordinate(x: corners[3].x - origin.x, y: corners[3].y - origin.y)
        twist = Coordinate(
            x: corners[2].x - origin.x - across.x - up.x, y: corners[2].y - origin.y - across.y - up.y)
        middle = corners.reduce(0) { $0 + $1.x } / 4
        guard abs(across.x * up.y - across.y * up.x) > 1e-18 else { return nil }
    }

    func forward(_ geographic: Coordinate) -> Coordinate? {
        // The nearest copy of the world.
        let x = geographic.x - ((geographic.x - middle) / 360).rounded() * 360 - origin.x, y = geographic.y - origin.y
        // x = s·across + t·up + s·t·twist, solved for t and then for s.
        let a = up.x * twist.y - up.y * twist.x
        let b = x * -twist.y + y * twist.x + up.x * across.y - up.y * across.x
        let c = y * across.x - x * across.y
        var roots: [Double] = []
        if abs(a) < 1e-12 * max(abs(b), 1e-300) {
            roots = [-c / b]
        } else {
            let inside = b * b - 4 * a * c
            guard inside >= 0 else { return nil }
            // Avoids the difference of two nearly equal numbers.
            let q = -(b + (b < 0 ? -inside.squareRoot() : inside.squareRoot())) / 2
            roots = [q / a, c / q]
        }
        let places = roots.compactMap { t -> Coordinate? in
            let wideX = across.x + t * twist.x, wideY = across.y + t * twist.y
            let s = abs(wideX) > abs(wideY) ? (x - t * up.x) / wideX : (y - t * up.y) / wideY
            return s.isFinite && t.isFinite ? Coordinate(x: s, y: t) : nil
        }
        func distance(_ place: Coordinate) -> Double { max(abs(place.x - 0.5), abs(place.y - 0.5)) }
        return places.min { distance($0) < distance($1) }
    }

    func inverse(_ projected: Coordinate) -> Coordinate? {
        let s = projected.x, t = projected.y
        let place = Coordinate(
            x: origin.x + s * across.x + t * up.x + s * t * twist.x,
            y: origin.y + s * across.y + t * up.y + s * t * twist.y)
        return abs(place.y) <= 90 ? place : nil
    }
}
