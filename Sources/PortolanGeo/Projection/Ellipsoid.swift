/// An ellipsoid of revolution that stands for the shape of the earth.
public struct Ellipsoid: Hashable, Sendable {
    /// Half the equator's diameter, in metres.
    public let semiMajorAxis: Double
    /// The flattening.
    public let flattening: Double

    /// Makes an ellipsoid from its semi-major axis in metres and its inverse flattening.
    public init(semiMajorAxis: Double, inverseFlattening: Double) {
        self.semiMajorAxis = semiMajorAxis
        flattening = 1 / inverseFlattening
    }

    /// Makes an ellipsoid from its two semi-axes in metres.
    public init(semiMajorAxis: Double, semiMinorAxis: Double) {
        self.semiMajorAxis = semiMajorAxis
        flattening = (semiMajorAxis - semiMinorAxis) / semiMajorAxis
    }

    /// The ellipsoid of WGS 84 (EPSG:7030).
    public static let wgs84 = Ellipsoid(semiMajorAxis: 6_378_137, inverseFlattening: 298.257223563)

    /// The ellipsoid of ETRS89 (EPSG:7019).
    public static let grs80 = Ellipsoid(semiMajorAxis: 6_378_137, inverseFlattening: 298.257222101)
}
