/// Oblique stereographic projection of Gauss's sphere, the double projection of the Netherlands and Romania.
///
/// Places more than 90° from the origin are outside the domain.
///
/// Source: IOGP 373-7-2, EPSG method 9809.
public struct ObliqueStereographic: MapProjection {
    private let centralMeridian: Double
    private let falseOrigin: Coordinate
    private let sphere: GaussSphere
    private let radius: Double

    /// Makes a projection.
    ///
    /// - Parameters:
    ///   - origin: the centre, in degrees.
    ///   - falseOrigin: its easting and northing, in metres.
    public init(ellipsoid: Ellipsoid, origin: Coordinate, scaleFactor: Double, falseOrigin: Coordinate) {
        centralMeridian = origin.x
        self.falseOrigin = falseOrigin
        sphere = GaussSphere(ellipsoid, latitude: origin.y)
        radius = 2 * sphere.radius * scaleFactor
    }

    /// Implements ``MapProjection/forward(_:)``.
    public func forward(_ geographic: Coordinate) -> Coordinate? {
        let difference = Angle.difference(geographic.x, from: centralMeridian)
        guard abs(difference) <= 90 else { return nil }
        let (s, c) = sphere.sineAndCosine(geographic.y)
        let angle = sphere.exponent * difference * Angle.radiansPerDegree
        let inward = c * Libm.cosine(angle)
        let distance = s * sphere.sine + inward * sphere.cosine
        guard distance >= -1e-9 else { return nil }
        let scale = radius / (1 + distance)
        return Coordinate(
            x: falseOrigin.x + scale * c * Libm.sine(angle),
            y: falseOrigin.y + scale * (s * sphere.cosine - inward * sphere.sine))
    }

    /// Implements ``MapProjection/inverse(_:)``.
    public func inverse(_ projected: Coordinate) -> Coordinate? {
        let x = (projected.x - falseOrigin.x) / radius, y = (projected.y - falseOrigin.y) / radius
        let squared = x * x + y * y
        guard squared <= 1 + 1e-8 else { return nil }
        let eastward = 2 * x / (1 + squared), northward = 2 * y / (1 + squared)
        let distance = (1 - squared) / (1 + squared)
        let inward = distance * sphere.cosine - northward * sphere.sine
        let outward = Libm.hypotenuse(eastward, inward)
        guard let longitude = sphere.longitude(eastward: eastward, inward: inward, within: 90) else { return nil }
        let latitude = sphere.latitude(
            northward: distance * sphere.sine + northward * sphere.cosine,
            outward: outward)
        return Coordinate(longitude: Angle.wrapped(centralMeridian + longitude), latitude: latitude)
    }
}
