package import PortolanRaster

/// Whether places lie inside polygons.
package enum PolygonTest {
    /// Whether a point lies inside rings by the even-odd rule, so that rings within rings are holes.
    ///
    /// Rings may be closed or not. A point exactly on a border may count as either, but of two areas that share the
    /// border exactly one has it.
    /// - Complexity: O(*n*) in the points of the rings.
    package static func contains(_ point: Point, rings: [[Point]]) -> Bool {
        var isInside = false
        for ring in rings {
            guard var previous = ring.last else { continue }
            for next in ring {
                if (next.y > point.y) != (previous.y > point.y) {
                    let x = previous.x + (point.y - previous.y) / (next.y - previous.y) * (next.x - previous.x)
                    if point.x < x { isInside.toggle() }
                }
                previous = next
            }
        }
        return isInside
    }
}
