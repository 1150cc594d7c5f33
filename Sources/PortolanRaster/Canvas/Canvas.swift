/// A picture being painted: later drawing operations cover earlier ones.
///
/// Coverage is the exact area of each pixel, so edges are smooth. All drawing is clipped to the canvas, coordinates may
/// be any numbers, and the same calls produce the same bytes on every machine. Drawing changes the pixels in place;
/// they are copied only if ``buffer`` is shared.
public struct Canvas: PaintTarget, Sendable {
    /// The current picture.
    ///
    /// A canvas for a range of rows has only these rows.
    public private(set) var buffer: PixelBuffer
    /// One painter for each thread used so far; at least one.
    private var painters = [RowPainter()]

    /// The width and height in pixels.
    public let size: ImageSize
    /// The row of the picture at the top of the buffer.
    private let firstRow: Int

    /// The transparent sheet of the last group, which the next one reuses.
    private var sheets: [Canvas] = []
    /// Whether it is the sheet of a group, and the vertical range that was painted since it was transparent.
    private var isSheet = false, top = Double.infinity, bottom = -Double.infinity

    /// Creates a canvas of one colour.
    public init(size: ImageSize, background: MapColor = .clear) {
        self.init(PixelBuffer(size: size, filledWith: Pixel(background)))
    }

    /// Creates a canvas that continues painting a picture.
    public init(_ buffer: PixelBuffer) {
        self.buffer = buffer
        size = buffer.size
        firstRow = 0
    }

    /// Creates a canvas of one colour for a range of rows of a picture.
    ///
    /// Coordinates are those of the whole picture, and the rows get the same pixels as in the whole.
    package init(size: ImageSize, rows: Range<Int>, background: MapColor = .clear) {
        guard rows.lowerBound >= 0, rows.upperBound <= size.height,
            let own = ImageSize(width: size.width, height: rows.count)
        else { preconditionFailure("the rows are the picture's") }
        buffer = PixelBuffer(size: own, filledWith: Pixel(background))
        self.size = size
        firstRow = rows.lowerBound
    }

    /// Sets every pixel to a colour.
    public mutating func clear(to color: MapColor = .clear) { paint(.clear(Pixel(color))) }

    /// Replaces pixels by a picture with its top-left pixel at column `x` and row `y`.
    public mutating func copy(_ image: PixelBuffer, atX x: Int, y: Int) { paint(.copy(image, x: x, y: y)) }

    /// Fills a path.
    public mutating func fill(_ path: Path, rule: Path.FillRule, color: MapColor) {
        let survey = PathSurvey(path)
        note(nil)
        buffer.withRows(of: size, from: firstRow) {
            painters[0].fill(path.verbs.span, path.points.span, survey, rule, color, on: $0)
        }
    }

    /// Strokes a path.
    public mutating func stroke(_ path: Path, style: StrokeStyle, color: MapColor) {
        let survey = PathSurvey(path)
        note(nil)
        buffer.withRows(of: size, from: firstRow) {
            painters[0].stroke(path.verbs.span, path.points.span, survey, style, color, on: $0)
        }
    }

    /// Draws an image at whole pixels; parts outside the canvas are clipped.
    public mutating func draw(_ image: PaintImage, atX x: Int, y: Int, opacity: Double) {
        paint(.draw(image, x: x, y: y, Opacity(opacity)))
    }

    /// Draws an image through a transform.
    public mutating func draw(_ image: PaintImage, transform: AffineTransform, opacity: Double, edges: PaintImage.Edges)
    {
        if let operation = DrawingOperation(image, transform, Opacity(opacity), edges) { paint(operation) }
    }

    /// Draws an image through a mesh.
    public mutating func draw(_ image: PaintImage, through mesh: WarpMesh, opacity: Double) {
        paint(.warp(WarpedImage(image, mesh), Opacity(opacity)))
    }

    /// Draws shaped text: first its halo, if it has one, then its letters.
    public mutating func draw(_ text: ShapedText, color: MapColor, halo: ShapedText.Halo?) {
        let survey = PathSurvey(text.outline)
        note(nil)
        buffer.withRows(of: size, from: firstRow) { painters[0].draw(text, survey, color, halo, on: $0) }
        drawColorGlyphs(of: text, color: color)
    }

    /// Draws a mark, copied from its prepared pictures if available.
    public mutating func draw(_ mark: Mark, at places: [Point]) {
        if mark.isPrepared { return paint(.marks(mark, places)) }
        for place in places { mark.paint(at: place, on: &self) }
    }

    /// Paints a group on a separate layer unless it is opaque and unclipped.
    public mutating func group<E: Error>(_ group: PaintGroup, _ body: (inout Canvas) throws(E) -> Void) throws(E) {
        guard !group.isPlain else { return try body(&self) }
        var sheet = sheets.popLast() ?? Canvas(size: size, rows: firstRow..<firstRow + buffer.height)
        sheet.isSheet = true
        try body(&sheet)
        if let clip = group.clip { sheet.cut(clip, group.clipRule) }
        if sheet.top <= sheet.bottom {
            let painted = sheet.top...sheet.bottom, opacity = Opacity(group.opacity)
            note(painted)
            buffer.withRows(of: size, from: firstRow) {
                painters[0].draw(sheet.buffer, 0, firstRow, opacity, on: $0.part(within: painted))
            }
            sheet.erase(painted)
        }
        sheets.append(sheet)
    }

    /// Makes a vertical range transparent, which is all that was painted.
    private mutating func erase(_ painted: ClosedRange<Double>) {
        buffer.withRows(of: size, from: firstRow) { $0.part(within: painted).fill(.clear) }
        (top, bottom) = (.infinity, -.infinity)
    }

    /// Records a vertical range that may be painted, or all if it is not known.
    private mutating func note(_ extent: @autoclosure () -> ClosedRange<Double>?) {
        guard isSheet else { return }
        let extent = extent()
        top = min(top, extent?.lowerBound ?? -.infinity)
        bottom = max(bottom, extent?.upperBound ?? .infinity)
    }

    /// Paints recorded operations on up to `threads` threads; the bytes do not depend on their number.
    public mutating func paint(_ drawing: Drawing, threads: Int) {
        note(drawing.extent)
        let rows = firstRow..<firstRow + buffer.height
        let bounds = threads > 1 ? drawing.bounds(of: rows, threads: threads) : [rows.lowerBound, rows.upperBound]
        guard bounds.count > 2 else {
            return buffer.withRows(of: size, from: firstRow) { painters[0].paint(drawing, on: $0) }
        }
        while painters.count < bounds.count - 1 { painters.append(RowPainter()) }
        buffer.withRows(of: size, from: firstRow) { rows in
            rows.share(among: &painters, at: bounds) { painter, rows in painter.paint(drawing, on: rows) }
        }
    }

    private mutating func paint(_ operation: DrawingOperation) {
        note(operation.extent)
        buffer.withRows(of: size, from: firstRow) { painters[0].paint(operation, on: $0) }
    }

    private mutating func cut(_ path: Path, _ rule: Path.FillRule) {
        buffer.withRows(of: size, from: firstRow) { painters[0].cut(path, rule, in: 0..<size.width, on: $0) }
    }
}
