public import PortolanGeo
import PortolanRaster

/// The area within which geometries are clipped: a box or polygons.
///
/// ```swift
/// let area = try ClipArea(lakes.features.compactMap(\.geometry))
/// let inLakes = try islands.clipped(to: area)
/// ```
public struct ClipArea: Sendable {
    /// The rings, open, with the area to their left.
    private(set) var rings: [[Coordinate]]
    /// The bounding box of the rings, or `nil` without area.
    private(set) var box: BoundingBox?
    /// Whether edges of the border meet the box of ``near(_:)``.
    private var hasEdges = true

    /// Creates the area of a box.
    public init(_ box: BoundingBox) {
        self.init(rings: [Self.corners(of: box)])
    }

    /// Creates the area that polygons cover together; other geometries have no area.
    ///
    /// - Throws: ``OverlayError`` with the index of the first geometry if their borders cross too often.
    public init(_ geometries: [Geometry]) throws(OverlayError) {
        var polygons: [[ArraySlice<Coordinate>]] = []
        func add(_ geometry: Geometry) {
            geometry.children.forEach(add)
            polygons += geometry.polygons.map(Array.init)
        }
        geometries.forEach(add)
        guard let union = AreaUnion.polygons(polygons) else { throw OverlayError(feature: 0) }
        self.init(
            rings: union.flatMap { polygon in
                polygon.enumerated().map { index, ring in
                    let isReversed = (ring.doubledRingArea < 0) != (index > 0)
                    let open = ring.first == ring.last ? ring.dropLast() : ring[...]
                    return isReversed ? open.reversed() : Array(open)
                }
            })
    }

    private init(rings: [[Coordinate]]) {
        self.rings = rings.filter { $0.count > 2 }
        box = BoundingBox(self.rings.joined())
    }

    /// Whether there is no area.
    public var isEmpty: Bool { rings.isEmpty }

    /// The number of vertices.
    var vertexCount: Int { rings.reduce(0) { $0 + $1.count } }

    private static func corners(of box: BoundingBox) -> [Coordinate] {
        [(box.minX, box.minY), (box.maxX, box.minY), (box.maxX, box.maxY), (box.minX, box.maxY)]
            .map { Coordinate(x: $0.0, y: $0.1) }
    }

    /// Returns the area with the edges that meet a box, whole, and a detour around the box for all others.
    ///
    /// Inside the box it is the same area, at any size of the box: edges are not cut.
    func near(_ box: BoundingBox) -> ClipArea {
        var near = self
        near.rings = []
        near.hasEdges = false
        let detour = BoxDetour(box)
        for ring in rings {
            guard var from = ring.last else { continue }
            var path: [Coordinate] = []
            func add(_ place: Coordinate) {
                if path.last == place { return }
                // A way back cancels the way there.
                if path.count > 1, path[path.count - 2] == place { path.removeLast() } else { path.append(place) }
            }
            for to in ring {
                defer { from = to }
                if detour.touches(from, to) {
                    near.hasEdges = true
                    add(from)
                    add(to)
                } else {
                    detour.corners(from, to).forEach(add)
                }
            }
            if path.count > 2 { near.rings.append(path) }
        }
        near.box = BoundingBox(near.rings.joined())
        return near
    }

    /// Whether all of the box of ``near(_:)`` is inside or outside, or `nil` if edges meet it.
    func covers(_ box: BoundingBox) -> Bool? { hasEdges ? nil : contains(box.center) }

    /// Returns the part within a box, whose sides it may follow back and forth.
    func within(_ box: BoundingBox) -> ClipArea {
        guard let own = self.box, !box.contains(own) else { return self }
        return ClipArea(rings: rings.map { Self.cut($0, to: box) })
    }

    /// Returns the part of a ring, open or closed, within a box, as an open ring.
    static func cut(_ ring: some Collection<Coordinate>, to box: BoundingBox) -> [Coordinate] {
        let rectangle = Rectangle(minX: box.minX, minY: box.minY, maxX: box.maxX, maxY: box.maxY)
        return PolygonClipper.clip(ring.map { Point(x: $0.x, y: $0.y) }, to: rectangle).dropLast()
            .map { Coordinate(x: $0.x, y: $0.y) }
    }

    /// Returns whether a position is inside or on the border.
    func contains(_ place: Coordinate) -> Bool {
        var winding = 0
        for ring in rings {
            guard var from = ring.last else { continue }
            for to in ring {
                defer { from = to }
                let (low, high) = from.y < to.y ? (from, to) : (to, from)
                guard low.y <= place.y, place.y <= high.y else { continue }
                let turn = (high.x - low.x) * (place.y - low.y) - (high.y - low.y) * (place.x - low.x)
                if turn == 0, place.x >= min(low.x, high.x), place.x <= max(low.x, high.x) { return true }
                if place.y < high.y, low.y < high.y, turn > 0 { winding += from.y < to.y ? 1 : -1 }
            }
        }
        return winding > 0
    }
}

extension BoundingBox {
    /// Returns whether a box is inside this one.
    func contains(_ other: BoundingBox) -> Bool {
        minX <= other.minX && minY <= other.minY && maxX >= other.maxX && maxY >= other.maxY
    }

    /// Returns the common part of two boxes, which may be flat, or `nil` if they are apart.
    func intersection(_ other: BoundingBox) -> BoundingBox? {
        BoundingBox(
            minX: max(minX, other.minX), minY: max(minY, other.minY), maxX: min(maxX, other.maxX),
            maxY: min(maxY, other.maxY))
    }

    /// Returns a box that is larger by a share of its longer side.
    func widened(by share: Double) -> BoundingBox {
        let reach = max(abs(minX), abs(maxX), abs(minY), abs(maxY))
        let margin = max(max(maxX - minX, maxY - minY) * share, reach * 1e-12, .leastNormalMagnitude)
        return BoundingBox(minX: minX - margin, minY: minY - margin, maxX: maxX + margin, maxY: maxY + margin) ?? self
    }
}
