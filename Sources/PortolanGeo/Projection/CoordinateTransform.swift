/// The way from one coordinate reference system to another, through longitude and latitude.
///
/// WGS 84 and what was made to agree with it, as ETRS89, NAD83, GDA94 and SIRGAS 2000, count as one datum; they differ
/// by less than two metres. Older datums are shifted by seven parameters (``DatumShift``): good to 1 to 5 metres, or
/// worse where ``CRS/epsg(_:)`` says so. There are no grids.
public struct CoordinateTransform: Hashable, Sendable {
    /// The system coordinates come from.
    public let source: CRS
    /// The system coordinates go to.
    public let target: CRS
    private let from: Projection
    private let to: Projection
    /// `nil` when the datums are one.
    private let change: DatumChange?

    /// Makes a transform.
    ///
    /// - Throws: ``CRSError/noProjection(_:)`` when the systems differ and one of them has no built-in projection.
    public init(from source: CRS, to target: CRS) throws(CRSError) {
        self.source = source
        self.target = target
        if source == target {
            from = .geographic
            to = .geographic
            change = nil
            return
        }
        guard let from = source.projection else { throw .noProjection(source.name) }
        guard let to = target.projection else { throw .noProjection(target.name) }
        self.from = from
        self.to = to
        change = DatumChange(from: source.datumShift, to: target.datumShift)
    }

    /// Whether coordinates stay as they are.
    public var isIdentity: Bool { change == nil && from == to }

    /// Where `coordinate` lies in the target, or `nil` outside the domain of either system.
    public func callAsFunction(_ coordinate: Coordinate) -> Coordinate? {
        if isIdentity { return coordinate.isFinite ? coordinate : nil }
        guard let geographic = from.unproject(coordinate) else { return nil }
        guard let change else { return to.project(geographic) }
        return to.project(change(geographic))
    }

    /// The transform back.
    public var inverse: CoordinateTransform { CoordinateTransform(inverting: self) }

    private init(inverting other: CoordinateTransform) {
        source = other.target
        target = other.source
        from = other.to
        to = other.from
        change = DatumChange(from: other.change?.target, to: other.change?.source)
    }

    /// The smallest extent in the target that holds `extent`, measured on a 33 × 33 lattice of its points, or `nil` when
    /// no area of it lies in the target's domain.
    public func callAsFunction(_ extent: Extent) -> Extent? {
        if isIdentity { return extent }
        var box: BoundingBox?
        let steps = 32
        for row in 0...steps {
            for column in 0...steps {
                let place = Coordinate(
                    x: extent.minX + extent.width * Double(column) / Double(steps),
                    y: extent.minY + extent.height * Double(row) / Double(steps))
                guard let moved = self(place) else { continue }
                box?.add(moved)
                if box == nil { box = BoundingBox(moved) }
            }
        }
        return box?.extent
    }
}
