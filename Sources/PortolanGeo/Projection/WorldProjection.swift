/// A map of the whole earth on one sheet, cut along the meridian opposite to its central one.
///
/// The formula gives x and y for a unit radius.
struct WorldProjection<Formula: WorldFormula>: MapProjection, DescribedProjection {
    /// The largest longitude difference from the central meridian of a shape.
    ///
    /// At exactly half a turn, rounding would decide on which side of the map a coordinate is.
    private static var halfWidth: Double { 180 - 1e-9 }

    private let formula: Formula
    let parameters: ProjectionParameters?
    private let centralMeridian: Double
    private let radius: Double
    private let falseOrigin: Coordinate

    /// Creates a projection.
    ///
    /// - Parameters:
    ///   - radius: the length that the unit of the formula stands for.
    ///   - parameters: the parameters, of which the central meridian and its easting and northing on the equator are
    ///     used.
    init(_ formula: Formula, radius: Double, parameters: ProjectionParameters) {
        self.formula = formula
        self.radius = radius
        self.parameters = parameters
        centralMeridian = parameters.origin.x
        falseOrigin = parameters.falseOrigin
    }

    var domain: ProjectionDomain {
        .box(meridian: centralMeridian, halfWidth: Self.halfWidth, latitudes: -90...90)
    }

    func forward(_ geographic: Coordinate) -> Coordinate? {
        let longitude = Angle.difference(geographic.x, from: centralMeridian) * Angle.radiansPerDegree
        let point = formula.forward(longitude, geographic.y * Angle.radiansPerDegree)
        return Coordinate(x: falseOrigin.x + radius * point.x, y: falseOrigin.y + radius * point.y)
    }

    func inverse(_ projected: Coordinate) -> Coordinate? {
        let x = (projected.x - falseOrigin.x) / radius, y = (projected.y - falseOrigin.y) / radius
        guard let place = formula.inverse(x, y) else { return nil }
        let longitude = place.longitude / Angle.radiansPerDegree, latitude = place.latitude / Angle.radiansPerDegree
        guard abs(longitude) <= 180 + 1e-7, abs(latitude) <= 90 + 1e-9 else { return nil }
        return Coordinate(
            longitude: Angle.wrapped(centralMeridian + min(max(longitude, -180), 180)),
            latitude: min(max(latitude, -90), 90))
    }
}

/// The formula of a map of the whole earth, in radians and radii, about the meridian of Greenwich.
protocol WorldFormula: Hashable, Sendable {
    /// Returns the point of a longitude from -π to π and a latitude.
    func forward(_ longitude: Double, _ latitude: Double) -> (x: Double, y: Double)

    /// Returns the longitude and latitude of a point, or `nil` beyond the poles; the longitude may be any.
    func inverse(_ x: Double, _ y: Double) -> (longitude: Double, latitude: Double)?
}

extension WorldFormula {
    /// Returns the root of an increasing function near an estimate, by Newton's method.
    func root(near start: Double, _ function: (Double) -> (value: Double, slope: Double)) -> Double {
        var root = start
        for _ in 0..<50 {
            let (value, slope) = function(root)
            let step = value / slope
            guard step.isFinite else { break }
            root -= step
            if abs(step) <= 1e-15 { break }
        }
        return root
    }

    /// Returns 1 - sin φ of a latitude from 0 to π/2, with all digits near the pole.
    func sineComplement(_ latitude: Double) -> Double {
        let half = Libm.sine((.pi / 2 - latitude) / 2)
        return 2 * half * half
    }

    /// Returns the latitude from 0 to π/2 with a value of 1 - sin φ.
    func latitude(sineComplement: Double) -> Double {
        .pi / 2 - 2 * Libm.arcSine(min(max(sineComplement / 2, 0), 1).squareRoot())
    }
}
