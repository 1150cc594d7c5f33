/// A point on the sphere as a unit vector.
package struct Direction: Hashable, Sendable {
    private let x: Double
    private let y: Double
    private let z: Double

    /// Creates the direction of a longitude and latitude in degrees.
    package init(_ place: Coordinate) {
        let longitude = place.x * Angle.radiansPerDegree, latitude = place.y * Angle.radiansPerDegree
        let outward = Libm.cosine(latitude)
        self.init(x: outward * Libm.cosine(longitude), y: outward * Libm.sine(longitude), z: Libm.sine(latitude))
    }

    private init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// The longitude and latitude in degrees.
    package var place: Coordinate {
        Coordinate(
            longitude: Libm.arcTangent(y: y, x: x) / Angle.radiansPerDegree,
            latitude: Libm.arcTangent(y: z, x: Libm.hypotenuse(x, y)) / Angle.radiansPerDegree)
    }

    /// Returns the cosine of the angle between two directions.
    func cosine(to other: Direction) -> Double { x * other.x + y * other.y + z * other.z }

    /// Returns the midpoint of the shorter great-circle arc to another direction, or `nil` for antipodal directions.
    package func middle(to other: Direction) -> Direction? {
        let sum = (x: x + other.x, y: y + other.y, z: z + other.z)
        let length = (sum.x * sum.x + sum.y * sum.y + sum.z * sum.z).squareRoot()
        guard length > 1e-9 else { return nil }
        return Direction(x: sum.x / length, y: sum.y / length, z: sum.z / length)
    }

    /// Returns the length of the chord to another direction; for nearby points it approximates the angle in radians.
    package func chord(to other: Direction) -> Double {
        let x = x - other.x, y = y - other.y, z = z - other.z
        return (x * x + y * y + z * z).squareRoot()
    }
}
