/// A picture being painted: later drawings go over earlier ones.
///
/// Coverage is the exact area of each pixel, so edges are smooth. All drawing is clipped to the canvas, coordinates
/// may be any numbers, and the same calls give the same bytes on every machine. A drawing call changes the pixels in
/// place; they are copied only when someone else holds a copy of ``buffer``.
public struct Canvas: Sendable {
    /// The picture so far.
    public private(set) var buffer: PixelBuffer
    private var painter = RowPainter()
    /// For each of several threads one.
    private var painters: [RowPainter] = []

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

    /// Paints the inside of a path; open subpaths are closed by a straight segment.
    public mutating func fill(_ path: Path, rule: FillRule = .nonZero, color: Color) {
        paint(.fill(path, PathSurvey(path), rule, color))
    }

    /// Paints the outline of a path, each place once, even where the stroke crosses itself.
    public mutating func stroke(_ path: Path, style: StrokeStyle, color: Color) {
        paint(.stroke(path, PathSurvey(path), style, color))
    }

    /// Draws a picture with its top-left pixel at column `x` and row `y`; what is outside the canvas is cut off.
    ///
    /// `opacity` is clamped to 0 through 1 and applied in steps of 1/255.
    public mutating func draw(_ image: PixelBuffer, atX x: Int, y: Int, opacity: Double = 1) {
        paint(.draw(image, x: x, y: y, Opacity(opacity)))
    }

    /// Puts a picture with its top-left pixel at column `x` and row `y` in place of the pixels there.
    public mutating func copy(_ image: PixelBuffer, atX x: Int, y: Int) { paint(.copy(image, x: x, y: y)) }

    /// Draws a picture through `transform`, which leads from the picture's pixel coordinates to the canvas's.
    ///
    /// Colours are interpolated bilinearly; a picture shrunk to half or less is averaged first, so fine detail does not
    /// break up. A shift by whole pixels is the same as ``draw(_:atX:y:opacity:)``. A transform that flattens the
    /// picture or is not finite paints nothing.
    ///
    /// - Complexity: O(painted pixels), and O(pixels of the picture) when it is shrunk to half or less.
    public mutating func draw(
        _ image: PixelBuffer, transform: AffineTransform, opacity: Double = 1, edges: ImageEdges = .clamped
    ) {
        if let operation = DrawingOperation(image, transform, Opacity(opacity), edges) { paint(operation) }
    }

    /// Draws a picture through a mesh that tells for each place on the canvas where in the picture it is.
    ///
    /// Places outside the picture are not painted. Colours are interpolated bilinearly; where on average over the mesh
    /// a step of one canvas pixel passes two or more of the picture, the picture is averaged first.
    public mutating func draw(_ image: PixelBuffer, through mesh: WarpMesh, opacity: Double = 1) {
        paint(.warp(WarpedImage(image, mesh), Opacity(opacity)))
    }

    /// Paints recorded operations on up to `threads` threads; the bytes do not depend on their number.
    public mutating func paint(_ drawing: Drawing, threads: Int = 1) {
        buffer.withRows { rows in
            let count = min(threads, rows.range.count / Self.minimumRows)
            guard count > 1 else { return painter.paint(drawing, on: rows) }
            if painters.count != count { painters = [RowPainter](repeating: RowPainter(), count: count) }
            rows.paint(drawing, with: &painters)
        }
    }

    /// The fewest rows for which another thread is worth its while.
    private static let minimumRows = 16

    private mutating func paint(_ operation: DrawingOperation) {
        buffer.withRows { painter.paint(operation, on: $0) }
    }
}
