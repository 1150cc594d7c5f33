/// A place on the sphere as a vector of length 1.
package struct Direction: Hashable, Sendable {
    private let x: Double
    private let y: Double
    private let z: Double

    /// The direction of a longitude and latitude in degrees.
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

    /// The cosine of the angle between two directions.
    func cosine(to other: Direction) -> Double { x * other.x + y * other.y + z * other.z }

    /// The middle of the great circle's shorter arc to another, or `nil` to the place on the far side of the sphere, to
    /// which all ways are as short.
    package func middle(to other: Direction) -> Direction? {
        let sum = (x: x + other.x, y: y + other.y, z: z + other.z)
        let length = (sum.x * sum.x + sum.y * sum.y + sum.z * sum.z).squareRoot()
        guard length > 1e-9 else { return nil }
        return Direction(x: sum.x / length, y: sum.y / length, z: sum.z / length)
    }

    /// The length of the chord to another; between near places it is the angle in radians.
    package func chord(to other: Direction) -> Double {
        let x = x - other.x, y = y - other.y, z = z - other.z
        return (x * x + y * y + z * z).squareRoot()
    }
}
