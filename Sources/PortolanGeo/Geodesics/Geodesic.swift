#if Drivers && os(Linux)
import CGeodesicShim
#endif

/// The shortest lines on an ellipsoid: how long they are, how they set out, where they end, and what they enclose.
///
/// Places are longitudes and latitudes in degrees, lengths are metres, and directions are degrees clockwise from north.
/// A place that is not finite, or whose latitude is beyond 90 degrees, gives results that are not numbers.
///
/// On Linux with the trait `Drivers` GeographicLib computes, to about fifteen nanometres everywhere. Otherwise a series does: to a tenth of a
/// millimetre, but only to half a hundredth between places nearly, and not exactly, on opposite sides of the earth; areas with sides of a
/// degree to a millionth, larger ones to some thousandths.
///
/// Source: C. Karney, *Algorithms for geodesics*, J. Geodesy 87 (2013).
public enum Geodesic {
    /// The shortest line between two places.
    public struct Line: Hashable, Sendable {
        /// How long it is.
        public let meters: Double
        /// Its direction at the first place, at least 0 and less than 360.
        public let bearing: Double
        /// Its direction at the second place, onward, at least 0 and less than 360.
        public let finalBearing: Double
    }

    /// What a ring measures.
    public struct Ring: Hashable, Sendable {
        /// How long it is, closed.
        public let meters: Double
        /// What it encloses in square metres: more than zero where the ring runs against the clock, which it does around the
        /// smaller part of the earth.
        public let area: Double
    }

    /// The shortest line between two places, of the shorter way around where longitudes are far apart.
    ///
    /// From a place to itself it leads north.
    public static func line(
        from one: Coordinate, to other: Coordinate, on ellipsoid: Ellipsoid = .wgs84
    ) -> Line {
        #if Drivers && os(Linux)
        let line = portolan_geodesic_inverse(
            ellipsoid.semiMajorAxis, ellipsoid.flattening, one.x, one.y, other.x, other.y)
        guard line.meters != 0 else { return Line(meters: 0, bearing: 0, finalBearing: 0) }
        return Line(
            meters: line.meters, bearing: turned(line.azimuth_at_start), finalBearing: turned(line.azimuth_at_end))
        #else
        guard isPlace(one), isPlace(other) else { return Line(meters: .nan, bearing: .nan, finalBearing: .nan) }
        return GeodesicSeries(ellipsoid).line(from: one, to: other)
        #endif
    }

    /// The place so many metres from another in a direction.
    ///
    /// The longitude goes on from that of the start, so that it may lie beyond 180 degrees.
    public static func place(
        from start: Coordinate, bearing: Double, meters: Double, on ellipsoid: Ellipsoid = .wgs84
    ) -> Coordinate {
        #if Drivers && os(Linux)
        let end = portolan_geodesic_direct(
            ellipsoid.semiMajorAxis, ellipsoid.flattening, start.x, start.y, bearing, meters)
        return Coordinate(longitude: end.longitude, latitude: end.latitude)
        #else
        guard isPlace(start) else { return Coordinate(x: .nan, y: .nan) }
        return GeodesicSeries(ellipsoid).place(from: start, bearing: bearing, meters: meters)
        #endif
    }

    /// What a ring with shortest lines between its places measures; whether the last repeats the first makes no difference.
    ///
    /// - Complexity: linear in the places.
    public static func ring(_ places: some Sequence<Coordinate>, on ellipsoid: Ellipsoid = .wgs84) -> Ring {
        let numbers = places.flatMap { [$0.x, $0.y] }
        #if Drivers && os(Linux)
        let ring = unsafe numbers.withUnsafeBufferPointer {
            unsafe portolan_geodesic_area(
                ellipsoid.semiMajorAxis, ellipsoid.flattening, $0.baseAddress, $0.count / 2)
        }
        return Ring(meters: ring.perimeter, area: ring.area)
        #else
        let starts = stride(from: 0, to: numbers.count, by: 2)
        guard starts.allSatisfy({ isPlace(Coordinate(x: numbers[$0], y: numbers[$0 + 1])) }) else {
            return Ring(meters: .nan, area: .nan)
        }
        return GeodesicSeries(ellipsoid).ring(numbers)
        #endif
    }

    #if !(Drivers && os(Linux))
    private static func isPlace(_ place: Coordinate) -> Bool { place.x.isFinite && abs(place.y) <= 90 }
    #endif

    /// A direction from 0 on.
    static func turned(_ azimuth: Double) -> Double { azimuth < 0 ? min(azimuth + 360, 360.0.nextDown) : azimuth + 0 }
}
