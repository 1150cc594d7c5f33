import PortolanFeatures
import PortolanRaster

/// The places around a point where its label may go.
struct PointPlaces {
    private let text: LabelText
    private let halo: Double
    /// How far from a mark its label stands, in picture pixels.
    private let gap: Double

    init(text: LabelText, halo: Double, gap: Double) {
        self.text = text
        self.halo = halo
        self.gap = gap
    }

    /// The places for a point without a mark: on it, then around it.
    func places(at point: Point) -> [LabelPlace] {
        [on(point)] + places(around: Rectangle(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y), at: point)
    }

    /// The places for a point with a mark: on it, where the text fits into it, as a number into a disc, then around it.
    func places(around mark: Rectangle, at point: Point) -> [LabelPlace] {
        let inside = on(point)
        let fits = inside.candidate.bounds.map(mark.encloses) ?? false
        // A pin stands above its point: the middle of the mark counts.
        let middle = mark.center
        // The best-read side comes first, then the other, then above and below, then the corners.
        let rightX = mark.maxX + gap, leftX = mark.minX - gap
        let aboveY = mark.minY - gap, belowY = mark.maxY + gap
        // A corner label comes nearer: a mark seldom fills its corners, and a line's box is higher than its letters.
        let across = min(min(mark.width, mark.height) * 0.15, gap / 2), down = across + 0.25 * text.size
        let sides: [(Point, LabelSymbol.HorizontalAlignment, LabelSymbol.VerticalAlignment)] = [
            (Point(x: rightX, y: middle.y), .left, .middle),
            (Point(x: leftX, y: middle.y), .right, .middle),
            (Point(x: middle.x, y: aboveY), .center, .bottom),
            (Point(x: middle.x, y: belowY), .center, .top),
            (Point(x: rightX - across, y: aboveY + down), .left, .bottom),
            (Point(x: rightX - across, y: belowY - down), .left, .top),
            (Point(x: leftX + across, y: aboveY + down), .right, .bottom),
            (Point(x: leftX + across, y: belowY - down), .right, .top),
        ]
        return (fits ? [inside] : [])
            + sides.map { anchor, horizontal, vertical in
                LabelPlace(
                    upright: text, origins: text.origins(at: anchor, horizontal, vertical), halo: halo, ownPlace: point)
            }
    }

    private func on(_ point: Point) -> LabelPlace {
        LabelPlace(upright: text, origins: text.origins(at: point, .center, .middle), halo: halo, ownPlace: point)
    }
}
