/// The part of the earth that a projection covers, by longitude and latitude in degrees: shapes are clipped to it.
public enum ProjectionDomain: Hashable, Sendable {
    /// No limit; nothing is clipped.
    case everywhere
    /// A maximum longitude difference from a meridian, and a range of latitudes. Without a meridian all longitudes are
    /// covered, as often as the world repeats.
    case box(meridian: Double?, halfWidth: Double, latitudes: ClosedRange<Double>)
    /// A maximum distance from a centre in degrees of arc.
    case cap(center: Coordinate, radius: Double)
}

/// A circle on the sphere, with positions along it.
package struct SphereCircle: Hashable, Sendable {
    /// The centre, and the radius in degrees.
    package let center: Coordinate
    package let radius: Double
    private let sineOfLatitude: Double
    private let cosineOfLatitude: Double
    private let sineOfRadius: Double
    private let direction: Direction
    /// The cosine of the angle between the centre and the circle.
    package let cosineOfRadius: Double

    /// Creates a circle with a radius in degrees.
    package init(center: Coordinate, radius: Double) {
        self.center = center
        self.radius = radius
        direction = Direction(center)
        sineOfLatitude = Libm.sine(center.y * Angle.radiansPerDegree)
        cosineOfLatitude = Libm.cosine(center.y * Angle.radiansPerDegree)
        sineOfRadius = Libm.sine(radius * Angle.radiansPerDegree)
        cosineOfRadius = Libm.cosine(radius * Angle.radiansPerDegree)
    }

    /// Returns the cosine of the angle between the centre and a coordinate.
    package func cosine(of place: Coordinate) -> Double { Direction(place).cosine(to: direction) }

    /// Returns whether a coordinate is inside the circle or on it.
    package func contains(_ place: Coordinate) -> Bool { cosine(of: place) >= cosineOfRadius }

    /// Returns the bearing of a coordinate from the centre, in degrees from -180 to 180.
    package func bearing(of place: Coordinate) -> Double {
        let difference = (place.x - center.x) * Angle.radiansPerDegree, latitude = place.y * Angle.radiansPerDegree
        let east = Libm.sine(difference) * Libm.cosine(latitude)
        let north =
            cosineOfLatitude * Libm.sine(latitude) - sineOfLatitude * Libm.cosine(latitude) * Libm.cosine(difference)
        return Libm.arcTangent(y: east, x: north) / Angle.radiansPerDegree
    }

    /// Returns the point of the circle at a bearing in degrees from the centre.
    package func place(bearing: Double) -> Coordinate {
        let angle = bearing * Angle.radiansPerDegree
        let sine = min(
            max(sineOfLatitude * cosineOfRadius + cosineOfLatitude * sineOfRadius * Libm.cosine(angle), -1), 1)
        // Both without the common factor, the cosine of the latitude, which is lost to rounding at a pole.
        let east = Libm.sine(angle) * sineOfRadius
        let inward = cosineOfRadius * cosineOfLatitude - sineOfLatitude * sineOfRadius * Libm.cosine(angle)
        return Coordinate(
            longitude: center.x + Libm.arcTangent(y: east, x: inward) / Angle.radiansPerDegree,
            latitude: Libm.arcSine(sine) / Angle.radiansPerDegree)
    }
}
