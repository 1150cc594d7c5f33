import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster

/// Collects the boxes of point marks, which labels avoid.
struct MarkCollector {
    /// Equal marks of one layer.
    private struct Kind: Hashable {
        let look: Int
        let icon: Int32
    }

    /// The boxes, including selection marks.
    private(set) var obstacles: [LabelObstacle] = []
    /// The boxes of the marks at each point, if boxes are kept.
    private(set) var boxes: [Point: Rectangle] = [:]
    private let keepsBoxes: Bool
    private var extents: [Kind: Rectangle?] = [:]

    /// Creates an empty collector.
    ///
    /// - Parameter keepsBoxes: whether labels are placed around their marks.
    init(keepsBoxes: Bool) { self.keepsBoxes = keepsBoxes }

    /// Adds the visible marks of a layer.
    ///
    /// Circles of a style sheet are not included: in style languages only texts and icons collide.
    mutating func collect(_ layer: LabelledLayer, viewport: Viewport) {
        let step = layer.step, looks = layer.looks
        guard let shapes = layer.shapes, step.content.source.sheet == nil else { return }
        let picture = Rectangle(viewport.imageSize)
        extents = [:]
        for shift in step.worldShifts {
            let projection = PixelProjection(shapes.transform, to: viewport, shift: shift)
            for (index, run) in shapes.runs.enumerated() where run.first < run.end {
                let block = Int(run.block)
                for number in Int(run.first)..<Int(run.end) {
                    let shape = shapes.columns[block].shapes[number]
                    guard shape.kind == .points else { continue }
                    let shown = step.shown[index]
                    let kind = Kind(look: looks.number(ofFeature: index), icon: shown.icon)
                    guard let extent = extent(of: kind, looks) else { continue }
                    // Labels at a fixed position never cover marks, regardless of their priority.
                    let priority =
                        shown.isSelected || !keepsBoxes ? .infinity : self.priority(of: shown, kind.look, layer)
                    for part in Int(shape.firstPart)..<Int(shape.endPart) {
                        for place in shapes.columns[block].range(ofPart: part) {
                            guard let point = shapes.point(block, place, projection) else { continue }
                            let box = extent.moved(x: point.x, y: point.y)
                            guard box.overlaps(picture) else { continue }
                            obstacles.append(LabelObstacle(box: box, place: point, priority: priority))
                            if keepsBoxes { boxes[point] = boxes[point]?.union(box) ?? box }
                            guard shown.isSelected, step.selectionMarkSize > 0 else { continue }
                            let mark = looks.markers.selectionOutline(
                                size: step.selectionMarkSize, above: point, reach: height(of: kind, looks))
                            if let box = mark.boundingRectangle {
                                obstacles.append(
                                    LabelObstacle(box: box.grown(by: 1.5 * viewport.pixelRatio), place: point))
                            }
                        }
                    }
                }
            }
        }
    }

    /// The priority of a mark: that of its label, or the lowest without a label.
    private func priority(of shown: Scene.FeatureStep.Shown, _ look: Int, _ layer: LabelledLayer) -> Double {
        guard let label = layer.looks.all[look].label else { return -.infinity }
        return label.priority(of: layer.step.source.features[Int(shown.place)].properties)
    }

    private mutating func extent(of kind: Kind, _ looks: PixelStyles) -> Rectangle? {
        if let known = extents[kind] { return known }
        let extent = looks.all[kind.look].symbol.flatMap {
            looks.markers.extent(of: $0, image: looks.image(ofIcon: kind.icon) ?? $0.ownImage)
        }
        extents[kind] = .some(extent)
        return extent
    }

    private func height(of kind: Kind, _ looks: PixelStyles) -> Double {
        looks.all[kind.look].symbol.map {
            looks.markers.height(of: $0, image: looks.image(ofIcon: kind.icon) ?? $0.ownImage)
        } ?? 0
    }
}
