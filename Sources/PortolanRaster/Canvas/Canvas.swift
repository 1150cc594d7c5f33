/// A picture being painted: later drawings go over earlier ones.
///
/// Coverage is the exact area of each pixel, so edges are smooth. All drawing is clipped to the canvas, coordinates
/// may be any numbers, and the same calls give the same bytes on every machine. A drawing call changes the pixels in
/// place; they are copied only when someone else holds a copy of ``buffer``.
public struct Canvas: Sendable {
    /// The picture so far.
    public internal(set) var buffer: PixelBuffer
    /// Width and height in pixels.
    public let size: ImageSize
    /// The rows of the picture that the buffer has: all but while several threads paint a part each.
    let rows: Range<Int>
    private var rasterizer = Rasterizer()
    private var flat = FlatPath()
    private var dasher = Dasher()
    private var stroker = Stroker()
    var imageRows = ImageRows()

    /// Makes a canvas of one colour.
    public init(size: ImageSize, background: Color = .clear) {
        self.init(PixelBuffer(size: size, filledWith: Pixel(background)))
    }

    /// Makes a canvas that goes on painting a picture.
    public init(_ buffer: PixelBuffer) { self.init(buffer, size: buffer.size, firstRow: 0) }

    /// Makes a canvas for some rows of a picture.
    init(_ buffer: PixelBuffer, size: ImageSize, firstRow: Int) {
        self.buffer = buffer
        self.size = size
        rows = firstRow..<(firstRow + buffer.height)
    }

    /// Gives every pixel the same colour, whatever was there.
    public mutating func clear(to color: Color = .clear) { buffer.fill(Pixel(color)) }

    /// Paints the inside of a path; open subpaths are closed by a straight segment.
    public mutating func fill(_ path: Path, rule: FillRule = .nonZero, color: Color) {
        let survey = PathSurvey(path)
        guard color.alpha > 0, !survey.misses(width: size.width, rows: rows, reach: 1) else { return }
        rasterizer.begin(size, rows: rows)
        if survey.isStraight, survey.isFinite {
            rasterizer.add(straight: path)
        } else {
            flat.removeAll()
            var flattener = PathFlattener()
            flattener.flatten(path, into: &flat)
            rasterizer.add(flat)
        }
        rasterizer.paint(rule, Pixel(color), onto: &buffer)
    }

    /// Paints the outline of a path, each place once, even where the stroke crosses itself.
    public mutating func stroke(_ path: Path, style: StrokeStyle, color: Color) {
        // Thinner lines fade instead of breaking up.
        let color = style.width < 1 ? color.withOpacity(style.width) : color
        guard color.alpha > 0, style.width > 0,
            !PathSurvey(path).misses(width: size.width, rows: rows, reach: style.reach + 1)
        else { return }
        flat.removeAll()
        var flattener = PathFlattener()
        flattener.flatten(path, into: &flat)
        rasterizer.begin(size, rows: rows)
        dasher.prepare(style, size: size)
        stroker.prepare(style)
        stroker.stroke(dasher.dash(flat), into: &rasterizer)
        rasterizer.paint(.nonZero, Pixel(color), onto: &buffer)
    }
}
