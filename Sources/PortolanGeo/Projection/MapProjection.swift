/// A projection from longitude and latitude in degrees, on the datum of a system, to the coordinates of that system.
///
/// A conforming type is a value with the parameters of a projection, such as a central meridian. A ``CRS`` created with
/// it (``CRS/init(name:axisOrder:unit:projection:datumShift:)``) can be used like any other, without registration. Only
/// ``forward(_:)`` and ``inverse(_:)`` must be implemented:
///
/// ```swift
/// struct Sinusoidal: MapProjection {
///     var centralMeridian = 0.0
///
///     func forward(_ geographic: Coordinate) -> Coordinate? {
///         let x = (geographic.x - centralMeridian) * cos(geographic.y * .pi / 180)
///         return Coordinate(x: x * 111_320, y: geographic.y * 111_320)
///     }
///
///     func inverse(_ projected: Coordinate) -> Coordinate? {
///         let latitude = projected.y / 111_320
///         guard abs(latitude) < 90 else { return nil }
///         let longitude = projected.x / 111_320 / cos(latitude * .pi / 180)
///         guard abs(longitude) <= 180 else { return nil }
///         return Coordinate(longitude: centralMeridian + longitude, latitude: latitude)
///     }
/// }
/// ```
///
/// Rendering is reproducible only if the functions are: equal values must give bitwise equal results. Functions may be
/// called from several threads at once.
public protocol MapProjection: Hashable, Sendable {
    /// Returns the projected coordinate of a longitude and latitude, or `nil` if the projection is undefined there.
    ///
    /// Called through ``project(_:)``, which has checked that the longitude is finite and the latitude within ±90. The
    /// longitude may be more than a turn from Greenwich.
    ///
    /// - Parameter geographic: a coordinate in degrees, on the datum of the system.
    /// - Returns: x east and y north, in the unit of the system.
    func forward(_ geographic: Coordinate) -> Coordinate?

    /// Returns the longitude and latitude in degrees of a projected coordinate, or `nil` if the projection is
    /// undefined.
    ///
    /// Called through ``unproject(_:)`` with finite numbers of any size; a result that is not finite counts as `nil`.
    func inverse(_ projected: Coordinate) -> Coordinate?

    /// The width in x after which the world repeats, in the unit of the system, or `nil` (the default) if it does not.
    ///
    /// Only a cylindrical projection about the equator has it: x must depend only on longitude and y only on latitude,
    /// and both must increase with it.
    var worldWidth: Double? { get }

    /// The whole world, in the unit of the system, or `nil` (the default) if the projection covers only a part of it.
    var worldExtent: Extent? { get }

    /// The part of the earth that the projection covers; shapes are clipped to it. The default is
    /// ``ProjectionDomain/everywhere``.
    ///
    /// All of it must be projectable.
    var domain: ProjectionDomain { get }

    /// Projects longitudes and latitudes in degrees in place; coordinates that cannot be projected become NaN in both
    /// columns.
    ///
    /// The default calls ``project(_:)`` for each coordinate. A projection that overrides it must give the same
    /// results.
    func project(x: inout MutableSpan<Double>, y: inout MutableSpan<Double>)

    /// Converts projected coordinates to longitudes and latitudes in degrees in place; invalid ones become NaN in both
    /// columns.
    ///
    /// The default calls ``unproject(_:)`` for each coordinate. A projection that overrides it must give the same
    /// results.
    func unproject(x: inout MutableSpan<Double>, y: inout MutableSpan<Double>)
}

extension MapProjection {
    /// The world does not repeat.
    public var worldWidth: Double? { nil }

    /// No limit.
    public var domain: ProjectionDomain { .everywhere }

    /// The projection does not cover the whole world.
    public var worldExtent: Extent? { nil }

    /// Returns the projected coordinate of `geographic` (degrees), or `nil` outside the projection's domain.
    public func project(_ geographic: Coordinate) -> Coordinate? {
        guard geographic.isFinite, abs(geographic.y) <= 90 else { return nil }
        return forward(geographic)
    }

    /// Returns the longitude and latitude (degrees) of a projected coordinate, or `nil` outside the projection's
    /// domain.
    public func unproject(_ projected: Coordinate) -> Coordinate? {
        // Huge coordinates overflow in the computation.
        guard projected.isFinite, let place = inverse(projected), place.isFinite else { return nil }
        return place
    }

    /// Calls ``project(_:)`` for each coordinate.
    public func project(x: inout MutableSpan<Double>, y: inout MutableSpan<Double>) {
        replaceEach(&x, &y) { project($0) }
    }

    /// Calls ``unproject(_:)`` for each coordinate.
    public func unproject(x: inout MutableSpan<Double>, y: inout MutableSpan<Double>) {
        replaceEach(&x, &y) { unproject($0) }
    }

    /// Returns whether another projection, of any type, is equal.
    func isSame(as other: any MapProjection) -> Bool { other as? Self == self }
}

/// Replaces each coordinate of two columns by its image, or by NaN for `nil`.
@inline(__always)
func replaceEach(
    _ x: inout MutableSpan<Double>, _ y: inout MutableSpan<Double>, _ image: (Coordinate) -> Coordinate?
) {
    precondition(x.count == y.count, "columns of one length")
    for index in x.indices {
        let place = image(Coordinate(x: x[index], y: y[index]))
        x[index] = place?.x ?? .nan
        y[index] = place?.y ?? .nan
    }
}

/// The identity projection: longitude and latitude in degrees.
public struct LongitudeLatitude: MapProjection {
    /// Creates the projection.
    public init() {}

    /// A whole turn.
    public var worldWidth: Double? { 360 }

    /// All longitudes and latitudes.
    public var worldExtent: Extent? { Extent(minX: -180, minY: -90, maxX: 180, maxY: 90) }

    /// Implements ``MapProjection/forward(_:)``.
    public func forward(_ geographic: Coordinate) -> Coordinate? { geographic }

    /// Implements ``MapProjection/inverse(_:)``.
    public func inverse(_ projected: Coordinate) -> Coordinate? { abs(projected.y) <= 90 ? projected : nil }
}
