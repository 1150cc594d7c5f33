/// The part of the earth that a projection shows, by longitude and latitude in degrees: where shapes are cut.
public enum ProjectionDomain: Hashable, Sendable {
    /// All that has a projected place; nothing is cut.
    case everywhere
    /// Longitudes up to so many degrees from a meridian, and some latitudes. Without a meridian all longitudes are shown,
    /// as often as the world repeats.
    case box(meridian: Double?, halfWidth: Double, latitudes: ClosedRange<Double>)
    /// What is at most so many degrees of arc from a centre.
    case cap(center: Coordinate, radius: Double)
}

/// A circle on the sphere, and how its places are counted around it.
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

    /// Makes a circle of some degrees about a centre.
    package init(center: Coordinate, radius: Double) {
        self.center = center
        self.radius = radius
        direction = Direction(center)
        sineOfLatitude = Libm.sine(center.y * Angle.radiansPerDegree)
        cosineOfLatitude = Libm.cosine(center.y * Angle.radiansPerDegree)
        sineOfRadius = Libm.sine(radius * Angle.radiansPerDegree)
        cosineOfRadius = Libm.cosine(radius * Angle.radiansPerDegree)
    }

    /// The cosine of the angle between the centre and a place.
    package func cosine(of place: Coordinate) -> Double { Direction(place).cosine(to: direction) }

    /// Whether a place is inside the circle or on it.
    package func contains(_ place: Coordinate) -> Bool { cosine(of: place) >= cosineOfRadius }

    /// The bearing of a place from the centre, in degrees from -180 to 180.
    package func bearing(of place: Coordinate) -> Double {
        let difference = (place.x - center.x) * Angle.radiansPerDegree, latitude = place.y * Angle.radiansPerDegree
        let east = Libm.sine(difference) * Libm.cosine(latitude)
        let north =
            cosineOfLatitude * Libm.sine(latitude) - sineOfLatitude * Libm.cosine(latitude) * Libm.cosine(difference)
        return Libm.arcTangent(y: east, x: north) / Angle.radiansPerDegree
    }

    /// The place of the circle that lies in some bearing, in degrees, from the centre.
    package func place(bearing: Double) -> Coordinate {
        let angle = bearing * Angle.radiansPerDegree
        let sine = min(
            max(sineOfLatitude * cosineOfRadius + cosineOfLatitude * sineOfRadius * Libm.cosine(angle), -1), 1)
        let east = Libm.sine(angle) * sineOfRadius * cosineOfLatitude, inward = cosineOfRadius - sineOfLatitude * sine
        return Coordinate(
            longitude: center.x + Libm.arcTangent(y: east, x: inward) / Angle.radiansPerDegree,
            latitude: Libm.arcSine(sine) / Angle.radiansPerDegree)
    }
}
