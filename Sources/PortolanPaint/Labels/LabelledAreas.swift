import PortolanRaster

/// The labelled areas of a layer in the picture, on which the names of other areas do not stand.
struct LabelledAreas {
    private struct Area {
        let feature: Int32
        let box: Rectangle
        let rings: [[Point]]
    }

    /// The share of a name's width that may lie on another area.
    private static let freeShare = 0.15

    private var areas: [Area] = []

    /// Adds an area with the rings that bound it, in picture pixels.
    mutating func insert(_ rings: [[Point]], _ box: Rectangle, of feature: Int32) {
        areas.append(Area(feature: feature, box: box, rings: rings))
    }

    /// Returns whether the middle of a name's box lies on the area of another feature.
    ///
    /// - Complexity: O(*n*) in the areas, and in the points of those that the box meets.
    func carry(_ name: Rectangle, besides feature: Int32) -> Bool {
        let middle = name.center.y
        return areas.contains { area in
            guard area.feature != feature, area.box.overlaps(name) else { return false }
            let width = MiddlePoint.spans(of: area.rings, at: middle).reduce(0) { sum, span in
                sum + max(0, min(span.high, name.maxX) - max(span.low, name.minX))
            }
            return width > name.width * Self.freeShare
        }
    }
}
