import PortolanRaster

/// The site of a label, as far as it is known before its letters are shaped.
///
/// In a crowded picture most labels are not placed. Until then, each is stored only as its site and text.
enum LabelSite {
    /// On a point or around its mark.
    case around(Point)
    /// At a point, with its mark: the index of the mark in ``LabelCollector/heldMarks``.
    case holding(Int, Point)
    /// At a point, with the direction of the line there in degrees clockwise.
    case at(Point, turn: Double)
    /// On a line, at one of these places, the best first.
    case on([LineAnchors.Place])
    /// Inside an area, with its middle at one of these points, the best first, or beyond its borders.
    case inside([Point], beyond: Beyond?)
    /// Along a line, beginning at one of these spots, the best first, or at others on the line of the first one.
    case along([LineSpot], hasOthers: Bool)

    /// An area whose label may extend beyond its borders.
    struct Beyond {
        /// Points inside, the best one for a name first.
        let points: [Point]
        let box: Rectangle
        /// Whether the border of the picture cuts the area.
        let isCut: Bool
    }

    /// The approximate additional memory, in bytes.
    var byteCount: Int {
        switch self {
        case .around, .holding, .at: 0
        case .on(let places): places.count * MemoryLayout<LineAnchors.Place>.stride
        case .inside(let points, let beyond):
            (points.count + (beyond?.points.count ?? 0)) * MemoryLayout<Point>.stride
        case .along(let spots, _):
            // The spots of a label are mostly on the same line.
            spots.count * MemoryLayout<LineSpot>.stride + (spots.first?.line.points.count ?? 0) * 24 + 64
        }
    }
}

/// A distance along a line at which a text begins.
struct LineSpot {
    let line: MeasuredLine
    let start: Double
}
