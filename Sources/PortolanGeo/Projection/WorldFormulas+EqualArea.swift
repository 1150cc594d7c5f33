/// The Mollweide projection: parallels are straight, meridians ellipses, areas true.
///
/// Source: Snyder, *Map Projections: A Working Manual*, 31; the auxiliary angle is counted from the pole, where Newton's
/// method would otherwise fail.
struct MollweideFormula: WorldFormula {
    private static let width = 2 * 2.0.squareRoot() / Double.pi, height = 2.0.squareRoot()

    /// Returns u - sin u.
    private func excess(_ u: Double) -> Double {
        guard u < 0.2 else { return u - Libm.sine(u) }
        let square = u * u
        return u * square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72 * (1 - square / 110))))
    }

    func forward(_ longitude: Double, _ latitude: Double) -> (x: Double, y: Double) {
        let wanted = .pi * sineComplement(abs(latitude))
        guard wanted > 0 else { return (0, latitude < 0 ? -Self.height : Self.height) }
        let u = root(near: min(Libm.power(6 * wanted, 1.0 / 3), .pi)) { u in
            let half = Libm.sine(u / 2)
            return (excess(u) - wanted, 2 * half * half)
        }
        let y = Self.height * Libm.cosine(u / 2)
        return (Self.width * longitude * Libm.sine(u / 2), latitude < 0 ? -y : y)
    }

    func inverse(_ x: Double, _ y: Double) -> (longitude: Double, latitude: Double)? {
        let cosine = abs(y) / Self.height
        guard cosine <= 1 else { return nil }
        let half = Libm.arcCosine(cosine), sine = Libm.sine(half)
        let latitude = latitude(sineComplement: excess(2 * half) / .pi)
        return (sine > 0 ? x / Self.width / sine : x == 0 ? 0 : .infinity, y < 0 ? -latitude : latitude)
    }
}

/// The Eckert IV projection: poles are lines half as long as the equator, areas true.
///
/// Source: Snyder, *Map Projections: A Working Manual*, 32; the auxiliary angle is counted from the pole.
struct EckertIVFormula: WorldFormula {
    private static let width = 2 / (Double.pi * (4 + .pi)).squareRoot()
    private static let height = 2 * (Double.pi / (4 + .pi)).squareRoot()
    private static let area = 2 + Double.pi / 2

    private func excess(_ angle: Double) -> Double {
        let half = Libm.sine(angle / 2)
        return angle - Libm.sine(2 * angle) / 2 + 4 * half * half
    }

    func forward(_ longitude: Double, _ latitude: Double) -> (x: Double, y: Double) {
        let wanted = Self.area * sineComplement(abs(latitude))
        let angle =
            wanted > 0
            ? root(near: wanted.squareRoot()) { angle in
                let sine = Libm.sine(angle)
                return (excess(angle) - wanted, 2 * sine * (1 + sine))
            } : 0
        let y = Self.height * Libm.cosine(angle)
        return (Self.width * longitude * (1 + Libm.sine(angle)), latitude < 0 ? -y : y)
    }

    func inverse(_ x: Double, _ y: Double) -> (longitude: Double, latitude: Double)? {
        let cosine = abs(y) / Self.height
        guard cosine <= 1 + 1e-12 else { return nil }
        let angle = Libm.arcCosine(min(cosine, 1))
        let latitude = latitude(sineComplement: excess(angle) / Self.area)
        return (x / Self.width / (1 + Libm.sine(angle)), y < 0 ? -latitude : latitude)
    }
}

/// The Equal Earth projection on the authalic sphere; the unit is its radius.
///
/// Source: IOGP 373-7-2, EPSG method 1078; B. Šavrič, T. Patterson, B. Jenny, *The Equal Earth map projection* (2018).
struct EqualEarthFormula: WorldFormula {
    private static let a = (1.340264, -0.081106, 0.000893, 0.003796)
    private static let m = 3.0.squareRoot() / 2

    private let authalic: AuthalicLatitude

    init(_ ellipsoid: Ellipsoid) { authalic = AuthalicLatitude(ellipsoid) }

    private func northing(_ angle: Double) -> (value: Double, slope: Double) {
        let square = angle * angle, sixth = square * square * square, (a, b, c, d) = Self.a
        return (
            angle * (a + b * square + sixth * (c + d * square)),
            a + 3 * b * square + sixth * (7 * c + 9 * d * square)
        )
    }

    func forward(_ longitude: Double, _ latitude: Double) -> (x: Double, y: Double) {
        let angle = Libm.arcSine(Self.m * authalic.sineAndCosine(latitude).sine), northing = northing(angle)
        return (longitude * Libm.cosine(angle) / (Self.m * northing.slope), northing.value)
    }

    func inverse(_ x: Double, _ y: Double) -> (longitude: Double, latitude: Double)? {
        guard abs(y) < 2 else { return nil }
        let angle = root(near: y / Self.a.0) { angle in
            let northing = northing(angle)
            return (northing.value - y, northing.slope)
        }
        let sine = Libm.sine(angle) / Self.m
        guard abs(sine) <= 1 + 1e-12, abs(angle) < 1.2 else { return nil }
        let latitude = authalic.latitude(Libm.arcSine(min(max(sine, -1), 1)))
        return (x * Self.m * northing(angle).slope / Libm.cosine(angle), latitude)
    }
}

/// The sinusoidal projection: parallels and the central meridian have true lengths.
///
/// The unit is the semi-major axis. Source: Snyder, *Map Projections: A Working Manual*, 30, with the series of the
/// rectifying latitude in the third flattening.
struct SinusoidalFormula: WorldFormula {
    private let ellipsoid: Ellipsoid
    private let scale: Double
    private let terms: [Double]

    init(_ ellipsoid: Ellipsoid) {
        self.ellipsoid = ellipsoid
        let n = ellipsoid.flattening / (2 - ellipsoid.flattening), n2 = n * n
        scale = (1 + n2 / 4 + n2 * n2 / 64) / (1 + n)
        terms = [
            -3 * n / 2 + 9 * n * n2 / 16, 15 * n2 / 16 - 15 * n2 * n2 / 32, -35 * n * n2 / 48, 315 * n2 * n2 / 512,
        ]
    }

    /// Returns the length of the meridian from the equator.
    private func meridian(_ latitude: Double) -> Double {
        var sum = latitude
        for (index, term) in terms.enumerated() { sum += term * Libm.sine(2 * Double(index + 1) * latitude) }
        return scale * sum
    }

    func forward(_ longitude: Double, _ latitude: Double) -> (x: Double, y: Double) {
        (longitude * ellipsoid.parallelRadius(latitude), meridian(latitude))
    }

    func inverse(_ x: Double, _ y: Double) -> (longitude: Double, latitude: Double)? {
        guard abs(y) <= scale * .pi / 2 + 1e-12 else { return nil }
        let e2 = ellipsoid.eccentricitySquared
        let latitude = root(near: y / scale) { latitude in
            let sine = Libm.sine(latitude), w = 1 - e2 * sine * sine
            return (meridian(latitude) - y, (1 - e2) / (w * w.squareRoot()))
        }
        let parallel = ellipsoid.parallelRadius(latitude)
        guard parallel > 1e-12 else { return abs(x) < 1e-9 ? (0, latitude) : nil }
        return (x / parallel, latitude)
    }
}
