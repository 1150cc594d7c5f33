#if Drivers && os(Linux)
import CGeodesicShim
#endif

/// Geodesics on an ellipsoid: length, direction and end of the shortest lines, and the area of rings.
///
/// Coordinates are longitudes and latitudes in degrees, lengths are metres, and directions are degrees clockwise from
/// north. A coordinate that is not finite, or with a latitude beyond 90 degrees, gives NaN.
///
/// On Linux with the trait `Drivers`, GeographicLib is used, with an accuracy of about fifteen nanometres. Otherwise a
/// series is used, with an accuracy of a tenth of a millimetre, but only 0.5 % between nearly antipodal points. Areas
/// with sides of a degree are accurate to a millionth, larger ones to some thousandths.
///
/// Source: C. Karney, *Algorithms for geodesics*, J. Geodesy 87 (2013).
public enum Geodesic {
    /// The shortest line between two points.
    public struct Line: Hashable, Sendable {
        /// The length in metres.
        public let meters: Double
        /// The direction at the first point, at least 0 and less than 360.
        public let bearing: Double
        /// The forward direction at the second point, at least 0 and less than 360.
        public let finalBearing: Double
    }

    /// The measures of a ring.
    public struct Ring: Hashable, Sendable {
        /// The perimeter in metres.
        public let meters: Double
        /// The enclosed area in square metres, positive if the ring is counter-clockwise around the smaller part of the
        /// earth.
        public let area: Double
    }

    /// Returns the shortest line between two points, across the antimeridian if necessary.
    ///
    /// From a point to itself it points north.
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

    /// Returns the point at a distance and direction from another one.
    ///
    /// The longitude continues from that of the start, so it may exceed 180 degrees.
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

    /// Returns the measures of a ring with geodesics between its points; the last point may repeat the first.
    ///
    /// - Complexity: O(*n*) in the number of points.
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

    /// Returns a direction from 0 to below 360.
    static func turned(_ azimuth: Double) -> Double { azimuth < 0 ? min(azimuth + 360, 360.0.nextDown) : azimuth + 0 }
}
