/// Geodesics on an ellipsoid for builds without GeographicLib.
///
/// Source: T. Vincenty, Direct and inverse solutions of geodesics on the ellipsoid with application of nested
/// equations, Survey Review XXIII 176 (1975); the accuracy is a tenth of a millimetre.
package struct GeodesicSeries {
    private let ellipsoid: Ellipsoid
    private let a, f, b: Double

    package init(_ ellipsoid: Ellipsoid) {
        self.ellipsoid = ellipsoid
        a = ellipsoid.semiMajorAxis
        f = ellipsoid.flattening
        b = a * (1 - f)
    }

    /// Returns the tangent, sine and cosine of the reduced latitude.
    private func reduced(_ latitude: Double) -> (tangent: Double, sine: Double, cosine: Double) {
        let tangent = (1 - f) * Libm.tangent(latitude * Angle.radiansPerDegree)
        let cosine = 1 / (1 + tangent * tangent).squareRoot()
        return (tangent, tangent * cosine, cosine)
    }

    /// Returns Vincenty's A and B.
    private func series(_ squaredCosineOfAzimuth: Double) -> (a: Double, b: Double) {
        let u2 = squaredCosineOfAzimuth * (a * a - b * b) / (b * b)
        return (
            1 + u2 / 16384 * (4096 + u2 * (-768 + u2 * (320 - 175 * u2))),
            u2 / 1024 * (256 + u2 * (-128 + u2 * (74 - 47 * u2)))
        )
    }

    /// Returns Vincenty's Δσ.
    private func correction(_ b: Double, sine: Double, cosine: Double, middle: Double) -> Double {
        let square = -1 + 2 * middle * middle
        return b * sine
            * (middle + b / 4 * (cosine * square - b / 6 * middle * (-3 + 4 * sine * sine) * (-3 + 4 * middle * middle)))
    }

    /// Returns Vincenty's longitude on the ellipsoid minus that on the sphere, divided by f · sin α.
    private func turn(
        _ squaredCosine: Double, sigma: Double, sine: Double, cosine: Double, middle: Double
    ) -> Double {
        let c = f / 16 * squaredCosine * (4 + f * (4 - 3 * squaredCosine))
        return (1 - c) * (sigma + c * sine * (middle + c * cosine * (-1 + 2 * middle * middle)))
    }

    /// Returns the point at a distance and direction from another one, in degrees clockwise from north.
    ///
    /// The longitude continues from that of the start, so it may exceed 180 degrees.
    package func place(from start: Coordinate, bearing: Double, meters: Double) -> Coordinate {
        let azimuth = Bearing.axes(degrees: bearing), u = reduced(start.y)
        let sigma1 = Libm.arcTangent(y: u.tangent, x: azimuth.cosine)
        let sineOfAzimuth = u.cosine * azimuth.sine, squaredCosine = 1 - sineOfAzimuth * sineOfAzimuth
        let (aa, bb) = series(squaredCosine)
        var sigma = meters / (b * aa), last = Double.infinity, rounds = 0
        while abs(sigma - last) > 1e-13, rounds < 50 {
            last = sigma
            let middle = Libm.cosine(2 * sigma1 + sigma)
            sigma =
                meters / (b * aa)
                + correction(bb, sine: Libm.sine(sigma), cosine: Libm.cosine(sigma), middle: middle)
            rounds += 1
        }
        let sine = Libm.sine(sigma), cosine = Libm.cosine(sigma), middle = Libm.cosine(2 * sigma1 + sigma)
        let northward = u.sine * sine - u.cosine * cosine * azimuth.cosine
        let latitude = Libm.arcTangent(
            y: u.sine * cosine + u.cosine * sine * azimuth.cosine,
            x: (1 - f) * Libm.hypotenuse(sineOfAzimuth, northward))
        let sphere = Libm.arcTangent(y: sine * azimuth.sine, x: u.cosine * cosine - u.sine * sine * azimuth.cosine)
        let turn = turn(squaredCosine, sigma: sigma, sine: sine, cosine: cosine, middle: middle)
        let longitude = sphere - f * sineOfAzimuth * turn
        return Coordinate(
            longitude: start.x + longitude / Angle.radiansPerDegree, latitude: latitude / Angle.radiansPerDegree)
    }

    /// Returns the shortest line between two points.
    ///
    /// The series does not converge between nearly antipodal points: the line is then measured on a sphere, with an
    /// error of up to 0.5 %.
    package func line(from one: Coordinate, to other: Coordinate) -> Geodesic.Line {
        let u1 = reduced(one.y), u2 = reduced(other.y)
        let difference = Angle.difference(other.x, from: one.x) * Angle.radiansPerDegree
        var lambda = difference
        for _ in 0..<100 {
            let sineOfLambda = Libm.sine(lambda), cosineOfLambda = Libm.cosine(lambda)
            let x = u2.cosine * sineOfLambda, y = u1.cosine * u2.sine - u1.sine * u2.cosine * cosineOfLambda
            let sine = Libm.hypotenuse(x, y)
            let cosine = u1.sine * u2.sine + u1.cosine * u2.cosine * cosineOfLambda
            let isOpposite = sine <= 1e-15 && cosine < 0
            guard sine > 1e-15 || isOpposite else { break }
            let sigma = Libm.arcTangent(y: sine, x: cosine)
            // Between exactly antipodal points, such as the poles, a meridian is a shortest line.
            let sineOfAzimuth = isOpposite ? 0 : u1.cosine * u2.cosine * sineOfLambda / sine
            let squaredCosine = 1 - sineOfAzimuth * sineOfAzimuth
            // On the equator the midpoint is undefined.
            let middle = squaredCosine > 1e-15 ? cosine - 2 * u1.sine * u2.sine / squaredCosine : 0
            let next =
                difference + f * sineOfAzimuth
                * turn(squaredCosine, sigma: sigma, sine: sine, cosine: cosine, middle: middle)
            guard abs(next) <= .pi else { break }
            if abs(next - lambda) < 1e-12 {
                let (aa, bb) = series(squaredCosine)
                let length = b * aa * (sigma - correction(bb, sine: sine, cosine: cosine, middle: middle))
                guard !isOpposite else { return Geodesic.Line(meters: length, bearing: 0, finalBearing: 180) }
                let onward = Libm.arcTangent(
                    y: u1.cosine * sineOfLambda, x: u1.cosine * u2.sine * cosineOfLambda - u1.sine * u2.cosine)
                return Geodesic.Line(
                    meters: length, bearing: bearing(y: x, x: y),
                    finalBearing: Geodesic.turned(onward / Angle.radiansPerDegree))
            }
            lambda = next
        }
        return onSphere(u1, u2, difference)
    }

    private func onSphere(
        _ one: (tangent: Double, sine: Double, cosine: Double),
        _ other: (tangent: Double, sine: Double, cosine: Double),
        _ difference: Double
    ) -> Geodesic.Line {
        let sine = Libm.sine(difference), cosine = Libm.cosine(difference)
        let x = other.cosine * sine, y = one.cosine * other.sine - one.sine * other.cosine * cosine
        let angle = Libm.arcTangent(
            y: Libm.hypotenuse(x, y), x: one.sine * other.sine + one.cosine * other.cosine * cosine)
        return Geodesic.Line(
            meters: angle * (2 * a + b) / 3, bearing: bearing(y: x, x: y),
            finalBearing: bearing(y: one.cosine * sine, x: one.cosine * other.sine * cosine - one.sine * other.cosine))
    }

    private func bearing(y: Double, x: Double) -> Double {
        Geodesic.turned(Libm.arcTangent(y: y, x: x) / Angle.radiansPerDegree)
    }

    /// Returns the measures of a ring: its area is that between great circles on the authalic sphere.
    package func ring(_ numbers: [Double]) -> Geodesic.Ring {
        let places = stride(from: 0, to: numbers.count, by: 2).map { Coordinate(x: numbers[$0], y: numbers[$0 + 1]) }
        let e = ellipsoid.eccentricitySquared.squareRoot(), pole = authalic(1, e)
        let radius2 = a * a * pole / 2
        var meters = 0.0, excess = 0.0, turns = 0.0
        for (place, next) in zip(places, places.dropFirst() + places.prefix(1)) {
            meters += line(from: place, to: next).meters
            let turn = Angle.difference(next.x, from: place.x) * Angle.radiansPerDegree
            let tangents = [place, next].map { place in
                let sine = min(1, authalic(Libm.sine(place.y * Angle.radiansPerDegree), e) / pole)
                return sine / (1 + max(0, 1 - sine * sine).squareRoot())
            }
            let sum = tangents[0] + tangents[1], product = tangents[0] * tangents[1]
            excess -= 2 * Libm.arcTangent(y: Libm.tangent(turn / 2) * sum, x: 1 + product)
            turns += turn
        }
        // Around a pole the sum lacks half of the earth.
        if abs(turns) > 1 { excess += turns > 0 ? 2 * .pi : -2 * .pi }
        excess = excess.remainder(dividingBy: 4 * .pi)
        return Geodesic.Ring(meters: meters, area: excess * radius2)
    }

    /// Returns *q* of IOGP 373-7-2, 3.5.
    private func authalic(_ sine: Double, _ e: Double) -> Double {
        guard e > 0 else { return 2 * sine }
        return (1 - e * e) * (sine / (1 - e * e * sine * sine) + Libm.inverseHyperbolicTangent(e * sine) / e)
    }
}
