import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanWeb

/// Draws the shapes of a layer's features: areas first, then lines, then marks.
///
/// Labels are drawn later, above all layers.
///
/// All casings are drawn before all lines, so that lines of one layer merge at junctions. Invisible parts are clipped
/// or omitted before stroking, so that the cost depends on the picture and not on the file.
struct FeaturePainter {
    let step: Scene.FeatureStep
    let viewport: Viewport
    let images: [NamedURL: PixelBuffer]
    /// The traced shapes of other layers of the picture.
    let traced: TracedPicture

    /// The largest number of features in a drawing, and the approximate number of coordinates.
    private static let featuresInDrawing = 256, coordinatesInDrawing = 1 << 16
    /// The number of positions of a mark that are drawn at once.
    private static let placesAtOnce = 1 << 14

    /// Draws all features of the step in each visible copy of the world.
    ///
    /// Passes the drawings to `body` in order, recorded by up to `threads` threads, while `isWanted` is true.
    ///
    /// - Parameter some: the passes; the others draw nothing.
    func forEachDrawing(
        in some: Set<Pass> = Set(Pass.allCases), threads: Int, while isWanted: () -> Bool = { true },
        _ body: (Drawing) -> Void
    ) {
        forEachDrawing(in: some, threads: threads, while: isWanted) { _, drawing in body(drawing) }
    }

    /// Passes the drawings to `body` with their passes.
    func forEachDrawing(
        in some: Set<Pass> = Set(Pass.allCases), threads: Int, while isWanted: () -> Bool,
        _ take: (_ pass: Pass, _ drawing: Drawing) -> Void
    ) {
        guard let shapes = FeatureShapes(step, in: viewport) else { return }
        let plain = PixelStyles(step, viewport: viewport, images: images)
        let passes = shapes.passes(of: plain).intersection(some)
        let looks = passes.contains(.marks) ? plain.withPreparedMarks(for: shapes) : plain
        let groups = groups(of: shapes)
        for pass in Pass.allCases where passes.contains(pass) {
            func body(_ drawing: Drawing) { take(pass, drawing) }
            // Areas that meet the seam of a file are filled together with their parts in other copies of the world.
            let isTogether = pass == .areas && shapes.meetSeam
            for shifts in isTogether ? [step.worldShifts] : step.worldShifts.map({ [$0] }) where !shifts.isEmpty {
                let projections = shifts.map {
                    PixelProjection(shapes.transform, to: viewport, shift: $0, translation: step.translation)
                }
                // At most one drawing per thread is in memory.
                var rest = groups[...]
                while isWanted(), let first = rest.first {
                    if isLarge(first, shapes) {
                        var recorder = Recorder(painter: self, shapes: shapes, looks: looks, projections)
                        recorder.record(first, in: pass, body)
                        rest.removeFirst()
                        continue
                    }
                    let wave = Array(rest.prefix(max(threads, 1)).prefix { !isLarge($0, shapes) })
                    let drawings = Concurrent.map(wave.count) { index in
                        var recorder = Recorder(painter: self, shapes: shapes, looks: looks, projections)
                        var drawings: [Drawing] = []
                        recorder.record(wave[index], in: pass) { drawings.append($0) }
                        return drawings
                    }
                    for drawing in drawings.joined() { body(drawing) }
                    rest.removeFirst(wave.count)
                }
            }
        }
    }

    /// The features in groups, each recorded by one thread.
    private func groups(of shapes: FeatureShapes) -> [Range<Int>] {
        var groups: [Range<Int>] = [], start = 0, coordinates = 0
        for index in step.shown.indices {
            let count = Int(shapes.sizes[index].coordinates)
            if index > start,
                index - start == Self.featuresInDrawing || coordinates + count > Self.coordinatesInDrawing
            {
                groups.append(start..<index)
                start = index
                coordinates = 0
            }
            coordinates += count
        }
        if start < step.shown.count { groups.append(start..<step.shown.count) }
        return groups
    }

    /// Whether a group is a single large feature, which is painted while it is recorded.
    private func isLarge(_ group: Range<Int>, _ shapes: FeatureShapes) -> Bool {
        group.count == 1 && shapes.sizes[group.lowerBound].coordinates > Self.coordinatesInDrawing
    }

    /// The passes over all features, in order.
    enum Pass: CaseIterable { case areas, casings, lines, marks }

    /// Records one pass over some features.
    private struct Recorder {
        let painter: FeaturePainter
        let shapes: FeatureShapes
        let looks: PixelStyles
        /// The tracer of the current copy of the world, and those of further ones.
        private var tracer: ShapeTracer
        private var others: [ShapeTracer]
        private var drawing = Drawing()
        /// The path of the current shape, whose memory is reused.
        private var path = Path()
        /// The pending positions of a prepared mark, and its style index.
        private var places: [Point] = []
        private var placesLook = 0
        let area: Rectangle
        let reach: Rectangle

        init(painter: FeaturePainter, shapes: FeatureShapes, looks: PixelStyles, _ projections: [PixelProjection]) {
            self.painter = painter
            self.shapes = shapes
            self.looks = looks
            tracer = ShapeTracer(shapes, projections[0])
            others = projections.dropFirst().map { ShapeTracer(shapes, $0) }
            let viewport = painter.viewport
            area = Rectangle(viewport.imageSize, margin: 2)
            reach = Rectangle(viewport.imageSize, margin: Scene.FeatureStep.symbolReach * viewport.pixelRatio)
        }

        /// Records features, and passes on the drawing when it becomes large, and at the end.
        mutating func record(_ features: Range<Int>, in pass: Pass, _ body: (Drawing) -> Void) {
            let isInPlace = painter.step.translation == Point(x: 0, y: 0)
            if isInPlace { tracer.goOn(from: painter.traced) }
            defer { if isInPlace { tracer.leave(to: painter.traced) } }
            for index in features {
                let run = shapes.runs[index]
                guard run.first < run.end else { continue }
                if pass == .areas, shapes.meetSeam { recordAreasAtSeam(run, looks.number(ofFeature: index)) }
                record(index, run, in: pass, body)
                for copy in others.indices {
                    swap(&tracer, &others[copy])
                    record(index, run, in: pass, body)
                    swap(&tracer, &others[copy])
                }
            }
            recordPlaces()
            giveAway(from: 1, body)
        }

        /// Records a feature in the current copy of the world.
        private mutating func record(_ index: Int, _ run: ShapeRun, in pass: Pass, _ body: (Drawing) -> Void) {
            tracer.enter(block: Int(run.block))
            let look = looks.number(ofFeature: index)
            for number in Int(run.first)..<Int(run.end) {
                let shape = tracer.columns.shapes[number]
                switch (shape.kind, pass) {
                case (.polygon, .areas): recordArea(shape, look)
                case (.lines, .casings):
                    if let stroke = looks.all[look].casing { recordLines(shape, stroke) }
                case (.lines, .lines):
                    if let stroke = looks.all[look].stroke { recordLines(shape, stroke) }
                case (.points, .marks): recordMarks(shape, look, painter.step.shown[index], body)
                case (_, .marks): recordMarks(of: number, in: run, look, painter.step.shown[index], body)
                default: break
                }
                giveAway(from: FeaturePainter.coordinatesInDrawing, body)
            }
        }

        /// Passes on the drawing if it has the given size.
        private mutating func giveAway(from size: Int, _ body: (Drawing) -> Void) {
            guard drawing.elementCount >= size else { return }
            // The path may share its points with the drawing.
            if path.elementCount >= size { path = Path() }
            body(drawing)
            drawing = Drawing()
        }

        /// Adds the pending marks of one style to the drawing.
        private mutating func recordPlaces() {
            guard !places.isEmpty else { return }
            if case .shape(let mark)? = looks.all[placesLook].marker { drawing.draw(mark, at: places) }
            places.removeAll(keepingCapacity: true)
        }

        private mutating func recordArea(_ shape: ShapeColumns.Shape, _ look: Int) {
            let parts = Int(shape.firstPart)..<Int(shape.endPart)
            var isWhole = false
            path.removeAll()
            if !shape.meetsSeam, looks.all[look].fill != nil {
                isWhole = true
                for part in parts {
                    let isInside = tracer.addRing(part, in: area, to: &path)
                    isWhole = isWhole && isInside
                }
                // Holes follow the even-odd rule, since the winding in files is unreliable.
                fillPath(look, rule: looks.all[look].fillRule)
            }
            guard let stroke = looks.all[look].stroke else { return }
            var areDashes = false
            if let border = shape.border {
                areDashes = trace(Int(border.lowerBound)..<Int(border.upperBound), stroke, isRing: false)
            } else if !isWhole || isCut(parts, stroke) {
                areDashes = trace(parts, stroke, isRing: true)
            }
            record(stroke, around: true, areDashes: areDashes)
        }

        /// Fills the areas of a feature that meet the seam of a file, in all copies of the world at once, so that no
        /// background shows between the two sides of the seam.
        private mutating func recordAreasAtSeam(_ run: ShapeRun, _ look: Int) {
            guard looks.all[look].fill != nil else { return }
            path.removeAll()
            for copy in -1..<others.count {
                if copy >= 0 { swap(&tracer, &others[copy]) }
                tracer.enter(block: Int(run.block))
                for number in Int(run.first)..<Int(run.end) where tracer.columns.shapes[number].meetsSeam {
                    let shape = tracer.columns.shapes[number]
                    for part in Int(shape.firstPart)..<Int(shape.endPart) {
                        _ = tracer.addRing(part, in: area, to: &path)
                    }
                }
                if copy >= 0 { swap(&tracer, &others[copy]) }
            }
            // Their rings are oriented, unless they were closed along a circle, and areas may overlap.
            var areOriented = true
            if case .cap? = painter.viewport.crs.domain { areOriented = false }
            let rule = looks.all[look].fillRule
            fillPath(look, rule: rule == .evenOdd && areOriented ? .nonZero : rule)
        }

        /// Fills the path in the colour or the pattern of a style.
        private mutating func fillPath(_ look: Int, rule: Path.FillRule) {
            guard !path.isEmpty, let color = looks.all[look].fill else { return }
            if let pattern = looks.all[look].pattern {
                pattern.fill(path, within: area, opacity: Double(color.alpha) / 255, into: &drawing)
            } else {
                drawing.fill(path, rule: rule, color: color)
            }
        }

        /// Replaces the path by parts of a shape, and returns whether it consists of their dashes.
        private mutating func trace(_ parts: Range<Int>, _ stroke: PixelStyles.Stroke, isRing: Bool) -> Bool {
            path.removeAll()
            guard isCut(parts, stroke), let style = stroke.strokes.first?.style else {
                for part in parts {
                    tracer.addLine(part, in: stroke.reach, isRing: isRing, isDashed: stroke.isDashed, to: &path)
                }
                return false
            }
            var dashes = DashedLines(style, in: stroke.reach)
            for part in parts { tracer.addDashes(part, isRing: isRing, &dashes, to: &path) }
            return true
        }

        /// Whether a stroke has dashes that are interrupted by the borders of tiles.
        private func isCut(_ parts: Range<Int>, _ stroke: PixelStyles.Stroke) -> Bool {
            guard stroke.isDashed, stroke.ornament == nil, let first = parts.first, let last = parts.last else {
                return false
            }
            let columns = tracer.columns
            return !columns.cuts(in: columns.start(ofPart: first)..<columns.range(ofPart: last).upperBound).isEmpty
        }

        /// Adds the path to the drawing as a line, or as lines beside it.
        ///
        /// - Parameter areDashes: whether the path consists of dashes.
        private mutating func record(_ stroke: PixelStyles.Stroke, around isArea: Bool, areDashes: Bool) {
            guard !path.isEmpty else { return }
            // Other lines were simplified.
            let shortest = tracer.columns.keepsVertices ? 0.25 : 0
            if let ornament = stroke.ornament {
                let paths =
                    stroke.offsets.isEmpty
                    ? [path] : stroke.offsets.map { path.parallel(at: $0, isInside: isArea, omitting: shortest) }
                return paths.forEach { ornament.draw(along: $0, in: stroke.reach, into: &drawing) }
            }
            for (style, color) in stroke.strokes {
                var style = style
                if areDashes { style.dashes = [] }
                guard !stroke.offsets.isEmpty else {
                    drawing.stroke(path, style: style, color: color)
                    continue
                }
                for offset in stroke.offsets {
                    drawing.stroke(
                        path.parallel(at: offset, isInside: isArea, omitting: shortest), style: style, color: color)
                }
            }
        }

        private mutating func recordLines(_ shape: ShapeColumns.Shape, _ stroke: PixelStyles.Stroke) {
            let areDashes = trace(Int(shape.firstPart)..<Int(shape.endPart), stroke, isRing: false)
            record(stroke, around: false, areDashes: areDashes)
        }

        private mutating func recordMarks(
            _ shape: ShapeColumns.Shape, _ look: Int, _ shown: Scene.FeatureStep.Shown, _ body: (Drawing) -> Void
        ) {
            guard let marker = looks.all[look].marker else { return }
            let image = looks.image(ofIcon: shown.icon, look: look) ?? looks.all[look].symbol?.ownImage
            for part in Int(shape.firstPart)..<Int(shape.endPart) {
                for index in tracer.columns.range(ofPart: part) {
                    record(marker, image, at: tracer.point(index), look, isSelected: shown.isSelected, body)
                }
            }
        }

        /// Records the marks of a line or an area: at its vertices, or at a representative point.
        private mutating func recordMarks(
            of number: Int, in run: ShapeRun, _ look: Int, _ shown: Scene.FeatureStep.Shown, _ body: (Drawing) -> Void
        ) {
            guard let marker = looks.all[look].marker else { return }
            let shapes = tracer.columns.shapes, shape = shapes[number]
            switch looks.all[look].shapeMarks {
            case .none: break
            case .vertices:
                for part in Int(shape.firstPart)..<Int(shape.endPart) {
                    let range = tracer.columns.range(ofPart: part)
                    // The last point of a ring repeats the first.
                    for index in shape.kind == .polygon ? range.dropLast() : range {
                        record(marker, nil, at: tracer.point(index), look, isSelected: false, body)
                    }
                }
            case .middle:
                guard !shape.isContinued else { return }
                func points(_ shape: ShapeColumns.Shape) -> [[Point]] {
                    (Int(shape.firstPart)..<Int(shape.endPart)).map { part in
                        tracer.columns.range(ofPart: part).compactMap { tracer.point($0) }
                    }
                }
                let rest = (number + 1..<Int(run.end)).prefix { shapes[$0].isContinued }
                let point =
                    shape.kind == .lines
                    ? MiddlePoint.ofLines(points(shape))
                    : MiddlePoint.ofPolygons([points(shape)] + rest.map { points(shapes[$0]) })
                record(marker, nil, at: point, look, isSelected: shown.isSelected, body)
            }
        }

        /// Records a mark at a point that may be in the picture.
        private mutating func record(
            _ marker: PixelStyles.Marker, _ image: PixelBuffer?, at point: Point?, _ look: Int, isSelected: Bool,
            _ body: (Drawing) -> Void
        ) {
            guard let point, reach.contains(point) else { return }
            if places.count == FeaturePainter.placesAtOnce { recordPlaces() }
            giveAway(from: FeaturePainter.coordinatesInDrawing, body)
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
                    looks.markers.paint(icon, image: image, at: point, into: &drawing)
                } else if let mark = looks.standIn {
                    drawing.draw(mark, at: point)
                }
            }
            if isSelected, painter.step.selectionMarkSize > 0, let symbol = looks.all[look].symbol {
                recordPlaces()
                looks.markers.paintSelection(
                    size: painter.step.selectionMarkSize, color: painter.step.selectionMarkColor, above: point,
                    reach: looks.markers.height(of: symbol, image: image), into: &drawing)
            }
        }
    }
}

/// The shapes of a step's features, in the CRSs of the features and of the map.
struct FeatureShapes: Sendable {
    let transform: CoordinateTransform
    let columns: [ShapeColumns]
    let projected: [ProjectedShapes]
    /// The shape range of each visible feature.
    let runs: [ShapeRun]
    /// The number of coordinates of each visible feature, and the number of those that are points.
    let sizes: [(coordinates: Int32, points: Int32)]
    /// The kinds of shapes that are present.
    private let has: (points: Bool, lines: Bool, polygons: Bool)
    /// Whether areas meet the seam of a file at ±180°.
    let meetSeam: Bool

    /// Looks up the shapes, or returns `nil` if no transformation between the two CRSs is available.
    ///
    /// - Complexity: O(features shown + coordinates not projected yet).
    init?(_ step: Scene.FeatureStep, in viewport: Viewport) {
        guard let transform = try? CoordinateTransform(from: step.crs, to: viewport.crs) else { return nil }
        self.transform = transform
        (columns, projected, runs) = step.content.source.shapes(of: step.shown, by: transform)
        (sizes, has, meetSeam) = Self.survey(runs, of: columns)
    }

    private static func survey(
        _ runs: [ShapeRun], of columns: [ShapeColumns]
    ) -> (
        sizes: [(coordinates: Int32, points: Int32)], has: (points: Bool, lines: Bool, polygons: Bool), meetSeam: Bool
    ) {
        var meetSeam = false
        var sizes: [(coordinates: Int32, points: Int32)] = [], has = (points: false, lines: false, polygons: false)
        sizes.reserveCapacity(runs.count)
        var block: Int32 = -1, shapes: [ShapeColumns.Shape] = [], ends: [Int32] = []
        for run in runs {
            if run.first < run.end, run.block != block {
                block = run.block
                shapes = columns[Int(block)].shapes
                ends = columns[Int(block)].partEnds
            }
            var size: (coordinates: Int32, points: Int32) = (0, 0)
            for number in Int(run.first)..<Int(max(run.end, run.first)) {
                let shape = shapes[number], first = Int(shape.firstPart), end = Int(shape.endPart)
                let count = first < end ? ends[end - 1] - (first > 0 ? ends[first - 1] : 0) : 0
                size.coordinates += count
                switch shape.kind {
                case .points:
                    size.points += count
                    has.points = true
                case .lines: has.lines = true
                case .polygon:
                    has.polygons = true
                    if shape.meetsSeam { meetSeam = true }
                }
            }
            sizes.append(size)
        }
        return (sizes, has, meetSeam)
    }

    /// The picture pixel of a coordinate, or `nil` if it is outside the domain of the map's CRS.
    @inline(__always)
    func point(_ block: Int, _ index: Int, _ projection: PixelProjection) -> Point? {
        let x = projected[block].x[index], y = projected[block].y[index]
        return x.isFinite && y.isFinite ? projection.pixel(x: x, y: y) : nil
    }

    /// The passes in which anything is drawn.
    func passes(of looks: PixelStyles) -> Set<FeaturePainter.Pass> {
        func someLook(_ isDrawn: (PixelStyles.Look) -> Bool) -> Bool { looks.all.contains(where: isDrawn) }
        var passes: Set<FeaturePainter.Pass> = []
        if has.polygons, someLook({ $0.fill != nil || $0.stroke != nil }) { passes.insert(.areas) }
        if has.lines, someLook({ $0.casing != nil }) { passes.insert(.casings) }
        if has.lines, someLook({ $0.stroke != nil }) { passes.insert(.lines) }
        if has.points || someLook({ $0.shapeMarks != .none }), someLook({ $0.marker != nil }) { passes.insert(.marks) }
        return passes
    }
}
