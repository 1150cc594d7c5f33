import PortolanRaster
import TestHelpers
import Testing

@Suite struct CanvasThreadsTests {
    private static func drawing() throws -> Drawing {
        var generator = SeededGenerator(seed: 31), drawing = Drawing()
        func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
        func color() -> MapColor {
            MapColor(
                red: .random(in: 0...255, using: &generator), green: .random(in: 0...255, using: &generator),
                blue: .random(in: 0...255, using: &generator), alpha: .random(in: 40...255, using: &generator))
        }
        var image = PixelBuffer(size: try Canvas.size(23, 31))
        for y in 0..<31 {
            for x in 0..<23 { image[x, y] = Pixel(color()) }
        }
        var nodes: [Point?] = []
        for index in 0..<25 {
            nodes.append(Point(x: Double(index % 5 * 6), y: Double(index / 5 * 8) + number(-1...1)))
        }
        let mesh = try #require(
            WarpMesh(originX: 40, originY: 11, spacing: 23, columns: 5, rows: 5, sources: nodes))
        drawing.clear(to: .white)
        for round in 0..<300 {
            let points = (0..<Int(number(2...9))).map { _ in Point(x: number(-90...290), y: number(-90...290)) }
            switch round % 7 {
            case 0, 1: drawing.fill(.polyline(points), rule: round % 2 == 0 ? .nonZero : .evenOdd, color: color())
            case 2, 3:
                let style = StrokeStyle(
                    width: number(0.3...12), cap: [.butt, .round, .square][round % 3],
                    join: [.miter, .round, .bevel][round % 3], miterLimit: 9, dashes: round % 2 == 0 ? [9, 4] : [])
                drawing.stroke(.polyline(points), style: style, color: color())
            case 4:
                let scale = number(0.3...3)
                drawing.draw(
                    image,
                    transform: AffineTransform(
                        a: scale, b: 0, c: 0, d: scale, tx: number(-30...200), ty: number(-30...200)),
                    opacity: 0.6, edges: round % 2 == 0 ? .smooth : .clamped)
            case 5:
                drawing.draw(
                    image,
                    transform: AffineTransform(
                        a: 1.5, b: number(-2...2), c: number(-2...2), d: 1, tx: number(0...200), ty: number(0...200)))
            default:
                drawing.draw(image, atX: Int(number(-20...200)), y: Int(number(-20...200)), opacity: 0.5)
                drawing.copy(image, atX: Int(number(-20...200)), y: Int(number(-20...200)))
                drawing.draw(image, through: mesh, opacity: 0.4)
            }
        }
        drawing.fill(.circle(center: Point(x: 100, y: 100), radius: 77.7), color: color())
        // Nearly upright and nearly level edges over many rows.
        drawing.fill(
            .polyline([Point(x: 3, y: 0.1), Point(x: 3 + 1e-11, y: 199.9), Point(x: 190, y: 101)]), color: color())
        return drawing
    }

    @Test func `the result does not depend on the number of threads`() throws {
        let drawing = try Self.drawing()
        var reference = try Canvas.clear(190, 200)
        reference.paint(drawing)
        for threads in [2, 3, 5, 12, 1000, 0, -4] {
            var canvas = try Canvas.clear(190, 200)
            canvas.paint(drawing, threads: threads)
            #expect(canvas.buffer == reference.buffer, "\(threads)")
        }
    }

    @Test func `several threads draw over the content of the canvas`() throws {
        var drawing = Drawing()
        #expect(drawing.isEmpty)
        let shape = Path.circle(center: Point(x: 20, y: 40), radius: 35),
            color = MapColor(red: 0, green: 0, blue: 9, alpha: 3)
        // As much work as makes several threads worth their while.
        for _ in 0..<300 { drawing.fill(shape, color: color) }
        #expect(!drawing.isEmpty)
        var one = Canvas(size: try Canvas.size(40, 80), background: MapColor(red: 3, green: 200, blue: 90)), two = one
        let before = two.buffer
        for _ in 0..<300 { one.fill(shape, color: color) }
        two.paint(drawing, threads: 4)
        #expect(one.buffer == two.buffer)
        #expect(before != two.buffer)
    }

    @Test func `a drawing recorded in parts equals the whole`() throws {
        let drawing = try Self.drawing()
        var whole = Drawing(), one = try Canvas.clear(190, 200), two = one
        whole.paint(drawing)
        whole.paint(drawing)
        for _ in 0..<2 { one.paint(drawing) }
        two.paint(whole, threads: 2)
        #expect(one.buffer == two.buffer)
    }

    @Test func `stitching equals copying the pieces one by one`() throws {
        var pieces: [PixelBuffer.Piece] = [], canvas = try Canvas.clear(300, 270)
        for (index, (x, y)) in [(0, 0), (250, 3), (-20, 190), (100, 128), (130, 100), (300, 0), (0, -97)].enumerated() {
            var image = PixelBuffer(size: try Canvas.size(100, 97))
            for row in 0..<97 {
                for column in 0..<100 { image[column, row] = Pixel(bits: UInt32(index << 24 + row << 8 + column)) }
            }
            pieces.append(PixelBuffer.Piece(image: image, x: x, y: y))
            canvas.copy(image, atX: x, y: y)
        }
        for threads in [1, 2, 3, 100] {
            let stitched = PixelBuffer(size: canvas.size, stitching: pieces, threads: threads)
            #expect(stitched == canvas.buffer, "\(threads) threads")
        }
    }
}
