/// The two-point equidistant projection of a sphere: distances from two points are true.
///
/// The points are on the horizontal axis, the first one at the left. The domain ends before the arc between their
/// antipodes, along which the map would be cut.
///
/// Source: Snyder and Voxland, *An Album of Map Projections*. Of a triangle, the term of Heron's formulas that is nearly
/// zero follows from the height, so that no digits are lost near the axis.
struct TwoPointEquidistant: MapProjection, DescribedProjection {
    private let first: UnitVector
    private let second: UnitVector
    private let pole: UnitVector
    let parameters: ProjectionParameters?
    private let radius: Double
    private let falseOrigin: Coordinate
    private let circle: SphereCircle
    /// The angle between the points in radians.
    private let base: Double

    /// Creates a projection, or returns `nil` if the points are closer than 0.001°, or nearly antipodal.
    ///
    /// It uses the sphere with the semi-major axis.
    init?(ellipsoid: Ellipsoid, first: Coordinate, second: Coordinate, falseOrigin: Coordinate) {
        parameters = ProjectionParameters(
            method: .twoPointEquidistant, ellipsoid: ellipsoid, origin: first, secondPoint: second,
            falseOrigin: falseOrigin)
        self.first = UnitVector(first)
        self.second = UnitVector(second)
        let normal = self.first.cross(self.second)
        base = Libm.arcTangent(y: normal.length, x: self.first.dot(self.second))
        guard base > 0.001 * Angle.radiansPerDegree, base < 179 * Angle.radiansPerDegree,
            let middle = Direction(first).middle(to: Direction(second))
        else { return nil }
        pole = normal.scaled(by: 1 / normal.length)
        radius = ellipsoid.semiMajorAxis
        self.falseOrigin = falseOrigin
        circle = SphereCircle(center: middle.place, radius: 179 - base / Angle.radiansPerDegree / 2)
    }

    var domain: ProjectionDomain { .cap(center: circle.center, radius: circle.radius) }

    func forward(_ geographic: Coordinate) -> Coordinate? {
        // Edges of shapes along the circle may bulge beyond it.
        guard circle.cosine(of: geographic) >= circle.cosineOfRadius - 1e-3 else { return nil }
        let place = UnitVector(geographic)
        let a = first.angle(to: place), b = second.angle(to: place), height = place.dot(pole)
        let half = (a + b + base) / 2, sine = Libm.sine(base) * height / 2
        // sin s · sin(s−a) · sin(s−b) · sin(s−c) is the square of `sine`.
        var factors = [half, half - a, half - b, half - base]
        let angles = [.pi - half, half - a, half - b, half - base]
        let least = angles.indices.min { angles[$0] < angles[$1] } ?? 0
        if least > 0 {
            let others = angles.indices.filter { $0 != least }.reduce(1) { $0 * Libm.sine(angles[$1]) }
            if others > 0 { factors[least] = Libm.arcSine(min(sine * sine / others, 1)) }
        }
        let area = factors.reduce(1) { $0 * max($1, 0) }.squareRoot()
        let x = (a - b) * (a + b) / (2 * base), y = (height < 0 ? -2 : 2) * area / base
        return Coordinate(x: falseOrigin.x + radius * x, y: falseOrigin.y + radius * y)
    }

    func inverse(_ projected: Coordinate) -> Coordinate? {
        let x = (projected.x - falseOrigin.x) / radius, y = (projected.y - falseOrigin.y) / radius
        let a = Libm.hypotenuse(x + base / 2, y), b = Libm.hypotenuse(x - base / 2, y)
        let half = (a + b + base) / 2
        guard half < .pi else { return nil }
        var factors = [half, half - a, half - b, half - base]
        let least = (1...3).min { factors[$0] < factors[$1] } ?? 3
        let others = factors.indices.filter { $0 != least }.reduce(1) { $0 * factors[$1] }, area = base * y / 2
        if others > 0 { factors[least] = area * area / others }
        let product = factors.reduce(1) { $0 * max(Libm.sine($1), 0) }
        let height = 2 * product.squareRoot() / Libm.sine(base) * (y < 0 ? -1 : 1)
        // In the plane of both points, by their cosines.
        let (c, s) = (Libm.cosine(base), Libm.sine(base))
        let one = (Libm.cosine(a) - c * Libm.cosine(b)) / (s * s)
        let other = (Libm.cosine(b) - c * Libm.cosine(a)) / (s * s)
        let place = first.scaled(by: one).plus(second.scaled(by: other)).plus(pole.scaled(by: height)).place
        guard circle.cosine(of: place) >= circle.cosineOfRadius - 2e-9 else { return nil }
        return place
    }
}

/// A vector from the centre of a sphere.
private struct UnitVector: Hashable, Sendable {
    var x: Double
    var y: Double
    var z: Double

    init(x: Double, y: Double, z: Double) {
        (self.x, self.y, self.z) = (x, y, z)
    }

    init(_ place: Coordinate) {
        let (s, c) = Angle.sineAndCosine(place.y), (sl, cl) = Angle.sineAndCosine(place.x)
        self.init(x: c * cl, y: c * sl, z: s)
    }

    var length: Double { Libm.hypotenuse(Libm.hypotenuse(x, y), z) }

    var place: Coordinate {
        Coordinate(
            longitude: Libm.arcTangent(y: y, x: x) / Angle.radiansPerDegree,
            latitude: Libm.arcTangent(y: z, x: Libm.hypotenuse(x, y)) / Angle.radiansPerDegree)
    }

    func dot(_ other: UnitVector) -> Double { x * other.x + y * other.y + z * other.z }

    func cross(_ other: UnitVector) -> UnitVector {
        UnitVector(x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
    }

    func angle(to other: UnitVector) -> Double { Libm.arcTangent(y: cross(other).length, x: dot(other)) }

    func scaled(by factor: Double) -> UnitVector { UnitVector(x: x * factor, y: y * factor, z: z * factor) }

    func plus(_ other: UnitVector) -> UnitVector { UnitVector(x: x + other.x, y: y + other.y, z: z + other.z) }
}
