/// Transverse Mercator on an ellipsoid, by Krüger's series in the third flattening to the sixth order.
///
/// The error is below a nanometre within 3 000 km of the central meridian. Longitudes more than 80° from it are outside
/// the domain.
///
/// Source: C. Karney, *Transverse Mercator with an accuracy of a few nanometers* (2011), equations 10, 11, 35 and 36;
/// IOGP 373-7-2, EPSG method 9807.
public struct TransverseMercator: MapProjection, DescribedProjection {
    /// The maximum longitude difference from the central meridian in degrees.
    private static let halfWidth = 80.0

    /// Implements ``MapProjection/domain``.
    public var domain: ProjectionDomain {
        .box(meridian: centralMeridian, halfWidth: Self.halfWidth, latitudes: -90...90)
    }

    /// The central meridian in degrees: a straight line of true or least scale.
    package let centralMeridian: Double
    let parameters: ProjectionParameters?
    private let falseEasting: Double
    private var northingOfOrigin = 0.0
    private let eccentricity: Double
    /// The radius of the rectifying sphere times the scale factor, in metres.
    private let radius: Double
    private let forward: Series
    private let backward: Series

    /// The six coefficients of one direction of the series.
    private struct Series: Hashable, Sendable {
        var c1, c2, c3, c4, c5, c6: Double
    }

    /// Creates a projection.
    ///
    /// - Parameters:
    ///   - centralMeridian: the central meridian in degrees.
    ///   - latitudeOfOrigin: the latitude with the northing `falseNorthing`, in degrees.
    ///   - scaleFactor: the scale factor on the central meridian.
    ///   - falseEasting: the false easting in metres.
    ///   - falseNorthing: the false northing in metres.
    public init(
        ellipsoid: Ellipsoid, centralMeridian: Double, latitudeOfOrigin: Double, scaleFactor: Double,
        falseEasting: Double, falseNorthing: Double
    ) {
        let f = ellipsoid.flattening
        let n = f / (2 - f)
        let n2 = n * n, n3 = n2 * n, n4 = n2 * n2, n5 = n4 * n, n6 = n3 * n3
        self.centralMeridian = centralMeridian
        self.falseEasting = falseEasting
        parameters = ProjectionParameters(
            method: .transverseMercator, ellipsoid: ellipsoid,
            origin: Coordinate(x: centralMeridian, y: latitudeOfOrigin), scaleFactor: scaleFactor,
            falseOrigin: Coordinate(x: falseEasting, y: falseNorthing))
        eccentricity = (f * (2 - f)).squareRoot()
        radius = scaleFactor * ellipsoid.semiMajorAxis / (1 + n) * (1 + n2 / 4 + n4 / 64 + n6 / 256)
        let a1 = n / 2 - n2 * 2 / 3 + n3 * 5 / 16 + n4 * 41 / 180 - n5 * 127 / 288 + n6 * 7891 / 37800
        let a2 = n2 * 13 / 48 - n3 * 3 / 5 + n4 * 557 / 1440 + n5 * 281 / 630 - n6 * 1_983_433 / 1_935_360
        let a3 = n3 * 61 / 240 - n4 * 103 / 140 + n5 * 15061 / 26880 + n6 * 167_603 / 181_440
        let a4 = n4 * 49561 / 161_280 - n5 * 179 / 168 + n6 * 6_601_661 / 7_257_600
        let a5 = n5 * 34729 / 80640 - n6 * 3_418_889 / 1_995_840
        let a6 = n6 * 212_378_941 / 319_334_400
        forward = Series(c1: a1, c2: a2, c3: a3, c4: a4, c5: a5, c6: a6)
        let b1 = n / 2 - n2 * 2 / 3 + n3 * 37 / 96 - n4 / 360 - n5 * 81 / 512 + n6 * 96199 / 604_800
        let b2 = n2 / 48 + n3 / 15 - n4 * 437 / 1440 + n5 * 46 / 105 - n6 * 1_118_711 / 3_870_720
        let b3 = n3 * 17 / 480 - n4 * 37 / 840 - n5 * 209 / 4480 + n6 * 5569 / 90720
        let b4 = n4 * 4397 / 161_280 - n5 * 11 / 504 - n6 * 830_251 / 7_257_600
        let b5 = n5 * 4583 / 161_280 - n6 * 108_847 / 3_991_680
        let b6 = n6 * 20_648_693 / 638_668_800
        backward = Series(c1: b1, c2: b2, c3: b3, c4: b4, c5: b5, c6: b6)
        let origin = forward(Coordinate(longitude: centralMeridian, latitude: latitudeOfOrigin))?.y ?? 0
        northingOfOrigin = falseNorthing - origin
    }

    /// Returns the projection of a UTM zone, 1 to 60.
    package static func utm(zone: Int, isSouth: Bool, on ellipsoid: Ellipsoid) -> TransverseMercator {
        TransverseMercator(
            ellipsoid: ellipsoid, centralMeridian: Double(zone) * 6 - 183, latitudeOfOrigin: 0, scaleFactor: 0.9996,
            falseEasting: 500_000, falseNorthing: isSouth ? 10_000_000 : 0)
    }

    /// Implements ``MapProjection/forward(_:)``.
    public func forward(_ geographic: Coordinate) -> Coordinate? {
        let difference = Angle.difference(geographic.x, from: centralMeridian)
        guard abs(difference) <= Self.halfWidth else { return nil }
        let longitude = difference * .pi / 180
        let tau = Libm.tangent(geographic.y * .pi / 180)
        let conformal = Ellipsoid.conformalTangent(tau, eccentricity: eccentricity)
        let cosine = Libm.cosine(longitude)
        let xi = Libm.arcTangent(y: conformal, x: cosine)
        let eta = Libm.inverseHyperbolicSine(Libm.sine(longitude) / Libm.hypotenuse(conformal, cosine))
        let (dXi, dEta) = sum(forward, xi: xi, eta: eta)
        return Coordinate(x: falseEasting + radius * (eta + dEta), y: northingOfOrigin + radius * (xi + dXi))
    }

    /// Implements ``MapProjection/inverse(_:)``.
    public func inverse(_ projected: Coordinate) -> Coordinate? {
        let xi = (projected.y - northingOfOrigin) / radius
        let eta = (projected.x - falseEasting) / radius
        // Beyond the pole or far from the meridian the series does not converge.
        guard abs(xi) <= .pi / 2 + 1e-9, abs(eta) <= 3 else { return nil }
        let (dXi, dEta) = sum(backward, xi: xi, eta: eta)
        let xiSphere = xi - dXi, etaSphere = eta - dEta
        let sinh = Libm.hyperbolicSine(etaSphere)
        let cosine = Libm.cosine(xiSphere)
        let outward = Libm.hypotenuse(sinh, cosine)
        let conformal = Libm.sine(xiSphere) / outward
        var longitude = Libm.arcTangent(y: sinh, x: cosine) * 180 / .pi
        if abs(longitude) > Self.halfWidth + 1e-9 {
            // The longitude of a pole is undefined.
            guard outward < 1e-12 else { return nil }
            longitude = 0
        }
        let latitude =
            Libm.arcTangent(Ellipsoid.geodeticTangent(conformal, eccentricity: eccentricity)) * 180 / .pi
        return Coordinate(longitude: Angle.wrapped(centralMeridian + longitude), latitude: latitude)
    }

    /// Returns the sums of the trigonometric series at `xi` and `eta`.
    private func sum(_ s: Series, xi: Double, eta: Double) -> (xi: Double, eta: Double) {
        var dXi = 0.0, dEta = 0.0
        func add(_ c: Double, _ order: Double) {
            dXi += c * Libm.sine(order * xi) * Libm.hyperbolicCosine(order * eta)
            dEta += c * Libm.cosine(order * xi) * Libm.hyperbolicSine(order * eta)
        }
        add(s.c6, 12)
        add(s.c5, 10)
        add(s.c4, 8)
        add(s.c3, 6)
        add(s.c2, 4)
        add(s.c1, 2)
        return (dXi, dEta)
    }
}
