import PortolanFeatures
package import PortolanRaster
import PortolanText

/// The labels of a cell of a grid, placed together with what lies about it.
///
/// Pictures that show a part of the grid, such as tiles, draw the labels of the cells that they touch, so that each label is whole
/// in all of them, or in none. A label belongs to the cell in which its middle lies.
package struct CellLabels: Sendable {
    /// The labels, in pixels of the cell.
    private let labels: PlacedLabels
    private let pixelRatio: Double
    /// How near other labels are known for certain, in picture pixels.
    private let sight: Double

    /// Takes the labels of a view that shows a cell with a margin about it.
    ///
    /// - Parameters:
    ///   - margin: in picture pixels.
    ///   - reach: how far a label may lie beyond the cell, in picture pixels; one that reaches farther is left out.
    init(_ labels: PlacedLabels, of size: ImageSize, margin: Double, reach: Double, pixelRatio: Double) {
        let frame = Rectangle(
            minX: 0, minY: 0, maxX: Double(size.width) - 2 * margin, maxY: Double(size.height) - 2 * margin)
        self.pixelRatio = pixelRatio
        sight = 2 * reach
        let room = frame.grown(by: reach)
        self.labels = labels.moved(x: -margin, y: -margin).filtered { label in
            guard let bounds = label.bounds else { return false }
            let middle = bounds.center
            // Where two cells meet the middle lies in the right or lower one.
            return middle.x >= frame.minX && middle.x < frame.maxX && middle.y >= frame.minY && middle.y < frame.maxY
                && room.encloses(bounds)
        }
    }

    /// About how many bytes the labels take.
    package var byteCount: Int { labels.byteCount }

    /// Where the labels that touch a part lie, in pixels of the cell; `nil` where there are none.
    package func bounds(touching part: Rectangle) -> Rectangle? {
        labels.bounds { $0.mayTouch(part, pixelRatio) }
    }

    /// The labels that a part of the map draws.
    ///
    /// - Parameters:
    ///   - part: what is drawn, in pixels of the cell.
    ///   - others: neighbours that go first, and where their corners lie in pixels of this cell: a label that lies over one of
    ///     theirs, or says the same near it, is left out.
    package func labels(in part: Rectangle, after others: [(cell: CellLabels, corner: Point)]) -> PlacedLabels {
        let own = labels.filtered { $0.mayTouch(part, pixelRatio) }
        guard let near = own.bounds(where: { _ in true })?.grown(by: sight) else { return own }
        let first = others.map { other in
            let nearThere = near.moved(x: -other.corner.x, y: -other.corner.y)
            return other.cell.labels.filtered { $0.bounds.map(nearThere.overlaps) ?? false }
                .moved(x: other.corner.x, y: other.corner.y)
        }
        return own.filtered { label in
            !first.contains { $0.contains { label.yields(to: $0, within: sight, pixelRatio: pixelRatio) } }
        }.moved(x: -part.minX, y: -part.minY)
    }
}

extension PlacedLabel {
    /// The box around all of it.
    fileprivate var bounds: Rectangle? {
        boxes.dropFirst().reduce(boxes.first) { $0?.union($1) }
    }

    /// Whether something of it may lie in a part of the picture.
    fileprivate func mayTouch(_ part: Rectangle, _ pixelRatio: Double) -> Bool {
        let margin = paintedMargin(pixelRatio)
        return boxes.contains { $0.grown(by: margin).overlaps(part) }
    }

    /// Whether it is left out where another one stands.
    ///
    /// - Parameter limit: how near others are known for certain, in picture pixels.
    fileprivate func yields(to other: PlacedLabel, within limit: Double, pixelRatio: Double) -> Bool {
        guard let bounds, let others = other.bounds else { return false }
        if !symbol.mayOverlap, !other.symbol.isIgnored {
            let margin = min((symbol.clearance ?? LabelCollector.spacing) * pixelRatio, limit)
            if bounds.grown(by: margin).overlaps(others) {
                for box in boxes where other.boxes.contains(where: box.grown(by: margin).overlaps) { return true }
            }
        }
        let distance = min(LabelCollector.duplicateDistance(of: symbol) * pixelRatio, limit)
        let (x, y) = (bounds.center.x - others.center.x, bounds.center.y - others.center.y)
        guard x * x + y * y < distance * distance, let text, let said = symbol.saidOnce(of: text.words) else {
            return false
        }
        return said == other.text?.words
    }

    /// The label elsewhere.
    func moved(x: Double, y: Double) -> PlacedLabel {
        PlacedLabel(
            text: text, pose: pose?.moved(x: x, y: y), shared: shared, icon: icon?.moved(x: x, y: y),
            leader: leader?.moved(x: x, y: y), layer: layer, feature: feature, boxes: boxes.map { $0.moved(x: x, y: y) }
        )
    }
}

extension LabelText {
    /// The words of all its lines.
    fileprivate var words: String { lines.map(\.text).joined(separator: "\n") }
}

extension LabelPose {
    fileprivate func moved(x: Double, y: Double) -> LabelPose {
        let shift = AffineTransform.translation(x: x, y: y)
        switch self {
        case .upright(let origins, nil): return .upright(origins.map { Point(x: $0.x + x, y: $0.y + y) }, turn: nil)
        case .upright(let origins, let turn?): return .upright(origins, turn: turn.then(shift))
        case .turned(let transform): return .turned(transform.then(shift))
        case .bent(let transforms): return .bent(transforms.map { $0.then(shift) })
        }
    }
}
