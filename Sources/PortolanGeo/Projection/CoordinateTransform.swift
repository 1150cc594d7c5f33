/// The way from one coordinate reference system to another, through longitude and latitude.
///
/// WGS 84 and ETRS89 count as one datum; they differ by less than a metre.
public struct CoordinateTransform: Hashable, Sendable {
    /// The system coordinates come from.
    public let source: CRS
    /// The system coordinates go to.
    public let target: CRS
    private let from: Projection
    private let to: Projection

    /// Makes a transform.
    ///
    /// - Throws: ``CRSError/noProjection(_:)`` when the systems differ and one of them has no built-in projection.
    public init(from source: CRS, to target: CRS) throws(CRSError) {
        self.source = source
        self.target = target
        if source == target {
            from = .geographic
            to = .geographic
            return
        }
        guard let from = source.projection else { throw .noProjection(source.name) }
        guard let to = target.projection else { throw .noProjection(target.name) }
        self.from = from
        self.to = to
    }

    /// Whether coordinates stay as they are.
    public var isIdentity: Bool { from == to }

    /// Where `coordinate` lies in the target, or `nil` outside the domain of either system.
    public func callAsFunction(_ coordinate: Coordinate) -> Coordinate? {
        if isIdentity { return coordinate.isFinite ? coordinate : nil }
        guard let geographic = from.unproject(coordinate) else { return nil }
        return to.project(geographic)
    }

    /// The transform back.
    public var inverse: CoordinateTransform { CoordinateTransform(inverting: self) }

    private init(inverting other: CoordinateTransform) {
        source = other.target
        target = other.source
        from = other.to
        to = other.from
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
