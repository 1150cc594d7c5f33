import PortolanRaster
import TestHelpers
import Testing

@Suite struct CanvasTests {
    @Test(arguments: [MapColor.black, .white, MapColor(red: 1, green: 127, blue: 254)])
    func `an opaque fill gives exactly its colour`(color: MapColor) throws {
        var canvas = Canvas(size: try Canvas.size(7, 5), background: MapColor(red: 9, green: 8, blue: 7))
        canvas.fill(.rectangle(x: -1, y: -1, width: 20, height: 20), color: color)
        #expect(canvas.buffer.pixels.allSatisfy { $0 == Pixel(color).bits })
    }

    @Test func `a fill paints its part of each pixel and nothing else`() throws {
        var canvas = try Canvas.clear(6, 4)
        canvas.fill(.rectangle(x: 1.5, y: 1, width: 2.25, height: 1.5), color: .black)
        let rows = (0..<4).map { y in (0..<6).map { canvas.alpha($0, y) } }
        #expect(rows[0] == [0, 0, 0, 0, 0, 0])
        #expect(rows[1] == [0, 128, 255, 191, 0, 0])
        #expect(rows[2] == [0, 64, 128, 96, 0, 0])
        #expect(rows[3] == [0, 0, 0, 0, 0, 0])
    }

    @Test(arguments: [3.0, 10, 37.5, 90])
    func `a circle has the area of a circle`(radius: Double) throws {
        let side = Int(radius * 2) + 6, middle = radius + 2.7
        var canvas = try Canvas.clear(side, side)
        canvas.fill(.circle(center: Point(x: middle, y: middle), radius: radius), color: .black)
        // Flat pieces of a 64th of a pixel lose less than two thirds of that along the rim.
        #expect(abs(canvas.area - .pi * radius * radius) < 2 * .pi * radius / 64)
    }

    @Test func `an open path is filled as if closed, and a quadratic has the area of a parabola`() throws {
        var path = Path()
        path.move(to: Point(x: 2, y: 30))
        path.quad(control: Point(x: 20, y: -6), to: Point(x: 38, y: 30))
        var canvas = try Canvas.clear(40, 40)
        canvas.fill(path, color: .black)
        // Archimedes: two thirds of the triangle under the control point.
        #expect(abs(canvas.area - 36.0 * 36 / 2 * 2 / 3) < 0.6)
    }

    @Test func `drawing does not change a copy taken before`() throws {
        var canvas = try Canvas.clear(4, 4)
        let before = canvas.buffer
        canvas.fill(.rectangle(x: 0, y: 0, width: 4, height: 4), color: .white)
        #expect(before == PixelBuffer(size: canvas.size))
        #expect(canvas.buffer != before)
    }

    private static let wild: [Double] = [
        1e300, -1e300, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity, -.infinity, .nan, 1e18, -1e18,
        .leastNonzeroMagnitude, 1e-300, 0, 5, -1e9, 65536.5,
    ]

    @Test func `extreme coordinates never crash or hang`() throws {
        var generator = SeededGenerator(seed: 4), canvas = try Canvas.clear(16, 16)
        func number(_ generator: inout SeededGenerator) -> Double {
            Bool.random(using: &generator)
                ? Self.wild.randomElement(using: &generator) ?? 0 : .random(in: -20...40, using: &generator)
        }
        func point(_ generator: inout SeededGenerator) -> Point {
            Point(x: number(&generator), y: number(&generator))
        }
        for round in 0..<3000 {
            var path = Path()
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                switch Int.random(in: 0..<6, using: &generator) {
                case 0: path.move(to: point(&generator))
                case 1, 2: path.line(to: point(&generator))
                case 3: path.quad(control: point(&generator), to: point(&generator))
                case 4:
                    path.cubic(
                        control1: point(&generator), control2: point(&generator), to: point(&generator))
                default: path.close()
                }
            }
            canvas.fill(path, rule: round.isMultiple(of: 2) ? .nonZero : .evenOdd, color: .black)
            let style = StrokeStyle(
                width: abs(number(&generator)), cap: [.butt, .round, .square][round % 3],
                join: [.miter, .round, .bevel][round / 3 % 3], miterLimit: number(&generator),
                dashes: round.isMultiple(of: 4) ? [number(&generator), number(&generator), 3] : [],
                dashPhase: number(&generator))
            canvas.stroke(path, style: style, color: .white)
            _ = path.boundingRectangle
        }
        // Nothing of them is left in the canvas.
        canvas.fill(.rectangle(x: 0, y: 0, width: 16, height: 16), color: .black)
        var black = try Canvas.clear(16, 16)
        black.fill(.rectangle(x: 0, y: 0, width: 16, height: 16), color: .black)
        #expect(canvas.buffer == black.buffer)
    }

    @Test func `a subpath with a non-finite point is left out, and the others stay`() throws {
        var path = Path.polyline([Point(x: 0, y: 0), Point(x: .nan, y: 3), Point(x: 8, y: 8)], closed: true)
        path.append(.rectangle(x: 2, y: 2, width: 2, height: 2))
        path.append(.polyline([Point(x: 0, y: 0), Point(x: 8, y: .infinity), Point(x: 8, y: 0)]))
        var canvas = try Canvas.clear(8, 8)
        canvas.fill(path, color: .black)
        #expect(canvas.area == 4)
        #expect(canvas.alpha(3, 3) == 255)
    }

    @Test func `a shape from far outside the canvas covers it all`() throws {
        for far in [1e5, 1e12, 1e300] {
            var canvas = try Canvas.clear(9, 9)
            canvas.fill(
                .polyline(
                    [Point(x: -far, y: -far), Point(x: far, y: -far), Point(x: far, y: far), Point(x: -far, y: far)],
                    closed: true), color: .black)
            #expect(canvas.area == 81)
        }
    }
}
