/// The way from one coordinate reference system to another, through longitude and latitude.
///
/// WGS 84 and what was made to agree with it, as ETRS89, NAD83, GDA94 and SIRGAS 2000, count as one datum; they differ
/// by less than two metres. Older datums are shifted by seven parameters (``DatumShift``): good to 1 to 5 metres, or
/// worse where ``CRS/epsg(_:)`` says so. There are no grids.
///
/// A transform is worked out when it is made, and is then one reference: make it once for many places, and copy it freely.
public struct CoordinateTransform: Hashable, Sendable {
    private let route: Route

    /// Makes a transform.
    ///
    /// - Throws: ``CRSError/noProjection(_:)`` when the systems differ and one of them has no projection.
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

    /// The system coordinates come from.
    public var source: CRS { route.source }

    /// The system coordinates go to.
    public var target: CRS { route.target }

    /// Whether coordinates stay as they are.
    public var isIdentity: Bool { route.kind == .identity }

    /// Whether x of the target depends on x alone and y on y alone, both growing with it, so that an extent's corners are
    /// the corners of its image.
    package var keepsAxes: Bool { route.keepsAxes }

    /// The transform back.
    public var inverse: CoordinateTransform {
        CoordinateTransform(
            Route(
                target, source, from: route.to, to: route.from,
                change: route.change == nil ? nil : DatumChange(from: target.datumShift, to: source.datumShift)))
    }

    /// Where `coordinate` lies in the target, or `nil` outside the domain of either system.
    public func callAsFunction(_ coordinate: Coordinate) -> Coordinate? { route.image(of: coordinate) }

    /// Moves the places of two columns, eastings or longitudes and northings or latitudes, to the target in place.
    ///
    /// The results are to the last bit those of the transform of each place alone; a place outside the domain of either
    /// system becomes NaN in both columns, and so does one that is not finite.
    ///
    /// - Parameters:
    ///   - x: the eastings or longitudes.
    ///   - y: as many northings or latitudes.
    /// - Complexity: O(*n*), without allocating.
    public func callAsFunction(x: inout MutableSpan<Double>, y: inout MutableSpan<Double>) {
        route.move(&x, &y)
    }

    /// The smallest extent in the target that holds `extent`, measured on a 33 × 33 lattice of its points, or `nil` when
    /// no area of it lies in the target's domain.
    ///
    /// - Complexity: 34 points are transformed where the systems share their axes, as web mercator and longitude and
    ///   latitude do, and 1,089 elsewhere.
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
            // The poles may be missing, so that it takes all rows; any of them has the west and the east side.
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

    /// Whether both are from the same system and to the same.
    public static func == (left: CoordinateTransform, right: CoordinateTransform) -> Bool {
        left.route === right.route || left.source == right.source && left.target == right.target
    }

    /// Hashes both systems.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(source)
        hasher.combine(target)
    }
}

/// What a transform has to do, found out once; an object, since the numbers of its projections would otherwise be copied
/// for each place.
private final class Route: Sendable {
    enum Kind { case identity, forward, inverse, both, shifted }

    let source: CRS
    let target: CRS
    let kind: Kind
    let keepsAxes: Bool
    let from: any MapProjection
    let to: any MapProjection
    /// `nil` when the datums are one.
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
            // What has no longitude and latitude stays NaN.
            if let change { replaceEach(&x, &y) { change($0) } }
            to.project(x: &x, y: &y)
        }
    }
}

extension CRS {
    /// Whether coordinates in both systems are equal numbers, whatever the order in which they are written.
    package func hasCoordinates(of other: CRS) -> Bool {
        if self == other { return true }
        return (try? CoordinateTransform(from: self, to: other))?.isIdentity ?? false
    }
}
