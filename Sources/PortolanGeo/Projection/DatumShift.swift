/// The way from a datum to WGS 84 by seven parameters, over geocentric coordinates.
///
/// Such a shift is the mean over a country: good to a metre or a few, where a grid of the surveyor's would give
/// centimetres. Heights are taken as 0 on either ellipsoid, which moves no place by more than a centimetre.
///
/// Source: IOGP 373-7-2, EPSG methods 9606 (position vector) and 9603 (translations alone), and 9602 (geographic to
/// geocentric).
public struct DatumShift: Hashable, Sendable {
    /// The ellipsoid of the datum.
    public let ellipsoid: Ellipsoid
    /// The rows of the matrix that turns and scales, and what is added after it, in metres.
    let forward: GeocentricMap
    let backward: GeocentricMap

    /// Makes a shift in the convention of the position vector; that of the coordinate frame has rotations of the other
    /// sign.
    ///
    /// - Parameters:
    ///   - translation: in metres.
    ///   - rotation: about the three axes, in seconds of arc; small angles, as the methods take them.
    ///   - scale: what lengths grow by, in parts per million.
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
