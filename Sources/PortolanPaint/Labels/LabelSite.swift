import PortolanRaster

/// Where a label may go, as far as that is known before its letters are shaped.
///
/// Of the labels of a crowded picture most get no place. Each waits for its turn as this and its words alone.
enum LabelSite {
    /// On a point or around its mark.
    case around(Point)
    /// At a point, with the direction of the line there in degrees clockwise.
    case at(Point, turn: Double)
    /// Inside an area, with its middle at one of these points, the best first, or beyond its borders.
    case inside([Point], beyond: Beyond?)
    /// Along a line, from one of these spots on, the best first.
    case along([LineSpot])

    /// An area whose name may lie beyond its borders: a point inside and others, and the box.
    struct Beyond {
        let point: Point
        var others: [Point] = []
        let box: Rectangle
    }

    /// About how much memory it takes beside its own, in bytes.
    var byteCount: Int {
        switch self {
        case .around, .at: 0
        case .inside(let points, _): points.count * MemoryLayout<Point>.stride
        case .along(let spots):
            // The spots of a label are mostly on one stretch.
            spots.count * MemoryLayout<LineSpot>.stride + (spots.first?.line.points.count ?? 0) * 24 + 64
        }
    }
}

/// A distance along a stretch of a line, at which a text begins.
struct LineSpot {
    let line: MeasuredLine
    let start: Double
}
