import PortolanGeo

/// The union of areas, or its part within a mask.
///
/// Borders are split where they cross, on an integer grid (``WindingUnion``). Vertices of the given areas keep their
/// coordinates, unless that would make borders cross; all others are on the grid.
struct AreaOverlay {
    private let grid: OverlayGrid
    private var areas: [[GridPoint]] = []
    private var mask: [[GridPoint]] = []
    /// The coordinates of the vertices.
    private var given: [GridPoint: Coordinate] = [:]
    /// The coordinates of vertical and horizontal edges of the mask.
    private var columns: [Int: Double] = [:]
    private var rows: [Int: Double] = [:]
    private var count = 0
    /// Whether different vertices are at one grid position.
    private var hasMerged = false

    init(_ grid: OverlayGrid) { self.grid = grid }

    /// Adds a polygon: its outer ring and holes, in any direction.
    mutating func add(_ rings: some Sequence<some Collection<Coordinate>>) {
        for (index, ring) in rings.enumerated() { areas.append(path(ring, isHole: index > 0)) }
    }

    /// Adds a ring of the mask, with the masked area to its left.
    mutating func addMask(_ ring: [Coordinate]) {
        mask.append(path(ring, isHole: nil))
        for (one, other) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
            let place = grid.position(of: one)
            if one.x == other.x { columns[place.x] = one.x }
            if one.y == other.y { rows[place.y] = one.y }
        }
    }

    private mutating func path(_ ring: some Collection<Coordinate>, isHole: Bool?) -> [GridPoint] {
        var path: [GridPoint] = []
        path.reserveCapacity(ring.count)
        for coordinate in ring where coordinate.isFinite {
            let place = grid.position(of: coordinate)
            if let known = given[place] {
                hasMerged = hasMerged || known != coordinate
            } else {
                given[place] = coordinate
            }
            path.append(place)
        }
        count += path.count
        if let isHole, (ring.doubledRingArea < 0) != isHole { path.reverse() }
        return path
    }

    /// The polygons of the combined areas, with closed rings, or `nil` if borders cross too often.
    ///
    /// - Parameter isMasked: whether only the part within the mask is returned.
    func polygons(isMasked: Bool) -> [[[Coordinate]]]? {
        var effort = WindingUnion.Effort(
            looks: 20_000_000 + count * 2000, cuts: 500_000 + count * 4, meetings: 20_000_000 + count * 200)
        guard
            let outcome = WindingUnion.outcome(areas, mask: mask, isMasked ? .masked : .positive, within: &effort)
        else { return nil }
        let polygons = GridRings.polygons(outcome.rings)
        let exact = polygons.map { $0.map { ring in (ring + ring.prefix(1)).map(coordinate) } }
        guard outcome.hasCuts || hasMerged, SegmentCrossing.exists(inRings: exact.flatMap(\.self))
        else { return exact }
        return polygons.map { $0.map { ring in (ring + ring.prefix(1)).map(grid.coordinate) } }
    }

    private func coordinate(of place: GridPoint) -> Coordinate {
        if let coordinate = given[place] { return coordinate }
        var coordinate = grid.coordinate(of: place)
        if let x = columns[place.x] { coordinate.x = x }
        if let y = rows[place.y] { coordinate.y = y }
        return coordinate
    }
}
