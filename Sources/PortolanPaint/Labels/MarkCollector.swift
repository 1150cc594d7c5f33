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

    /// A feature of a layer's source.
    private struct FeatureKey: Hashable {
        let content: UInt64
        let place: Int32
    }

    /// The priorities of the labels of features whose style sheet draws mark and label in separate layers.
    private var sheetPriorities: [FeatureKey: Double] = [:]
    /// The boxes, including selection marks.
    private(set) var obstacles: [LabelObstacle] = []
    /// The boxes of the marks at each point, if boxes are kept.
    private(set) var boxes: [Point: Rectangle] = [:]
    /// The number of marks in the picture.
    private(set) var count = 0
    /// The indexes of the layers whose lines labels avoid.
    private(set) var layersWithLines: Set<Int> = []
    private let keepsBoxes: Bool
    private var extents: [Kind: Rectangle?] = [:]

    /// Creates an empty collector.
    ///
    /// - Parameter keepsBoxes: whether labels are placed around their marks.
    init(keepsBoxes: Bool) { self.keepsBoxes = keepsBoxes }

    /// Adds the priorities of the labels that a style sheet draws in a layer, which are also those of the marks of the
    /// same features.
    mutating func collectPriorities(_ layer: LabelledLayer) {
        let step = layer.step, source = step.content.source
        guard source.sheet != nil, source.keepsMarksClear, layer.looks.all.contains(where: { $0.label != nil }) else {
            return
        }
        for (index, shown) in step.shown.enumerated() {
            guard let label = layer.looks.all[layer.looks.number(ofFeature: index)].label else { continue }
            sheetPriorities[FeatureKey(content: source.contentID, place: shown.place)] =
                label.priority(of: source.features[Int(shown.place)].properties)
        }
    }

    /// Adds the visible marks of a layer.
    ///
    /// Circles of a style sheet are not included, unless it places texts freely: in style languages only texts and icons
    /// collide.
    ///
    /// - Parameter includesCircles: whether circles of all style sheets are included.
    mutating func collect(_ layer: LabelledLayer, viewport: Viewport, includesCircles: Bool = false) {
        let step = layer.step, looks = layer.looks
        let source = step.content.source
        guard let shapes = layer.shapes, source.keepsMarksClear || includesCircles else { return }
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
                    guard looks.all[kind.look].label?.holdsMark != true, let extent = extent(of: kind, looks) else {
                        continue
                    }
                    // Labels at a fixed position never cover marks, regardless of their priority.
                    let isKept = shown.isSelected || !keepsBoxes
                    let priority = isKept ? .infinity : self.priority(of: shown, kind.look, layer)
                    for part in Int(shape.firstPart)..<Int(shape.endPart) {
                        for place in shapes.columns[block].range(ofPart: part) {
                            guard let point = shapes.point(block, place, projection) else { continue }
                            let box = extent.moved(x: point.x, y: point.y)
                            guard box.overlaps(picture) else { continue }
                            obstacles.append(LabelObstacle(box: box, place: point, priority: priority))
                            count += 1
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

    /// The middle of a box along a line, in whole pixels.
    private struct LinePlace: Hashable {
        let x: Double
        let y: Double

        init(_ box: Rectangle) {
            x = box.center.x.rounded()
            y = box.center.y.rounded()
        }
    }

    /// The longest lines of a layer of which labels keep clear, in multiples of the picture's width and height.
    private static let longestLines = 4.0
    /// The largest mean number of lines of a network on one street.
    private static let mostShared = 32.0
    /// The length of a box along a line in view pixels.
    private static let pieceLength = 6.0

    /// Adds the lines of a layer, such as a route, of which the labels of layers below keep clear, and those of its points
    /// as far as possible.
    ///
    /// Layers with so many lines that hardly a label would remain are left out (``Scene/FeatureStep/keepsLinesClear``).
    ///
    /// - Parameter number: the index of the layer.
    mutating func collectLines(_ layer: LabelledLayer, _ number: Int, viewport: Viewport) {
        guard let shapes = layer.shapes else { return }
        let picture = Rectangle(viewport.imageSize), step = Self.pieceLength * viewport.pixelRatio
        var room = Self.longestLines * (picture.width + picture.height), boxes: [Rectangle] = []
        // The lines of a network often share a street.
        let isShared = layer.step.content.source.avoidsOwnLines
        var work = room * Self.mostShared, places: Set<LinePlace> = []
        for shift in layer.step.worldShifts {
            var tracer = ShapeTracer(shapes, PixelProjection(shapes.transform, to: viewport, shift: shift))
            for (index, run) in shapes.runs.enumerated() where run.first < run.end {
                let look = layer.looks.all[layer.looks.number(ofFeature: index)]
                let widths = [look.stroke, look.casing].compactMap { $0?.strokes.first?.style.width }
                guard let reach = widths.max().map({ $0 / 2 }) else { continue }
                tracer.enter(block: Int(run.block))
                for shape in tracer.columns.shapes[Int(run.first)..<Int(run.end)] where shape.kind == .lines {
                    for (start, end) in tracer.segments(of: shape)
                    where Rectangle(around: start, end).grown(by: reach).overlaps(picture) {
                        let length = MeasuredLine.distance(start, end)
                        work -= length
                        guard isShared ? work > 0 : room > length else { return }
                        var pieces = Rectangle.boxes(from: start, to: end, step: step, reach: reach)
                        if isShared {
                            pieces = pieces.filter { places.insert(LinePlace($0)).inserted }
                            room -= Double(pieces.count) * step
                            guard room > 0 else { return }
                        } else {
                            room -= length
                        }
                        boxes += pieces
                    }
                }
            }
        }
        obstacles += boxes.map { LabelObstacle(box: $0, layer: LabelCollector.level(ofLines: number)) }
        if !boxes.isEmpty { layersWithLines.insert(number) }
    }

    /// The priority of a mark: that of its label, or the lowest without a label; in a style sheet the highest.
    private func priority(of shown: Scene.FeatureStep.Shown, _ look: Int, _ layer: LabelledLayer) -> Double {
        if layer.step.content.source.sheet != nil {
            let key = FeatureKey(content: layer.step.content.source.contentID, place: shown.place)
            return sheetPriorities[key] ?? LabelPlacer.markPriority
        }
        guard let label = layer.looks.all[look].label else { return -.infinity }
        return label.priority(of: layer.step.content.source.features[Int(shown.place)].properties)
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

extension ShapeTracer {
    /// The straight pieces of the parts of a shape, in picture pixels.
    fileprivate mutating func segments(of shape: ShapeColumns.Shape) -> [(start: Point, end: Point)] {
        var segments: [(start: Point, end: Point)] = []
        for part in Int(shape.firstPart)..<Int(shape.endPart) {
            project(part, near: nil)
            for line in runs.arrays { segments += zip(line, line.dropFirst()).map { ($0, $1) } }
        }
        return segments
    }
}

extension Rectangle {
    /// The box around two points.
    fileprivate init(around one: Point, _ other: Point) {
        self.init(
            minX: min(one.x, other.x), minY: min(one.y, other.y), maxX: max(one.x, other.x), maxY: max(one.y, other.y))
    }
}
