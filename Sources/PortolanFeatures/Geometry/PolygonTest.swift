package import PortolanRaster

/// Tests whether points are inside polygons.
package enum PolygonTest {
    /// Returns whether a point is inside rings by the even-odd rule, so that rings within rings are holes.
    ///
    /// Rings may be open or closed. A point exactly on a border may be inside or outside, but it is inside exactly one
    /// of two areas that share the border.
    ///
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
