import PortolanFeatures
package import PortolanRaster
import PortolanText

/// The labels of a grid cell, placed together with the surrounding content.
///
/// Pictures that show a part of the grid, such as tiles, draw the labels of the cells that they touch, so that each
/// label is complete in all of them or in none. A label belongs to the cell that contains its middle.
package struct CellLabels: Sendable {
    /// The labels, in pixels of the cell.
    private let labels: PlacedLabels
    private let pixelRatio: Double
    /// The distance within which other labels are known, in picture pixels.
    private let sight: Double

    /// Takes the labels of a view that shows a cell with a margin.
    ///
    /// - Parameters:
    ///   - margin: in picture pixels.
    ///   - reach: the distance by which a label may extend beyond the cell, in picture pixels; larger labels are
    ///     omitted.
    init(_ labels: PlacedLabels, of size: ImageSize, margin: Double, reach: Double, pixelRatio: Double) {
        let frame = Rectangle(
            minX: 0, minY: 0, maxX: Double(size.width) - 2 * margin, maxY: Double(size.height) - 2 * margin)
        self.pixelRatio = pixelRatio
        sight = 2 * reach
        let room = frame.grown(by: reach)
        self.labels = labels.moved(x: -margin, y: -margin).filtered { label in
            guard let bounds = label.bounds else { return false }
            let middle = bounds.center
            // A middle on a common border belongs to the right or lower cell.
            return middle.x >= frame.minX && middle.x < frame.maxX && middle.y >= frame.minY && middle.y < frame.maxY
                && room.encloses(bounds)
        }
    }

    /// The approximate number of bytes of the labels.
    package var byteCount: Int { labels.byteCount }

    /// Returns the box of the labels that touch a part, in pixels of the cell, or `nil` if no label does.
    package func bounds(touching part: Rectangle) -> Rectangle? {
        labels.bounds { $0.mayTouch(part, pixelRatio) }
    }

    /// Returns the labels for a part of the map.
    ///
    /// - Parameters:
    ///   - part: the drawn part, in pixels of the cell.
    ///   - others: neighbours with precedence, and the positions of their corners in pixels of this cell. A label that
    ///     overlaps one of theirs, or repeats its text nearby, is omitted.
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
    /// The box of the whole label.
    fileprivate var bounds: Rectangle? {
        boxes.dropFirst().reduce(boxes.first) { $0?.union($1) }
    }

    /// Whether any part of it may be in a part of the picture.
    fileprivate func mayTouch(_ part: Rectangle, _ pixelRatio: Double) -> Bool {
        let margin = paintedMargin(pixelRatio)
        return boxes.contains { $0.grown(by: margin).overlaps(part) }
    }

    /// Whether it is omitted because of another label.
    ///
    /// - Parameter limit: the distance within which other labels are known, in picture pixels.
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

    /// Returns the label moved by a vector.
    func moved(x: Double, y: Double) -> PlacedLabel {
        PlacedLabel(
            text: text, pose: pose?.moved(x: x, y: y), shared: shared, icon: icon?.moved(x: x, y: y),
            leader: leader?.moved(x: x, y: y), layer: layer, feature: feature, boxes: boxes.map { $0.moved(x: x, y: y) }
        )
    }
}

extension LabelText {
    /// The text of all its lines.
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
