import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanWeb

/// Draws the shapes of a layer's features: areas first, then lines, then marks; labels come later, over all layers.
///
/// All casings of lines come before all lines, so that lines of one layer flow into each other where they meet. What lies
/// outside the picture is cut off and what cannot be seen is left out before anything is stroked, so that the cost
/// follows the picture and not the file.
struct FeaturePainter {
    let step: FeatureStep
    let viewport: Viewport
    let images: [NamedURL: PixelBuffer]

    /// How many features make one drawing.
    private static let featuresInDrawing = 256

    /// Draws all features of the step, in each copy of the world that the view shows: gives drawings to be painted in
    /// turn, made by up to `threads` threads.
    func forEachDrawing(threads: Int, _ body: (Drawing) -> Void) {
        guard let shapes = StepShapes(step, in: viewport) else { return }
        let plain = PaintedLooks(step, viewport: viewport, images: images), passes = shapes.passes(of: plain)
        let looks = passes.contains(.marks) ? plain.withPreparedMarks() : plain
        let count = step.shown.count, size = Self.featuresInDrawing
        for shift in step.worldShifts {
            let projection = PixelProjection(shapes.transform, to: viewport, shift: shift)
            for pass in Pass.allCases where passes.contains(pass) {
                // No more drawings lie in memory than there are threads.
                for start in stride(from: 0, to: count, by: size * max(threads, 1)) {
                    let rest = start..<min(start + size * max(threads, 1), count)
                    let drawings = Concurrent.map((rest.count + size - 1) / size) { index in
                        let first = rest.lowerBound + index * size
                        var recorder = Recorder(painter: self, shapes: shapes, looks: looks, projection)
                        recorder.record(first..<min(first + size, rest.upperBound), in: pass)
                        return recorder.drawing
                    }
                    drawings.forEach(body)
                }
            }
        }
    }

    /// What is drawn of all features before the next is begun.
    enum Pass: CaseIterable { case areas, casings, lines, marks }

    /// Records one pass of some features.
    private struct Recorder {
        let painter: FeaturePainter
        let shapes: StepShapes
        let looks: PaintedLooks
        var tracer: ShapeTracer
        var drawing = Drawing()
        /// The path of the shape being recorded, whose memory serves the next.
        private var path = Path()
        /// The places of a prepared mark that are not in the drawing yet, and the number of its look.
        private var places: [Point] = []
        private var placesLook = 0
        let area: Rectangle
        let reach: Rectangle

        init(painter: FeaturePainter, shapes: StepShapes, looks: PaintedLooks, _ projection: PixelProjection) {
            self.painter = painter
            self.shapes = shapes
            self.looks = looks
            tracer = ShapeTracer(shapes, projection)
            let viewport = painter.viewport
            area = Rectangle(viewport.imageSize, margin: 2)
            reach = Rectangle(viewport.imageSize, margin: FeatureStep.symbolReach * viewport.pixelRatio)
        }

        mutating func record(_ features: Range<Int>, in pass: Pass) {
            for index in features {
                let run = shapes.runs[index], block = Int(run.block)
                guard run.first < run.end else { continue }
                tracer.enter(block: block)
                let look = looks.number(ofFeature: index)
                for number in Int(run.first)..<Int(run.end) {
                    let shape = tracer.columns.shapes[number]
                    switch (shape.kind, pass) {
                    case (.polygon, .areas): recordArea(shape, look)
                    case (.lines, .casings):
                        if let stroke = looks.all[look].casing { recordLines(shape, stroke) }
                    case (.lines, .lines):
                        if let stroke = looks.all[look].stroke { recordLines(shape, stroke) }
                    case (.points, .marks): recordMarks(shape, look, painter.step.shown[index])
                    default: break
                    }
                }
            }
            recordPlaces()
        }

        /// Puts the marks into the drawing that wait for others of their look.
        private mutating func recordPlaces() {
            guard !places.isEmpty else { return }
            if case .shape(let mark)? = looks.all[placesLook].marker { drawing.draw(mark, at: places) }
            places.removeAll(keepingCapacity: true)
        }

        private mutating func recordArea(_ shape: ShapeColumns.Shape, _ look: Int) {
            let parts = Int(shape.firstPart)..<Int(shape.endPart)
            var isWhole = false
            path.removeAll()
            if let color = looks.all[look].fill {
                isWhole = true
                for part in parts {
                    let isInside = tracer.addRing(part, in: area, to: &path)
                    isWhole = isWhole && isInside
                }
                // Holes are those of the even-odd rule: files wind their rings as they like.
                if !path.isEmpty { drawing.fill(path, rule: .evenOdd, color: color) }
            }
            guard let stroke = looks.all[look].stroke else { return }
            if let border = shape.border {
                path.removeAll()
                for part in Int(border.lowerBound)..<Int(border.upperBound) {
                    tracer.addLine(part, in: stroke.reach, isRing: false, isDashed: stroke.isDashed, to: &path)
                }
            } else if !isWhole {
                path.removeAll()
                for part in parts {
                    tracer.addLine(part, in: stroke.reach, isRing: true, isDashed: stroke.isDashed, to: &path)
                }
            }
            if !path.isEmpty { drawing.stroke(path, style: stroke.style, color: stroke.color) }
        }

        private mutating func recordLines(_ shape: ShapeColumns.Shape, _ stroke: PaintedLooks.Stroke) {
            path.removeAll()
            for part in Int(shape.firstPart)..<Int(shape.endPart) {
                tracer.addLine(part, in: stroke.reach, isRing: false, isDashed: stroke.isDashed, to: &path)
            }
            if !path.isEmpty { drawing.stroke(path, style: stroke.style, color: stroke.color) }
        }

        private mutating func recordMarks(
            _ shape: ShapeColumns.Shape, _ look: Int, _ shown: FeatureStep.Shown
        ) {
            guard let marker = looks.all[look].marker else { return }
            let markers = looks.markers
            let image = looks.image(ofIcon: shown.icon)
            for part in Int(shape.firstPart)..<Int(shape.endPart) {
                for index in tracer.columns.range(ofPart: part) {
                    guard let point = tracer.point(index), reach.contains(point) else { continue }
                    switch marker {
                    case .shape(let mark) where mark.isPrepared:
                        if look != placesLook { recordPlaces() }
                        placesLook = look
                        places.append(point)
                    case .shape(let mark):
                        recordPlaces()
                        drawing.draw(mark, at: point)
                    case .icon(let icon):
                        recordPlaces()
                        if let image {
                            markers.paint(icon, image: image, at: point, into: &drawing)
                        } else if let mark = looks.standIn {
                            drawing.draw(mark, at: point)
                        }
                    }
                    if shown.isSelected, painter.step.selectionMarkSize > 0, let symbol = looks.all[look].symbol {
                        recordPlaces()
                        markers.paintSelection(
                            size: painter.step.selectionMarkSize, above: point,
                            reach: markers.height(of: symbol, image: image), into: &drawing)
                    }
                }
            }
        }
    }
}

/// The shapes of a step's features, in the features' system and in the map's.
struct StepShapes: Sendable {
    let transform: CoordinateTransform
    let columns: [ShapeColumns]
    let projected: [ProjectedShapes]
    /// Where the shapes of each shown feature lie.
    let runs: [ShapeRun]

    /// Looks the shapes up, or gives `nil` when the two systems cannot be brought together.
    ///
    /// - Complexity: O(features shown + coordinates not projected yet).
    init?(_ step: FeatureStep, in viewport: Viewport) {
        guard let transform = try? CoordinateTransform(from: step.crs, to: viewport.crs) else { return nil }
        self.transform = transform
        (columns, projected, runs) = step.source.shapes(of: step.shown.lazy.map(\.place), by: transform)
    }

    /// The picture pixel of a coordinate, or `nil` where the map's system has none for it.
    @inline(__always)
    func point(_ block: Int, _ index: Int, _ projection: PixelProjection) -> Point? {
        let x = projected[block].x[index], y = projected[block].y[index]
        return x.isFinite && y.isFinite ? projection.pixel(x: x, y: y) : nil
    }

    /// The passes in which something is drawn.
    func passes(of looks: PaintedLooks) -> Set<FeaturePainter.Pass> {
        var hasPolygons = false, hasLines = false, hasPoints = false
        for run in runs where run.first < run.end {
            for number in Int(run.first)..<Int(run.end) {
                switch columns[Int(run.block)].shapes[number].kind {
                case .polygon: hasPolygons = true
                case .lines: hasLines = true
                case .points: hasPoints = true
                }
            }
        }
        var passes: Set<FeaturePainter.Pass> = []
        if hasPolygons { passes.insert(.areas) }
        if hasLines, looks.all.contains(where: { $0.casing != nil }) { passes.insert(.casings) }
        if hasLines { passes.insert(.lines) }
        if hasPoints { passes.insert(.marks) }
        return passes
    }
}
