import PortolanFeatures
import PortolanRaster

/// The label positions inside an area.
struct AreaPositions {
    /// The number of rows of the area that are tried.
    private static let rowCount = 15

    private let text: LabelText
    private let halo: Double

    init(text: LabelText, halo: Double) {
        self.text = text
        self.halo = halo
    }

    /// Returns the middles of the label positions in an area of rings, inside by the even-odd rule: those nearest the
    /// middle of the box first, and none if the area is smaller than the text.
    func middles(in rings: [[Point]], _ box: Rectangle) -> [Point] {
        guard box.width >= text.paddedWidth, box.height >= text.paddedHeight else { return [] }
        let room = box.height - text.paddedHeight
        var found: [(distance: Double, number: Int, point: Point)] = []
        for number in 0..<Self.rowCount {
            let y = box.minY + text.paddedHeight / 2 + room * Double(number) / Double(Self.rowCount - 1)
            guard let span = widestSpan(of: rings, around: y), span.high - span.low >= text.paddedWidth else {
                continue
            }
            let half = text.paddedWidth / 2
            // As near the middle of the box as the span allows, but with some free space on both sides if possible.
            let air = min((span.high - span.low) / 2, half + text.size)
            let x = min(max(box.center.x, span.low + air), span.high - air)
            let point = Point(x: x, y: y)
            found.append((MeasuredLine.distance(point, box.center), number, point))
        }
        found.sort { ($0.distance, $0.number) < ($1.distance, $1.number) }
        return found.map(\.point)
    }

    /// Returns the position with its middle at a point.
    func place(at middle: Point) -> LabelPosition {
        LabelPosition(upright: text, origins: text.origins(at: middle, .center, .middle), halo: halo)
    }

    /// The widest span that is inside at the top, the middle and the bottom of a text around `y`.
    private func widestSpan(of rings: [[Point]], around y: Double) -> (low: Double, high: Double)? {
        var common = MiddlePoint.spans(of: rings, at: y)
        for offset in [-0.45, 0.45] {
            let other = MiddlePoint.spans(of: rings, at: y + offset * text.paddedHeight)
            var both: [(low: Double, high: Double)] = []
            var i = 0, j = 0
            while i < common.count, j < other.count {
                let low = max(common[i].low, other[j].low), high = min(common[i].high, other[j].high)
                if low < high { both.append((low, high)) }
                if common[i].high < other[j].high { i += 1 } else { j += 1 }
            }
            common = both
        }
        return common.max { $0.high - $0.low < $1.high - $1.low }
    }
}
