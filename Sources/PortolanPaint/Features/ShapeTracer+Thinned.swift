import PortolanFeatures
import PortolanRaster

extension ShapeTracer {
    /// Brings what is left of a part to ``thinnedPoints``, where that is known beforehand and the part lies in a box as a whole.
    ///
    /// - Complexity: O(what is left), the first time O(coordinates of the part).
    mutating func thin(_ part: Int, isRing: Bool, in box: Rectangle) -> Bool {
        guard takeThinned(), let projected,
            projection.isStraight(bend: Double(projected.bends[part])),
            let found = thinned?.part(
                part, of: projected, isRing: isRing, tolerance: Self.tolerance, longSide: PixelProjection.longSide,
                &simplified, &thinnedPoints),
            let indices = thinned?.indices
        else { return false }
        // However the picture is turned, all lies between the corners of the box around it.
        let a = projection.pixel(x: found.minX, y: found.minY), b = projection.pixel(x: found.maxX, y: found.minY)
        let c = projection.pixel(x: found.maxX, y: found.maxY), d = projection.pixel(x: found.minX, y: found.maxY)
        let bounds = Rectangle(
            minX: min(min(a.x, b.x), min(c.x, d.x)), minY: min(min(a.y, b.y), min(c.y, d.y)),
            maxX: max(max(a.x, b.x), max(c.x, d.x)),
            maxY: max(max(a.y, b.y), max(c.y, d.y)))
        guard box.encloses(bounds) else { return false }
        thinnedPoints.removeAll(keepingCapacity: true)
        let xs = projected.x.span, ys = projected.y.span
        for place in found.range {
            let index = Int(indices[place])
            thinnedPoints.append(projection.pixel(x: xs[index], y: ys[index]))
        }
        traced?.keep(thinnedPoints, ofPart: part, within: bounds)
        return true
    }

    /// Takes what is known of the block in maps of the scale, and tells whether that is to be used.
    private mutating func takeThinned() -> Bool {
        guard isThinning, let shapes = projected?.thinned else { return false }
        if thinned == nil {
            thinned = shapes.take(scale: projection.unitsPerPixel, partCount: columns.partEnds.count)
        }
        return true
    }

    /// Leaves what is known of the block to other pictures.
    mutating func giveBackThinned() {
        if let parts = thinned.take() { projected?.thinned?.giveBack(parts) }
    }
}
