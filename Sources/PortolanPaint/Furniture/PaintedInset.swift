import PortolanRaster
import PortolanText

/// A picture of another extent in a corner of a map.
package struct PaintedInset: Sendable {
    /// A corner of the map.
    package enum Corner: String, Hashable, Sendable, CaseIterable {
        case topLeft, topRight, bottomLeft, bottomRight
        /// The corner with the least other elements, and among those the one that covers the least of the layers.
        case automatic

        /// The corners that an inset tries in order.
        fileprivate var candidates: [Corner] {
            self == .automatic ? [.bottomRight, .topLeft, .topRight, .bottomLeft] : [self]
        }

        /// The name in options.
        var text: String {
            switch self {
            case .topLeft: "top-left"
            case .topRight: "top-right"
            case .bottomLeft: "bottom-left"
            case .bottomRight: "bottom-right"
            case .automatic: "auto"
            }
        }

        /// Whether it is at the left.
        package var isLeft: Bool { self == .topLeft || self == .bottomLeft }
        /// Whether it is at the top.
        var isTop: Bool { self == .topLeft || self == .topRight }
    }

    /// The space around an inset, in view pixels.
    static let margin = 12.0

    private let size: ImageSize
    /// The corner.
    let corner: Corner
    private let draw: @Sendable (_ x: Int, _ y: Int) throws(TextError) -> Drawing

    /// Creates an inset.
    ///
    /// - Parameters:
    ///   - size: the size in picture pixels.
    ///   - draw: returns its content with the top left pixel at a column and a row of the map.
    init(
        size: ImageSize, corner: Corner, draw: @escaping @Sendable (_ x: Int, _ y: Int) throws(TextError) -> Drawing
    ) {
        self.size = size
        self.corner = corner
        self.draw = draw
    }

    /// Returns the box nearest to the corner that overlaps none of the others, or a farther one that covers clearly less;
    /// `nil` without room.
    ///
    /// - Parameter weight: returns the loss if a box is covered.
    func box(
        on picture: ImageSize, pixelRatio: Double, clearOf taken: [Rectangle], weight: (Rectangle) -> Double
    ) -> Rectangle? {
        let found = corner.candidates.compactMap { box(at: $0, on: picture, pixelRatio: pixelRatio, clearOf: taken) }
        let nearest = found.enumerated().sorted { first, second in
            (first.element.moved, first.offset) < (second.element.moved, second.offset)
        }
        let boxes = nearest.map(\.element.box)
        guard boxes.count > 1 else { return boxes.first }
        return boxes[PictureContent.choice(of: boxes.map(weight))]
    }

    /// Returns the box nearest to a corner that overlaps none of the others, and its distance from the corner.
    func box(
        at corner: Corner, on picture: ImageSize, pixelRatio: Double, clearOf taken: [Rectangle]
    ) -> (box: Rectangle, moved: Double)? {
        let margin = (Self.margin * pixelRatio).rounded(), width = Double(size.width), height = Double(size.height)
        let isTop = corner.isTop, left = corner.isLeft ? margin : Double(picture.width) - margin - width
        let first = isTop ? margin : Double(picture.height) - margin - height
        guard left >= 0 else { return nil }
        var top = first
        // Each step passes an element, so there is one step per element at most.
        for _ in 0...taken.count {
            let box = Rectangle(minX: left, minY: top, maxX: left + width, maxY: top + height)
            guard box.minY >= 0, box.maxY <= Double(picture.height) else { return nil }
            let hit = taken.filter { $0.overlaps(box.grown(by: margin / 2)) }
            if hit.isEmpty { return (box, abs(top - first)) }
            top =
                isTop
                ? ((hit.map(\.maxY).max() ?? 0) + margin / 2 + 1).rounded(.up)
                : ((hit.map(\.minY).min() ?? 0) - height - margin / 2 - 1).rounded(.down)
        }
        return nil
    }

    /// The largest and the smallest share of the picture that a smaller inset may have, in percent.
    private static let shares = 8...50

    /// Returns the largest share of the picture in percent, less than the own one, with which the inset is clear in its
    /// corner, or `nil`.
    func clearShare(
        on picture: ImageSize, pixelRatio: Double, clearOf taken: [Rectangle], _ isClear: (Rectangle) -> Bool
    ) -> Int? {
        let own = max(Double(size.width) / Double(picture.width), Double(size.height) / Double(picture.height))
        let most = min(Int((own * 100).rounded(.up)) - 1, Self.shares.upperBound)
        guard own > 0, most >= Self.shares.lowerBound else { return nil }
        return (Self.shares.lowerBound...most).reversed().first { share in
            let part = Double(share) / 100 / own
            guard
                let smaller = ImageSize(
                    width: Int((Double(size.width) * part).rounded(.up)),
                    height: Int((Double(size.height) * part).rounded(.up)))
            else { return false }
            let inset = PaintedInset(size: smaller, corner: corner, draw: draw)
            return inset.box(at: corner, on: picture, pixelRatio: pixelRatio, clearOf: taken).map { isClear($0.box) }
                ?? false
        }
    }

    /// Paints the inset with a frame.
    func paint(
        in box: Rectangle, pixelRatio: Double, rule: MapColor, on canvas: inout some PaintTarget
    ) throws(TextError) {
        let frame = Path(box), drawing = try draw(Int(box.minX), Int(box.minY))
        canvas.group(PaintGroup(name: "inset", clip: frame)) { $0.paint(drawing) }
        canvas.stroke(frame, style: StrokeStyle(width: 1.5 * pixelRatio), color: rule)
    }
}
