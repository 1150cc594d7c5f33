import PortolanGeo
import PortolanRaster

/// The leader line between a label and its feature, for labels that are not adjacent.
struct LabelLeader: Hashable {
    /// The beginning: at the mark of a point, or inside an area.
    let start: Point
    /// The end, at a side of the label.
    let end: Point
    /// Whether a dot marks the beginning, inside an area.
    let hasDot: Bool

    /// The directions in which labels with leaders are tried: from the right, alternating below and above.
    static let directions: [Point] = (0..<32).map { number in
        let turn = (number + 1) / 2 * (number.isMultiple(of: 2) ? -1 : 1)
        let (x, y) = Bearing.axes(degrees: Double(turn) * 11.25)
        return Point(x: x, y: y)
    }

    /// The length of the parts for which boxes are computed, in picture pixels.
    private static let step = 6.0

    /// Creates the line from a point to a label, beginning some pixels from the point, or returns `nil` if they touch.
    ///
    /// - Parameter endsInMiddle: whether it ends in the middle of the label's side rather than at its nearest point.
    init?(
        from place: Point, beyond reach: Double, to label: Rectangle, hasDot: Bool = false, endsInMiddle: Bool = false
    ) {
        var end = Point(
            x: min(max(place.x, label.minX), label.maxX), y: min(max(place.y, label.minY), label.maxY))
        if endsInMiddle {
            end = end.y == place.y ? Point(x: end.x, y: label.center.y) : Point(x: label.center.x, y: end.y)
        }
        let length = MeasuredLine.distance(place, end)
        guard length > reach, let direction = MeasuredLine.direction(from: place, to: end) else { return nil }
        start = Point(x: place.x + reach * direction.x, y: place.y + reach * direction.y)
        self.end = end
        self.hasDot = hasDot
    }

    private init(start: Point, end: Point, hasDot: Bool) {
        self.start = start
        self.end = end
        self.hasDot = hasDot
    }

    /// The upright boxes of its parts.
    var boxes: [Rectangle] {
        Rectangle.boxes(from: start, to: end, step: Self.step, reach: 1, limit: 256)
    }

    /// Returns the line moved by a vector.
    func moved(x: Double, y: Double) -> LabelLeader {
        LabelLeader(
            start: Point(x: start.x + x, y: start.y + y), end: Point(x: end.x + x, y: end.y + y), hasDot: hasDot)
    }
}
