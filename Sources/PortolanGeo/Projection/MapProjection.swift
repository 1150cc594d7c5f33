/// The maths between longitude and latitude in degrees, on the datum of a system, and the coordinates of that system.
///
/// A conforming type is a value that holds the parameters of one projection, such as a central meridian. A ``CRS`` made
/// with it (``CRS/init(name:axisOrder:unit:projection:datumShift:)``) is a system like any other: nothing has to be
/// registered. ``forward(_:)`` and ``inverse(_:)`` are all that must be written:
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
/// Pictures are the same on each run only if the functions are: equal values must give equal results to the last bit.
/// Functions may be called from several threads at once.
public protocol MapProjection: Hashable, Sendable {
    /// The projected place of a longitude and latitude, or `nil` where the projection is not defined.
    ///
    /// Called through ``project(_:)``, which has checked that the longitude is finite and the latitude within ±90. The
    /// longitude may lie more than a turn from Greenwich.
    ///
    /// - Parameter geographic: in degrees, on the datum of the system.
    /// - Returns: x east and y north, in the unit of the system.
    func forward(_ geographic: Coordinate) -> Coordinate?

    /// The longitude and latitude in degrees of a projected place, or `nil` where the projection has none.
    ///
    /// Called through ``unproject(_:)`` with finite numbers of any size; a result that is not finite counts as `nil`.
    func inverse(_ projected: Coordinate) -> Coordinate?

    /// The x after which the world repeats, in the unit of the system, or `nil` (the default) when it does not.
    ///
    /// Only a cylindrical projection about the equator has it: x must depend on longitude alone, y on latitude alone, and
    /// both must grow with it.
    var worldWidth: Double? { get }

    /// The whole world, in the unit of the system, or `nil` (the default) when the projection is for a part of it.
    var worldExtent: Extent? { get }

    /// The part of the earth that is shown, at whose edge shapes are cut and closed; ``ProjectionDomain/everywhere`` by
    /// default. All of it must have a projected place.
    var domain: ProjectionDomain { get }

    /// Projects longitudes and latitudes in degrees in place; what has no projected place becomes NaN in both columns.
    ///
    /// The default calls ``project(_:)`` for each place. A projection that overrides it must give the same results.
    func project(x: inout MutableSpan<Double>, y: inout MutableSpan<Double>)

    /// Turns projected places into longitudes and latitudes in degrees in place; what has none becomes NaN in both columns.
    ///
    /// The default calls ``unproject(_:)`` for each place. A projection that overrides it must give the same results.
    func unproject(x: inout MutableSpan<Double>, y: inout MutableSpan<Double>)
}

extension MapProjection {
    /// No width after which the world repeats.
    public var worldWidth: Double? { nil }

    /// Nothing is cut.
    public var domain: ProjectionDomain { .everywhere }

    /// No extent of the whole world.
    public var worldExtent: Extent? { nil }

    /// The projected place of `geographic` (degrees), or `nil` outside the projection's domain.
    public func project(_ geographic: Coordinate) -> Coordinate? {
        guard geographic.isFinite, abs(geographic.y) <= 90 else { return nil }
        return forward(geographic)
    }

    /// The longitude and latitude (degrees) of a projected place, or `nil` outside the projection's domain.
    public func unproject(_ projected: Coordinate) -> Coordinate? {
        // Huge coordinates overflow on the way.
        guard projected.isFinite, let place = inverse(projected), place.isFinite else { return nil }
        return place
    }

    /// Calls ``project(_:)`` for each place.
    public func project(x: inout MutableSpan<Double>, y: inout MutableSpan<Double>) {
        replaceEach(&x, &y) { project($0) }
    }

    /// Calls ``unproject(_:)`` for each place.
    public func unproject(x: inout MutableSpan<Double>, y: inout MutableSpan<Double>) {
        replaceEach(&x, &y) { unproject($0) }
    }

    /// Whether another projection, of any type, is the same.
    func isSame(as other: any MapProjection) -> Bool { other as? Self == self }
}

/// Replaces each place of two columns by what `image` makes of it, NaN standing for `nil`.
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

/// Longitude and latitude themselves, in degrees.
public struct LongitudeLatitude: MapProjection {
    /// Makes the projection that changes nothing.
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
