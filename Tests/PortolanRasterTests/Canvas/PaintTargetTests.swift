import PortolanRaster
import TestHelpers
import Testing

@Suite struct PaintTargetTests {
    private static let triangle = Path.polyline(
        [Point(x: 4, y: 3), Point(x: 33.5, y: 9), Point(x: 11, y: 28)], closed: true)
    private static let veil = MapColor(red: 200, green: 30, blue: 60, alpha: 180)

    /// A scene with each thing that a target can be asked for.
    private static func paint(on target: inout some PaintTarget) throws {
        let image = PixelBuffer(size: try Canvas.size(6, 5), filledWith: Pixel(MapColor(red: 9, green: 90, blue: 200)))
        let nodes = [Point(x: 0, y: 0), Point(x: 6, y: 1), Point(x: 1, y: 5), Point(x: 6, y: 5)]
        let mesh = try #require(WarpMesh(originX: 20, originY: 18, spacing: 14, columns: 2, rows: 2, sources: nodes))
        target.fill(.rectangle(x: 0, y: 0, width: 40, height: 40), color: .white)
        target.fill(triangle, rule: .evenOdd, color: veil)
        target.stroke(triangle, style: StrokeStyle(width: 2.5, dashes: [4, 2]), color: .black)
        target.draw(image, atX: 30, y: 2, opacity: 0.4)
        target.draw(image, transform: AffineTransform(a: 1.5, b: 0.4, c: -0.3, d: 2, tx: 5, ty: 20), edges: .smooth)
        target.draw(image, through: mesh, opacity: 0.6)
        let word = ShapedText(
            outline: .rectangle(x: 8, y: 30, width: 20, height: 4), text: "word",
            runs: [.init(text: "word", transform: .translation(x: 8, y: 34), advance: 20)],
            font: .init(families: ["sans-serif"], size: 5))
        let group = PaintGroup(
            name: "town", opacity: 0.5, clip: .circle(center: Point(x: 20, y: 24), radius: 13.3))
        target.group(group) { target in
            target.fill(.rectangle(x: 2, y: 12, width: 36, height: 15), color: veil)
            target.group(PaintGroup(name: "inner")) { $0.fill(triangle, color: .black) }
            target.draw(word, color: .black, halo: ShapedText.Halo(width: 3, color: .white))
        }
    }

    @Test func `a drawing paints the same as its calls, by one thread, by several and replayed`() throws {
        var direct = try Canvas.clear(40, 40), drawing = Drawing()
        // As often as makes several threads worth their while.
        for _ in 0..<40 {
            try Self.paint(on: &direct)
            try Self.paint(on: &drawing)
        }
        for threads in [1, 2, 5] {
            var canvas = try Canvas.clear(40, 40)
            canvas.paint(drawing, threads: threads)
            #expect(canvas.buffer == direct.buffer, "\(threads) threads")
        }
        var replayed = try Canvas.clear(40, 40), again = Drawing()
        drawing.replay(into: &replayed)
        #expect(replayed.buffer == direct.buffer)
        again.paint(drawing)
        var last = try Canvas.clear(40, 40)
        last.paint(again)
        #expect(last.buffer == direct.buffer)
    }

    @Test func `a target known only by its protocol is painted as well`() throws {
        var direct = try Canvas.clear(40, 40)
        try Self.paint(on: &direct)
        var some: any PaintTarget = try Canvas.clear(40, 40)
        try Self.paint(on: &some)
        #expect((some as? Canvas)?.buffer == direct.buffer)
    }

    @Test func `pixels outside a group's clip are unchanged, and its border is smooth`() throws {
        var canvas = Canvas(size: try Canvas.size(8, 4), background: .white)
        let clip = Path.rectangle(x: 2, y: 0, width: 3.5, height: 4)
        canvas.group(PaintGroup(clip: clip)) { $0.fill(.rectangle(x: 0, y: 0, width: 8, height: 4), color: .black) }
        #expect((0..<8).map { Int(canvas.buffer[$0, 1].red) } == [255, 255, 0, 0, 0, 127, 255, 255])
    }

    @Test func `a clip with the even-odd rule has holes`() throws {
        var canvas = try Canvas.clear(6, 6)
        var ring = Path.rectangle(x: 0, y: 0, width: 6, height: 6)
        ring.append(.rectangle(x: 2, y: 2, width: 2, height: 2))
        canvas.group(PaintGroup(clip: ring, clipRule: .evenOdd)) {
            $0.fill(.rectangle(x: 0, y: 0, width: 6, height: 6), color: .black)
        }
        #expect(canvas.alpha(1, 1) == 255)
        #expect(canvas.alpha(2, 2) == 0)
        #expect(canvas.alpha(3, 3) == 0)
    }

    @Test func `overlapping shapes in a translucent group do not show through each other`() throws {
        var canvas = try Canvas.clear(3, 1)
        canvas.group(PaintGroup(opacity: 0.5)) {
            $0.fill(.rectangle(x: 0, y: 0, width: 2, height: 1), color: .black)
            $0.fill(.rectangle(x: 1, y: 0, width: 2, height: 1), color: .white)
        }
        #expect(canvas.buffer[0, 0] == Pixel(red: 0, green: 0, blue: 0, alpha: 128))
        #expect(canvas.buffer[1, 0] == Pixel(red: 128, green: 128, blue: 128, alpha: 128))
    }

    @Test func `consecutive groups are painted like groups on canvases of their own`() throws {
        let size = try Canvas.size(16, 64)
        func paint(_ number: Int, on canvas: inout Canvas) {
            let top = Double(40 - 13 * number), clip = Path.rectangle(x: 1, y: top + 1.5, width: 9, height: 20)
            canvas.group(PaintGroup(opacity: 0.6)) { target in
                var drawing = Drawing()
                drawing.fill(.rectangle(x: 2, y: top, width: 7.5, height: 10.3), color: .black)
                target.paint(drawing, threads: 1)
                target.group(PaintGroup(opacity: 0.5, clip: number == 1 ? clip : nil)) {
                    $0.fill(.rectangle(x: 4, y: top + 5, width: 7, height: 12), color: .white)
                }
                if number == 2 { target.stroke(clip, style: StrokeStyle(width: 2), color: .black) }
            }
        }
        var canvas = Canvas(size: size, background: .white), layers = canvas.buffer
        for number in 0..<4 {
            paint(number, on: &canvas)
            var own = Canvas(layers)
            paint(number, on: &own)
            layers = own.buffer
            #expect(canvas.buffer == layers, "group \(number)")
        }
    }

    @Test func `a group rethrows the errors of its body`() throws {
        var canvas = try Canvas.clear(2, 2)
        #expect(throws: MeasureError.self) {
            try canvas.group(PaintGroup(opacity: 0.5)) { _ throws(MeasureError) in throw .size(1, 1) }
        }
    }

    /// A target that has no more than it must.
    private struct Listing: PaintTarget {
        var lines: [String] = []
        private var depth = 0

        private mutating func add(_ line: String) { lines.append(String(repeating: " ", count: depth) + line) }

        mutating func fill(_ path: Path, rule: Path.FillRule, color: MapColor) { add("fill \(rule)") }
        mutating func stroke(_ path: Path, style: StrokeStyle, color: MapColor) { add("stroke \(style.width)") }

        mutating func draw(_ image: PaintImage, transform: AffineTransform, opacity: Double, edges: PaintImage.Edges) {
            add("image \(image.pixels.size) at \(transform.tx), \(transform.ty) \(edges)")
        }

        mutating func group<E: Error>(_ group: PaintGroup, _ body: (inout Self) throws(E) -> Void) throws(E) {
            add("group \(group.name ?? "") \(group.opacity)")
            depth += 1
            try body(&self)
            depth -= 1
        }
    }

    @Test func `a target with four methods receives everything, from calls and from a drawing`() throws {
        var direct = Listing(), drawing = Drawing(), replayed = Listing()
        try Self.paint(on: &direct)
        try Self.paint(on: &drawing)
        replayed.paint(drawing)
        #expect(direct.lines == replayed.lines)
        #expect(
            direct.lines == [
                "fill nonZero", "fill evenOdd", "stroke 2.5", "image 6x5 at 30.0, 2.0 clamped",
                "image 6x5 at 5.0, 20.0 smooth", "image 14x14 at 20.0, 18.0 clamped", "group town 0.5",
                " fill nonZero", " group inner 1.0", "  fill nonZero", " stroke 3.0", " fill nonZero",
            ])
    }
}
