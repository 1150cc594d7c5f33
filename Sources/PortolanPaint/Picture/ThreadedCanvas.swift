import PortolanRaster

/// A canvas for several threads: collects what is painted until it is worth dividing among them.
///
/// The pixels are the same as those of the canvas alone.
struct ThreadedCanvas: PaintTarget {
    /// The memory of collected operations in path elements, and their work in straight segments, at which they are painted.
    private static let elementLimit = 1 << 16, workLimit = 131_072.0

    private var canvas: Canvas
    private let threads: Int
    private var pending = Drawing()
    private var pendingWork = 0.0

    /// Continues a picture on up to `threads` threads.
    ///
    /// The canvas moves into the target and back, so that its pixels are never copied.
    static func paint<E: Error>(
        on canvas: inout Canvas, threads: Int, _ body: (inout ThreadedCanvas) throws(E) -> Void
    ) throws(E) {
        var target = ThreadedCanvas(canvas: .onePixel, threads: threads)
        swap(&target.canvas, &canvas)
        defer { swap(&target.canvas, &canvas) }
        try body(&target)
        target.paintPending()
    }

    private init(canvas: Canvas, threads: Int) {
        self.canvas = canvas
        self.threads = threads
    }

    private mutating func paintPending() {
        guard !pending.isEmpty else { return }
        canvas.paint(pending, threads: threads)
        pending = Drawing()
        pendingWork = 0
    }

    /// Records operations, and paints them with earlier ones if they are enough.
    private mutating func record(_ work: Double = 0, _ body: (inout Drawing) -> Void) {
        body(&pending)
        pendingWork += work
        if pending.elementCount >= Self.elementLimit || pendingWork >= Self.workLimit { paintPending() }
    }

    mutating func fill(_ path: Path, rule: Path.FillRule, color: MapColor) {
        record { $0.fill(path, rule: rule, color: color) }
    }

    mutating func stroke(_ path: Path, style: StrokeStyle, color: MapColor) {
        record { $0.stroke(path, style: style, color: color) }
    }

    mutating func draw(_ image: PaintImage, atX x: Int, y: Int, opacity: Double) {
        record { $0.draw(image, atX: x, y: y, opacity: opacity) }
    }

    mutating func draw(_ image: PaintImage, transform: AffineTransform, opacity: Double, edges: PaintImage.Edges) {
        record { $0.draw(image, transform: transform, opacity: opacity, edges: edges) }
    }

    mutating func draw(_ image: PaintImage, through mesh: WarpMesh, opacity: Double) {
        record { $0.draw(image, through: mesh, opacity: opacity) }
    }

    mutating func draw(_ text: ShapedText, color: MapColor, halo: ShapedText.Halo?) {
        record { $0.draw(text, color: color, halo: halo) }
    }

    mutating func draw(_ mark: Mark, at places: [Point]) { record { $0.draw(mark, at: places) } }

    mutating func paint(_ drawing: Drawing, threads: Int) {
        record(drawing.work) { $0.paint(drawing, threads: 1) }
    }

    mutating func group<E: Error>(_ group: PaintGroup, _ body: (inout ThreadedCanvas) throws(E) -> Void) throws(E) {
        guard !group.isPlain else { return try body(&self) }
        paintPending()
        try canvas.group(group) { (sheet) throws(E) in
            try ThreadedCanvas.paint(on: &sheet, threads: threads, body)
        }
    }
}

extension Canvas {
    /// The smallest canvas.
    fileprivate static var onePixel: Canvas {
        guard let size = ImageSize(width: 1, height: 1) else { preconditionFailure("one pixel is a size") }
        return Canvas(size: size)
    }
}
