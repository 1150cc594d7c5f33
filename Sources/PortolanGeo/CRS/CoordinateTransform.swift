/// A transform from one coordinate reference system to another, through longitude and latitude.
///
/// WGS 84 and datums that agree with it, such as ETRS89, NAD83, GDA94 and SIRGAS 2000, are treated as one; they differ
/// by less than two metres. Older datums are shifted by seven parameters (``Ellipsoid/DatumShift``), with an accuracy of 1 to 5
/// metres unless ``CRS/epsg(_:)`` states otherwise. Grids are not supported.
///
/// Creating a transform is expensive and copying it is cheap: create it once for many coordinates.
public struct CoordinateTransform: Hashable, Sendable {
    private let route: Route

    /// Creates a transform.
    ///
    /// - Throws: ``CRSError/noProjection(_:)`` if the systems differ and one of them has no projection.
    public init(from source: CRS, to target: CRS) throws(CRSError) {
        if source == target {
            let nothing = LongitudeLatitude()
            route = Route(source, target, from: nothing, to: nothing, change: nil)
            return
        }
        guard let from = source.projection else { throw .noProjection(source.name) }
        guard let to = target.projection else { throw .noProjection(target.name) }
        route = Route(
            source, target, from: from, to: to, change: DatumChange(from: source.datumShift, to: target.datumShift))
    }

    private init(_ route: Route) { self.route = route }

    /// The source system.
    public var source: CRS { route.source }

    /// The target system.
    public var target: CRS { route.target }

    /// Whether coordinates stay unchanged.
    public var isIdentity: Bool { route.kind == .identity }

    /// Whether the target's x depends only on x and y only on y, both increasing, so that the corners of an extent map
    /// to those of its image.
    package var keepsAxes: Bool { route.keepsAxes }

    /// The inverse transform.
    public var inverse: CoordinateTransform {
        CoordinateTransform(
            Route(
                target, source, from: route.to, to: route.from,
                change: route.change == nil ? nil : DatumChange(from: target.datumShift, to: source.datumShift)))
    }

    /// Returns a coordinate in the target system, or `nil` outside the domain of either system.
    public func callAsFunction(_ coordinate: Coordinate) -> Coordinate? { route.image(of: coordinate) }

    /// Transforms coordinates in two columns, eastings or longitudes and northings or latitudes, in place.
    ///
    /// The results are bitwise equal to those of each coordinate alone. A coordinate outside the domain of either
    /// system, or one that is not finite, becomes NaN in both columns.
    ///
    /// - Parameters:
    ///   - x: the eastings or longitudes.
    ///   - y: as many northings or latitudes.
    /// - Complexity: O(*n*), without allocating.
    public func callAsFunction(x: inout MutableSpan<Double>, y: inout MutableSpan<Double>) {
        route.move(&x, &y)
    }

    /// Returns the smallest extent in the target that contains `extent`, or `nil` if no area of it is in the target's
    /// domain.
    ///
    /// It is measured on a 33 × 33 grid of points.
    ///
    /// - Complexity: 34 points are transformed if the axes of both systems are aligned, as for Web Mercator and
    ///   longitude and latitude, and 1,089 otherwise.
    public func callAsFunction(_ extent: Extent) -> Extent? {
        if isIdentity { return extent }
        let steps = 32
        func place(_ column: Int, _ row: Int) -> Coordinate? {
            self(
                Coordinate(
                    x: extent.minX + extent.width * Double(column) / Double(steps),
                    y: extent.minY + extent.height * Double(row) / Double(steps)))
        }
        var box: BoundingBox?
        func add(_ place: Coordinate?) {
            guard let place else { return }
            box?.add(place)
            if box == nil { box = BoundingBox(place) }
        }
        if keepsAxes {
            // The poles may be missing, so all rows are needed; each of them contains the west and the east edge.
            for row in 0...steps {
                guard let west = place(0, row) else { continue }
                if box == nil {
                    let isWhole = place(steps, row) != nil
                    for column in stride(from: steps, to: 0, by: isWhole ? -steps : -1) { add(place(column, row)) }
                }
                add(west)
            }
        } else {
            for row in 0...steps {
                for column in 0...steps { add(place(column, row)) }
            }
        }
        return box?.extent
    }

    /// Returns whether the source and target systems are equal.
    public static func == (left: CoordinateTransform, right: CoordinateTransform) -> Bool {
        left.route === right.route || left.source == right.source && left.target == right.target
    }

    /// Hashes both systems.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(source)
        hasher.combine(target)
    }
}

/// The steps of a transform, determined once.
///
/// It is a class, because the parameters of its projections would otherwise be copied for each coordinate.
private final class Route: Sendable {
    enum Kind { case identity, forward, inverse, both, shifted }

    let source: CRS
    let target: CRS
    let kind: Kind
    let keepsAxes: Bool
    let from: any MapProjection
    let to: any MapProjection
    /// The datum change, or `nil` if the datums are equal.
    let change: DatumChange?

    init(_ source: CRS, _ target: CRS, from: any MapProjection, to: any MapProjection, change: DatumChange?) {
        self.source = source
        self.target = target
        self.from = from
        self.to = to
        self.change = change
        keepsAxes = change == nil && from.worldWidth != nil && to.worldWidth != nil
        kind =
            if change != nil { .shifted } else if from.isSame(as: to) { .identity } else if from is LongitudeLatitude {
                .forward
            } else if to is LongitudeLatitude { .inverse } else { .both }
    }

    func image(of place: Coordinate) -> Coordinate? {
        switch kind {
        case .identity: return place.isFinite ? place : nil
        case .forward: return to.project(place)
        case .inverse:
            guard let geographic = from.unproject(place), abs(geographic.y) <= 90 else { return nil }
            return geographic
        case .both: return from.unproject(place).flatMap { to.project($0) }
        case .shifted:
            guard let change, let geographic = from.unproject(place) else { return nil }
            return to.project(change(geographic))
        }
    }

    func move(_ x: inout MutableSpan<Double>, _ y: inout MutableSpan<Double>) {
        switch kind {
        case .identity: replaceEach(&x, &y) { $0.isFinite ? $0 : nil }
        case .forward: to.project(x: &x, y: &y)
        case .inverse, .both, .shifted:
            from.unproject(x: &x, y: &y)
            // Coordinates without longitude and latitude stay NaN.
            if let change { replaceEach(&x, &y) { change($0) } }
            to.project(x: &x, y: &y)
        }
    }
}

extension CRS {
    /// Returns whether coordinates in both systems are equal numbers, apart from their axis order.
    package func hasCoordinates(of other: CRS) -> Bool {
        if self == other { return true }
        return (try? CoordinateTransform(from: self, to: other))?.isIdentity ?? false
    }
}
