/// The Robinson projection: a table of lengths and distances of the parallels every 5 degrees.
///
/// Robinson left the interpolation open. The cubics are those of the PROJ library, in single precision, so that
/// coordinates agree with other software. Source of the table: A. Robinson, *A new map projection* (1974).
struct RobinsonFormula: WorldFormula {
    private static let width = 0.8487, height = 1.3523, step = 5.0

    /// Returns the value and slope of a cubic.
    private static func value(_ cubic: [Float], _ t: Double) -> (value: Double, slope: Double) {
        let c = (Double(cubic[0]), Double(cubic[1]), Double(cubic[2]), Double(cubic[3]))
        return (c.0 + t * (c.1 + t * (c.2 + t * c.3)), c.1 + t * (2 * c.2 + t * 3 * c.3))
    }

    func forward(_ longitude: Double, _ latitude: Double) -> (x: Double, y: Double) {
        let degrees = abs(latitude) / Angle.radiansPerDegree
        let row = min(Int(degrees / Self.step), 18), t = degrees - Double(row) * Self.step
        let y = Self.height * Self.value(Self.distances[row], t).value
        return (Self.width * longitude * Self.value(Self.lengths[row], t).value, latitude < 0 ? -y : y)
    }

    func inverse(_ x: Double, _ y: Double) -> (longitude: Double, latitude: Double)? {
        let distance = abs(y) / Self.height
        guard distance <= 1 + 1e-9 else { return nil }
        let row = max((Self.distances.firstIndex { Double($0[0]) > distance } ?? 19) - 1, 0)
        let cubic = Self.distances[row]
        let t =
            row == 18
            ? 0
            : root(near: (distance - Double(cubic[0])) / Double(cubic[1])) { t in
                let found = Self.value(cubic, t)
                return (found.value - distance, found.slope)
            }
        let latitude = (Double(row) * Self.step + t) * Angle.radiansPerDegree
        let longitude = x / Self.width / Self.value(Self.lengths[row], t).value
        return (longitude, y < 0 ? -latitude : latitude)
    }

    /// The lengths of the parallels, as cubics in the degrees from each.
    private static let lengths: [[Float]] = [
        [1, 2.2199e-17, -7.15515e-05, 3.1103e-06], [0.9986, -0.000482243, -2.4897e-05, -1.3309e-06],
        [0.9954, -0.00083103, -4.48605e-05, -9.86701e-07], [0.99, -0.00135364, -5.9661e-05, 3.6777e-06],
        [0.9822, -0.00167442, -4.49547e-06, -5.72411e-06], [0.973, -0.00214868, -9.03571e-05, 1.8736e-08],
        [0.96, -0.00305085, -9.00761e-05, 1.64917e-06], [0.9427, -0.00382792, -6.53386e-05, -2.6154e-06],
        [0.9216, -0.00467746, -0.00010457, 4.81243e-06], [0.8962, -0.00536223, -3.23831e-05, -5.43432e-06],
        [0.8679, -0.00609363, -0.000113898, 3.32484e-06], [0.835, -0.00698325, -6.40253e-05, 9.34959e-07],
        [0.7986, -0.00755338, -5.00009e-05, 9.35324e-07], [0.7597, -0.00798324, -3.5971e-05, -2.27626e-06],
        [0.7186, -0.00851367, -7.01149e-05, -8.6303e-06], [0.6732, -0.00986209, -0.000199569, 1.91974e-05],
        [0.6213, -0.010418, 8.83923e-05, 6.24051e-06], [0.5722, -0.00906601, 0.000182, 6.24051e-06],
        [0.5322, -0.00677797, 0.000275608, 6.24051e-06],
    ]

    /// The distances of the parallels from the equator.
    private static let distances: [[Float]] = [
        [-5.20417e-18, 0.0124, 1.21431e-18, -8.45284e-11], [0.062, 0.0124, -1.26793e-09, 4.22642e-10],
        [0.124, 0.0124, 5.07171e-09, -1.60604e-09], [0.186, 0.0123999, -1.90189e-08, 6.00152e-09],
        [0.248, 0.0124002, 7.10039e-08, -2.24e-08], [0.31, 0.0123992, -2.64997e-07, 8.35986e-08],
        [0.372, 0.0124029, 9.88983e-07, -3.11994e-07], [0.434, 0.0123893, -3.69093e-06, -4.35621e-07],
        [0.4958, 0.0123198, -1.02252e-05, -3.45523e-07], [0.5571, 0.0121916, -1.54081e-05, -5.82288e-07],
        [0.6176, 0.0119938, -2.41424e-05, -5.25327e-07], [0.6769, 0.011713, -3.20223e-05, -5.16405e-07],
        [0.7346, 0.0113541, -3.97684e-05, -6.09052e-07], [0.7903, 0.0109107, -4.89042e-05, -1.04739e-06],
        [0.8435, 0.0103431, -6.4615e-05, -1.40374e-09], [0.8936, 0.00969686, -6.4636e-05, -8.547e-06],
        [0.9394, 0.00840947, -0.000192841, -4.2106e-06], [0.9761, 0.00616527, -0.000256, -4.2106e-06],
        [1, 0.00328947, -0.000319159, -4.2106e-06],
    ]
}

/// The Natural Earth projection by its polynomials.
///
/// Source: B. Šavrič, B. Jenny, T. Patterson, D. Petrovič, L. Hurni, *A polynomial equation for the Natural Earth
/// projection* (2011).
struct NaturalEarthFormula: WorldFormula {
    private func length(_ latitude: Double) -> Double {
        let p = latitude * latitude, sixth = p * p * p
        return 0.8707 + p * (-0.131979 + p * (-0.013791 + sixth * (0.003971 - 0.001529 * p)))
    }

    private func northing(_ latitude: Double) -> (value: Double, slope: Double) {
        let p = latitude * latitude, q = p * p
        return (
            latitude * (1.007226 + p * (0.015085 + q * (-0.044475 + 0.028874 * p - 0.005916 * q))),
            1.007226 + p * (3 * 0.015085 + q * (-7 * 0.044475 + 9 * 0.028874 * p - 11 * 0.005916 * q))
        )
    }

    func forward(_ longitude: Double, _ latitude: Double) -> (x: Double, y: Double) {
        (longitude * length(latitude), northing(latitude).value)
    }

    func inverse(_ x: Double, _ y: Double) -> (longitude: Double, latitude: Double)? {
        guard abs(y) <= northing(.pi / 2).value + 1e-9 else { return nil }
        let latitude = root(near: y) { latitude in
            let northing = northing(latitude)
            return (northing.value - y, northing.slope)
        }
        return (x / length(latitude), latitude)
    }
}

/// The Winkel Tripel projection: the mean of the Aitoff and the equirectangular projection.
///
/// Source: O. Winkel (1921); Snyder and Voxland, *An Album of Map Projections*.
struct WinkelTripelFormula: WorldFormula {
    /// The cosine of the standard parallel.
    private let cosine: Double

    /// Creates the formula with a standard parallel in degrees; `nil` for Winkel's, whose cosine is 2/π.
    init(standardParallel: Double?) {
        cosine = standardParallel.map { Libm.cosine($0 * Angle.radiansPerDegree) } ?? 2 / .pi
    }

    func forward(_ longitude: Double, _ latitude: Double) -> (x: Double, y: Double) {
        let inward = Libm.cosine(latitude), half = longitude / 2
        let east = inward * Libm.sine(half), north = Libm.sine(latitude), sine = Libm.hypotenuse(east, north)
        let factor = sine > 0 ? Libm.arcTangent(y: sine, x: inward * Libm.cosine(half)) / sine : 1
        return (factor * east + longitude * cosine / 2, (factor * north + latitude) / 2)
    }

    /// Solves both equations by Newton's method.
    func inverse(_ x: Double, _ y: Double) -> (longitude: Double, latitude: Double)? {
        guard abs(x) < 3, abs(y) <= .pi / 2 + 1e-9 else { return nil }
        var longitude = x, latitude = y, last = Double.infinity
        for _ in 0..<60 {
            let half = longitude / 2, (s, c) = (Libm.sine(latitude), Libm.cosine(latitude))
            let (sh, ch) = (Libm.sine(half), Libm.cosine(half))
            let east = c * sh, square = east * east + s * s, sine = square.squareRoot()
            let angle = Libm.arcTangent(y: sine, x: c * ch)
            let factor = sine > 1e-9 ? angle / sine : 1
            // The derivative of `factor` by the cosine of the angle.
            let slope = sine > 1e-4 ? (factor * c * ch - 1) / square : -1.0 / 3
            let byLongitude = -slope * c * sh / 2, byLatitude = -slope * s * ch
            let fx = factor * east + longitude * cosine / 2 - x, fy = (factor * s + latitude) / 2 - y
            let xl = byLongitude * east + (factor * c * ch + cosine) / 2, xp = byLatitude * east - factor * s * sh
            let yl = byLongitude * s / 2, yp = (byLatitude * s + factor * c + 1) / 2
            let determinant = xl * yp - xp * yl
            let stepX = (fx * yp - fy * xp) / determinant, stepY = (fy * xl - fx * yl) / determinant
            guard stepX.isFinite, stepY.isFinite else { return nil }
            longitude = min(max(longitude - stepX, -3.6), 3.6)
            latitude = min(max(latitude - stepY, -1.65), 1.65)
            last = max(abs(stepX), abs(stepY))
            if last <= 1e-15 { break }
        }
        return last < 1e-10 ? (longitude, latitude) : nil
    }
}
