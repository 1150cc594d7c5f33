/// A picture being painted: later drawings go over earlier ones.
///
/// Coverage is the exact area of each pixel, so edges are smooth. All drawing is clipped to the canvas, coordinates
/// may be any numbers, and the same calls give the same bytes on every machine. A drawing call changes the pixels in
/// place; they are copied only when someone else holds a copy of ``buffer``.
public struct Canvas: PaintTarget, Sendable {
    /// The picture so far.
    public private(set) var buffer: PixelBuffer
    /// For each thread that has painted one; there is at least one.
    private var painters = [RowPainter()]

    /// Width and height in pixels.
    public var size: ImageSize { buffer.size }

    /// Makes a canvas of one colour.
    public init(size: ImageSize, background: Color = .clear) {
        self.init(PixelBuffer(size: size, filledWith: Pixel(background)))
    }

    /// Makes a canvas that goes on painting a picture.
    public init(_ buffer: PixelBuffer) { self.buffer = buffer }

    /// Gives every pixel the same colour, whatever was there.
    public mutating func clear(to color: Color = .clear) { paint(.clear(Pixel(color))) }

    /// Puts a picture with its top-left pixel at column `x` and row `y` in place of the pixels there.
    public mutating func copy(_ image: PixelBuffer, atX x: Int, y: Int) { paint(.copy(image, x: x, y: y)) }

    /// Paints the inside of a path.
    public mutating func fill(_ path: Path, rule: FillRule, color: Color) {
        let survey = PathSurvey(path)
        buffer.withRows { painters[0].fill(path.verbs.span, path.points.span, survey, rule, color, on: $0) }
    }

    /// Paints the outline of a path.
    public mutating func stroke(_ path: Path, style: StrokeStyle, color: Color) {
        let survey = PathSurvey(path)
        buffer.withRows { painters[0].stroke(path.verbs.span, path.points.span, survey, style, color, on: $0) }
    }

    /// Draws an image at whole pixels; what is outside the canvas is cut off.
    public mutating func draw(_ image: PaintImage, atX x: Int, y: Int, opacity: Double) {
        paint(.draw(image, x: x, y: y, Opacity(opacity)))
    }

    /// Draws an image through a transform.
    public mutating func draw(_ image: PaintImage, transform: AffineTransform, opacity: Double, edges: ImageEdges) {
        if let operation = DrawingOperation(image, transform, Opacity(opacity), edges) { paint(operation) }
    }

    /// Draws an image through a mesh.
    public mutating func draw(_ image: PaintImage, through mesh: WarpMesh, opacity: Double) {
        paint(.warp(WarpedImage(image, mesh), Opacity(opacity)))
    }

    /// Draws shaped text: first its halo, where it has one, then its letters.
    public mutating func draw(_ text: ShapedText, color: Color, halo: TextHalo?) {
        let survey = PathSurvey(text.outline)
        buffer.withRows { painters[0].draw(text, survey, color, halo, on: $0) }
        drawColorGlyphs(of: text, color: color)
    }

    /// Draws a mark, copied from its pictures where it is prepared.
    public mutating func draw(_ mark: Mark, at places: [Point]) {
        if mark.isPrepared { return paint(.marks(mark, places)) }
        for place in places { mark.paint(at: place, on: &self) }
    }

    /// Paints a group on a sheet of its own unless it is opaque and not cut.
    public mutating func group<E: Error>(_ group: PaintGroup, _ body: (inout Canvas) throws(E) -> Void) throws(E) {
        guard !group.isPlain else { return try body(&self) }
        var sheet = Canvas(size: size)
        try body(&sheet)
        if let clip = group.clip { sheet.cut(clip, group.clipRule) }
        paint(.draw(PaintImage(sheet.buffer), x: 0, y: 0, Opacity(group.opacity)))
    }

    /// Paints recorded operations on up to `threads` threads; the bytes do not depend on their number.
    public mutating func paint(_ drawing: Drawing, threads: Int) {
        let bounds = threads > 1 ? drawing.bounds(height: size.height, threads: threads) : [0, size.height]
        guard bounds.count > 2 else { return buffer.withRows { painters[0].paint(drawing, on: $0) } }
        while painters.count < bounds.count - 1 { painters.append(RowPainter()) }
        buffer.withRows { rows in
            rows.share(among: &painters, at: bounds) { painter, rows in painter.paint(drawing, on: rows) }
        }
    }

    private mutating func paint(_ operation: DrawingOperation) {
        buffer.withRows { painters[0].paint(operation, on: $0) }
    }

    private mutating func cut(_ path: Path, _ rule: FillRule) {
        buffer.withRows { painters[0].cut(path, rule, on: $0) }
    }
}
