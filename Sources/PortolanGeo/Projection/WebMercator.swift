/// Spherical Mercator on the semi-major axis of WGS 84, as EPSG:3857 defines it.
///
/// Source: IOGP 373-7-2, EPSG method 1024 (Popular Visualisation Pseudo Mercator).
enum WebMercator {
    static let radius = Ellipsoid.wgs84.semiMajorAxis

    /// The length of the equator, in metres: the x after which the world repeats.
    static let worldWidth = 2 * Double.pi * radius

    static func project(_ geographic: Coordinate) -> Coordinate? {
        guard abs(geographic.y) < 90 else { return nil }
        let latitude = geographic.y * .pi / 180
        return Coordinate(
            x: radius * (geographic.x * .pi / 180),
            y: radius * Libm.inverseHyperbolicSine(Libm.tangent(latitude)))
    }

    static func unproject(_ projected: Coordinate) -> Coordinate? {
        let latitude = Libm.arcTangent(Libm.hyperbolicSine(projected.y / radius))
        return Coordinate(x: projected.x / radius * 180 / .pi, y: latitude * 180 / .pi)
    }
}
