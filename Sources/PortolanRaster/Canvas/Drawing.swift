/// A recorded list of drawing operations, to be painted later by one or several threads, or into any target.
///
/// Shapes are stored in arrays of plain values, so that recording one costs a copy of its points, and painting threads
/// share no reference counts.
public struct Drawing: PaintTarget, Sendable {
    /// A step of the drawing.
    enum Step: Sendable {
        case fill(Shape, Path.FillRule, MapColor)
        /// The outline of a shape, with the index of its style in `styles`.
        case stroke(Shape, style: Int, MapColor)
        /// Another operation by its index in `operations`.
        case other(Int)
    }

    /// The ranges of a path in `paths`.
    struct Shape: Sendable {
        var verbs: Range<Int>
        var points: Range<Int>
        let survey: PathSurvey
    }

    /// The vertical range that a step paints, infinite if unknown, and its work in straight segments of equal cost.
    struct Extent: Sendable {
        let low: Double
        let high: Double
        let work: Double

        init(_ rows: ClosedRange<Double>?, work: Double) {
            low = rows?.lowerBound ?? -.infinity
            high = rows?.upperBound ?? .infinity
            self.work = work
        }
    }

    /// The steps in drawing order, and the extent of each.
    private(set) var steps: [Step] = []
    private(set) var extents: [Extent] = []
    /// The paths of all shapes, concatenated.
    private(set) var paths = Path()
    private(set) var styles: [StrokeStyle] = []
    private(set) var operations: [DrawingOperation] = []
    /// The approximate memory of the recording in path elements.
    package private(set) var elementCount = 0

    /// Creates an empty list.
    public init() {}

    /// Whether nothing has been recorded.
    public var isEmpty: Bool { steps.isEmpty }

    /// Records ``Canvas/clear(to:)``; targets without pixels ignore it.
    public mutating func clear(to color: MapColor = .clear) { append(.clear(Pixel(color))) }

    /// Records ``Canvas/copy(_:atX:y:)``; targets without pixels draw the picture over the existing content.
    public mutating func copy(_ image: PixelBuffer, atX x: Int, y: Int) { append(.copy(image, x: x, y: y)) }

    /// Records a filled path.
    ///
    /// - Complexity: O(elements of the path).
    public mutating func fill(_ path: Path, rule: Path.FillRule, color: MapColor) {
        let shape = append(path)
        steps.append(.fill(shape, rule, color))
        extents.append(Extent(shape.survey.rows(reach: 1), work: Double(path.elementCount)))
    }

    /// Records a stroked path.
    ///
    /// - Complexity: O(elements of the path).
    public mutating func stroke(_ path: Path, style: StrokeStyle, color: MapColor) {
        let shape = append(path)
        if styles.last != style { styles.append(style) }
        steps.append(.stroke(shape, style: styles.count - 1, color))
        extents.append(Extent(shape.survey.rows(reach: style.reach + 1), work: Double(path.elementCount) * 4))
    }

    /// Records an image at whole pixels.
    public mutating func draw(_ image: PaintImage, atX x: Int, y: Int, opacity: Double) {
        append(.draw(image, x: x, y: y, Opacity(opacity)))
    }

    /// Records an image drawn through a transform.
    ///
    /// - Complexity: O(pixels of the image) if it is reduced to half or less.
    public mutating func draw(_ image: PaintImage, transform: AffineTransform, opacity: Double, edges: PaintImage.Edges)
    {
        if let operation = DrawingOperation(image, transform, Opacity(opacity), edges) { append(operation) }
    }

    /// Records a window of an image, drawn through the transform of the whole image.
    package mutating func draw(_ window: ImageWindow, transform: AffineTransform, opacity: Double) {
        if let (x, y) = transform.wholePixelShift(of: window.size) {
            let (column, row) = (x + window.columns.lowerBound, y + window.rows.lowerBound)
            append(.draw(PaintImage(window.pixels), x: column, y: row, Opacity(opacity)))
        } else if let image = TransformedImage(window, transform, .clamped) {
            append(.transform(image, Opacity(opacity)))
        }
    }

    /// Records a window of an image, drawn through the mesh of the whole image.
    package mutating func draw(_ window: ImageWindow, through mesh: WarpMesh, opacity: Double) {
        append(.warp(WarpedImage(window, mesh), Opacity(opacity)))
    }

    /// Records an image drawn through a mesh.
    ///
    /// - Complexity: O(nodes of the mesh), and O(pixels of the image) if it is reduced to half or less.
    public mutating func draw(_ image: PaintImage, through mesh: WarpMesh, opacity: Double) {
        append(.warp(WarpedImage(image, mesh), Opacity(opacity)))
    }

    /// Records text.
    public mutating func draw(_ text: ShapedText, color: MapColor, halo: ShapedText.Halo?) {
        var glyphs = Drawing()
        glyphs.drawColorGlyphs(of: text, color: color)
        append(.text(text, PathSurvey(text.outline), color, halo, glyphs))
    }

    /// Records a mark.
    public mutating func draw(_ mark: Mark, at places: [Point]) {
        if mark.isPrepared { return append(.marks(mark, places)) }
        for place in places { draw(mark, at: place) }
    }

    /// Records the parts of a mark at a point.
    package mutating func draw(_ mark: Mark, at place: Point) { mark.paint(at: place, on: &self) }

    /// Records a group with all that `body` records.
    public mutating func group<E: Error>(_ group: PaintGroup, _ body: (inout Drawing) throws(E) -> Void) throws(E) {
        var drawing = Drawing()
        try body(&drawing)
        append(.group(drawing, group))
    }

    /// Records all operations of another drawing.
    ///
    /// - Complexity: O(recorded operations).
    public mutating func paint(_ drawing: Drawing, threads: Int) {
        guard !isEmpty else { return self = drawing }
        let verbs = paths.verbs.count, points = paths.points.count
        func moved(_ shape: Shape) -> Shape {
            var shape = shape
            shape.verbs = shape.verbs.lowerBound + verbs..<shape.verbs.upperBound + verbs
            shape.points = shape.points.lowerBound + points..<shape.points.upperBound + points
            return shape
        }
        for step in drawing.steps {
            switch step {
            case .fill(let shape, let rule, let color): steps.append(.fill(moved(shape), rule, color))
            case .stroke(let shape, let style, let color):
                steps.append(.stroke(moved(shape), style: style + styles.count, color))
            case .other(let index): steps.append(.other(index + operations.count))
            }
        }
        elementCount += drawing.elementCount
        extents.append(contentsOf: drawing.extents)
        paths.append(drawing.paths)
        styles.append(contentsOf: drawing.styles)
        operations.append(contentsOf: drawing.operations)
    }

    /// Paints the operations in order.
    ///
    /// - Complexity: O(operations), plus the cost of the target.
    public func replay(into target: inout some PaintTarget) {
        for step in steps {
            switch step {
            case .fill(let shape, let rule, let color): target.fill(path(of: shape), rule: rule, color: color)
            case .stroke(let shape, let style, let color):
                target.stroke(path(of: shape), style: styles[style], color: color)
            case .other(let index): operations[index].replay(into: &target)
            }
        }
    }

    private func path(of shape: Shape) -> Path {
        paths.part(verbs: shape.verbs, points: shape.points, isStraight: shape.survey.isStraight)
    }

    /// The vertical range of the painted pixels, or `nil` if unknown.
    var extent: ClosedRange<Double>? {
        guard let low = extents.lazy.map(\.low).min(), let high = extents.lazy.map(\.high).max(), low.isFinite,
            high.isFinite
        else { return nil }
        return low...high
    }

    /// The approximate work in straight segments to fill.
    ///
    /// - Complexity: O(recorded operations).
    package var work: Double { extents.reduce(0) { $0 + $1.work } }

    /// Returns the rows at which to divide a range of rows among threads with about the same work each.
    ///
    /// There are fewer parts if dividing is not worthwhile. The first and last row of the range are included.
    func bounds(of rows: Range<Int>, threads: Int) -> [Int] {
        let height = rows.count, top = Double(rows.lowerBound), bottom = Double(rows.upperBound)
        let minimumRows = 16, minimumWork = 2000.0, strips = min(height, 256)
        let parts = min(threads, height / minimumRows)
        guard parts > 1, work >= minimumWork else { return [rows.lowerBound, rows.upperBound] }
        // The difference of the work between a strip of rows and the strip above it.
        var changes = [Double](repeating: 0, count: strips + 1)
        let scale = Double(strips) / Double(height), last = Double(strips - 1)
        for extent in extents where extent.high >= top && extent.low <= bottom {
            let first = Int(min(max((extent.low - top) * scale, 0), last)),
                end = Int(min(max((extent.high - top) * scale, 0), last)) + 1
            let share = extent.work / Double(end - first)
            changes[first] += share
            changes[end] -= share
        }
        var sums = [0.0], current = 0.0
        for change in changes.dropLast() {
            current += change
            sums.append(sums[sums.count - 1] + current)
        }
        let whole = sums[strips]
        return (0...parts).map { part in
            let goal = whole * Double(part) / Double(parts)
            let strip = part == parts ? strips : sums.lastIndex { $0 <= goal } ?? 0
            return rows.lowerBound + (part == 0 ? 0 : height * strip / strips)
        }
    }

    private mutating func append(_ path: Path) -> Shape {
        let verbs = paths.verbs.count, points = paths.points.count
        paths.append(path)
        elementCount += path.elementCount + 4
        return Shape(
            verbs: verbs..<paths.verbs.count, points: points..<paths.points.count, survey: PathSurvey(path))
    }

    private mutating func append(_ operation: DrawingOperation) {
        elementCount += operation.elementCount
        steps.append(.other(operations.count))
        extents.append(Extent(operation.extent, work: operation.work))
        operations.append(operation)
    }
}

/// A step of a drawing other than a shape.
enum DrawingOperation: Sendable {
    case clear(Pixel)
    /// An image with its top-left pixel at a column and a row.
    case draw(PaintImage, x: Int, y: Int, Opacity)
    /// An image that replaces the existing pixels.
    case copy(PixelBuffer, x: Int, y: Int)
    indirect case transform(TransformedImage, Opacity)
    indirect case warp(WarpedImage, Opacity)
    /// Text, with its colour glyphs as a recorded drawing.
    indirect case text(ShapedText, PathSurvey, MapColor, ShapedText.Halo?, Drawing)
    /// A prepared mark.
    indirect case marks(Mark, [Point])
    indirect case group(Drawing, PaintGroup)

    /// Creates an image drawn through a transform, or returns `nil` if nothing of it is visible.
    init?(_ image: PaintImage, _ transform: AffineTransform, _ opacity: Opacity, _ edges: PaintImage.Edges) {
        if let (x, y) = transform.wholePixelShift(of: image.pixels.size) {
            self = .draw(image, x: x, y: y, opacity)
        } else if let image = TransformedImage(image, transform, edges) {
            self = .transform(image, opacity)
        } else {
            return nil
        }
    }

    /// The vertical range of the painted pixels, or `nil` if unknown.
    var extent: ClosedRange<Double>? {
        switch self {
        case .clear, .warp: nil
        case .draw(let image, _, let y, _): Self.extent(of: image.pixels, y)
        case .copy(let image, _, let y): Self.extent(of: image, y)
        case .transform(let image, _): image.extent
        case .text(let text, let survey, _, let halo, let glyphs):
            text.mask?.extent ?? Self.joined(survey.rows(reach: max(1, (halo?.style.reach ?? 0) + 1)), with: glyphs)
        case .marks(let mark, let places): mark.sheet.flatMap { Self.extent(of: places, reach: $0.reach) }
        case .group(let drawing, _): drawing.extent
        }
    }

    /// The approximate memory in path elements.
    var elementCount: Int {
        switch self {
        case .clear, .draw, .copy, .transform, .warp: 16
        case .text(let text, _, _, _, let glyphs): text.outline.elementCount + glyphs.elementCount
        case .marks(_, let places): places.count
        case .group(let drawing, _): drawing.elementCount
        }
    }

    /// The approximate work in straight segments to fill.
    var work: Double {
        switch self {
        case .clear: 0
        case .draw(let image, _, _, _): Double(image.pixels.size.pixelCount) / 32
        case .copy(let image, _, _): Double(image.size.pixelCount) / 64
        case .transform(let image, _): image.paintedArea / 8
        case .warp(let image, _): image.mesh.area / 8
        case .text(let text, _, _, let halo, let glyphs):
            Double(text.outline.elementCount * (halo == nil ? 2 : 8)) + glyphs.work
        case .marks(let mark, let places): Double(places.count * (mark.sheet?.height ?? 0)) / 4
        case .group(let drawing, _): drawing.work
        }
    }

    /// Returns the union of a vertical range and that of a drawing, or `nil` if unknown.
    private static func joined(_ rows: ClosedRange<Double>?, with drawing: Drawing) -> ClosedRange<Double>? {
        guard !drawing.isEmpty else { return rows }
        guard let rows, let other = drawing.extent else { return nil }
        return min(rows.lowerBound, other.lowerBound)...max(rows.upperBound, other.upperBound)
    }

    private static func extent(of places: [Point], reach: Double) -> ClosedRange<Double>? {
        let ys = places.lazy.map(\.y).filter(\.isFinite)
        guard let low = ys.min(), let high = ys.max() else { return nil }
        return (low - reach)...(high + reach)
    }

    private static func extent(of image: PixelBuffer, _ y: Int) -> ClosedRange<Double> {
        // One more on each side covers the rounding of numbers beyond 2⁵³, which are far outside of any canvas.
        (Double(y) - 1)...(Double(y) + Double(image.height) + 1)
    }

    /// Paints the operation.
    func replay(into target: inout some PaintTarget) {
        switch self {
        case .clear: break
        case .draw(let image, let x, let y, let opacity): target.draw(image, atX: x, y: y, opacity: opacity.share)
        case .copy(let image, let x, let y): target.draw(PaintImage(image), atX: x, y: y, opacity: 1)
        case .transform(let image, let opacity):
            target.draw(image.image, transform: image.transform, opacity: opacity.share, edges: image.edges)
        case .warp(let image, let opacity): target.draw(image.image, through: image.mesh, opacity: opacity.share)
        case .text(let text, _, let color, let halo, _): target.draw(text, color: color, halo: halo)
        case .marks(let mark, let places): target.draw(mark, at: places)
        case .group(let drawing, let group): target.group(group) { drawing.replay(into: &$0) }
        }
    }
}
