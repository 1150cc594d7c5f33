extension Ellipsoid {
    /// A shift from a datum to WGS 84 by seven parameters, in geocentric coordinates.
    ///
    /// Such a shift is a mean over a country, accurate to one or a few metres, whereas a surveyor's grid would be accurate
    /// to centimetres. Heights are assumed to be 0 on either ellipsoid, which moves no point by more than a centimetre.
    ///
    /// Source: IOGP 373-7-2, EPSG methods 9606 (position vector) and 9603 (translations alone), and 9602 (geographic to
    /// geocentric).
    public struct DatumShift: Hashable, Sendable {
        /// The ellipsoid of the datum.
        let ellipsoid: Ellipsoid
        /// The rows of the rotation and scale matrix, and the translation applied after it, in metres.
        let forward: GeocentricMap
        let backward: GeocentricMap

        /// Creates a shift in the position vector convention.
        ///
        /// The coordinate frame convention has rotations of opposite sign.
        ///
        /// - Parameters:
        ///   - translation: the translation in metres.
        ///   - rotation: the small rotations about the three axes, in arc seconds.
        ///   - scale: the scale change in parts per million.
        public init(
            ellipsoid: Ellipsoid, translation: (x: Double, y: Double, z: Double),
            rotation: (x: Double, y: Double, z: Double) = (0, 0, 0), scale: Double = 0
        ) {
            self.ellipsoid = ellipsoid
            let m = 1 + scale * 1e-6, second = Double.pi / 180 / 3600
            let (rx, ry, rz) = (rotation.x * second, rotation.y * second, rotation.z * second)
            let t = GeocentricVector(translation.x, translation.y, translation.z)
            forward = GeocentricMap(
                x: GeocentricVector(m, -m * rz, m * ry), y: GeocentricVector(m * rz, m, -m * rx),
                z: GeocentricVector(-m * ry, m * rx, m), add: t)
            // The inverse of 1 + [r] is (1 + r rᵀ - [r]) / (1 + r·r).
            let k = 1 / (m * (1 + rx * rx + ry * ry + rz * rz))
            let x = GeocentricVector(k * (1 + rx * rx), k * (rz + rx * ry), k * (rx * rz - ry))
            let y = GeocentricVector(k * (rx * ry - rz), k * (1 + ry * ry), k * (rx + ry * rz))
            let z = GeocentricVector(k * (ry + rx * rz), k * (ry * rz - rx), k * (1 + rz * rz))
            backward = GeocentricMap(x: x, y: y, z: z, add: GeocentricVector(-x.dot(t), -y.dot(t), -z.dot(t)))
        }
    }
}

/// A change between two datums, through geocentric coordinates.
///
/// It is a class, because its parameters would otherwise be copied for each coordinate.
final class DatumChange: Sendable {
    private let forward: GeocentricMap?
    private let backward: GeocentricMap?
    private let sourceEllipsoid: Ellipsoid
    private let targetEllipsoid: Ellipsoid

    /// Creates the change between two datums given by their shifts, where `nil` is WGS 84 or equivalent.
    ///
    /// Returns `nil` if the datums are equal.
    init?(from source: Ellipsoid.DatumShift?, to target: Ellipsoid.DatumShift?) {
        guard source != target else { return nil }
        forward = source?.forward
        backward = target?.backward
        sourceEllipsoid = source?.ellipsoid ?? .wgs84
        targetEllipsoid = target?.ellipsoid ?? .wgs84
    }

    /// Transforms a longitude and latitude in degrees; longitudes beyond 180° stay in their copy of the world.
    func callAsFunction(_ place: Coordinate) -> Coordinate {
        var geocentric = Self.geocentric(place, sourceEllipsoid)
        if let forward { geocentric = forward(geocentric) }
        if let backward { geocentric = backward(geocentric) }
        return Self.geographic(geocentric, targetEllipsoid).nearest(to: place)
    }

    private static func geocentric(_ place: Coordinate, _ ellipsoid: Ellipsoid) -> GeocentricVector {
        let latitude = place.y * Angle.radiansPerDegree, longitude = place.x * Angle.radiansPerDegree
        let sine = Libm.sine(latitude), e2 = ellipsoid.eccentricitySquared
        let radius = ellipsoid.semiMajorAxis / (1 - e2 * sine * sine).squareRoot()
        let outward = radius * Libm.cosine(latitude)
        return GeocentricVector(
            outward * Libm.cosine(longitude), outward * Libm.sine(longitude), radius * (1 - e2) * sine)
    }

    /// Converts by Bowring's formula, which is exact to 1e-12° within tens of kilometres of the ellipsoid.
    private static func geographic(_ place: GeocentricVector, _ ellipsoid: Ellipsoid) -> Coordinate {
        let a = ellipsoid.semiMajorAxis, e2 = ellipsoid.eccentricitySquared, b = a * (1 - e2).squareRoot()
        let outward = Libm.hypotenuse(place.x, place.y)
        // The parametric latitude, as sine and cosine.
        let length = Libm.hypotenuse(place.z * a, outward * b)
        let sine = place.z * a / length, cosine = outward * b / length
        let latitude = Libm.arcTangent(
            y: place.z + e2 / (1 - e2) * b * sine * sine * sine, x: outward - e2 * a * cosine * cosine * cosine)
        return Coordinate(
            longitude: Libm.arcTangent(y: place.y, x: place.x) / Angle.radiansPerDegree,
            latitude: latitude / Angle.radiansPerDegree)
    }
}

/// An affine map of geocentric coordinates.
struct GeocentricMap: Hashable, Sendable {
    let x, y, z, add: GeocentricVector

    func callAsFunction(_ place: GeocentricVector) -> GeocentricVector {
        GeocentricVector(x.dot(place) + add.x, y.dot(place) + add.y, z.dot(place) + add.z)
    }
}

/// Three numbers: a geocentric coordinate in metres, or a row of a matrix.
struct GeocentricVector: Hashable, Sendable {
    let x, y, z: Double

    init(_ x: Double, _ y: Double, _ z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    func dot(_ other: GeocentricVector) -> Double { x * other.x + y * other.y + z * other.z }
}
