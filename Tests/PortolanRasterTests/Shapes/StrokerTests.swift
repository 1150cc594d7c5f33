import PortolanRaster
import TestHelpers
import Testing

/// Areas of strokes by formula; what rounding to bytes adds is less than 1/510 of the pixels on the rim.
@Suite struct StrokerTests {
    private func area(_ points: [Point], closed: Bool = false, _ style: StrokeStyle) throws -> Double {
        var canvas = try Canvas.clear(120, 120)
        canvas.stroke(.polyline(points, closed: closed), style: style, color: .black)
        return canvas.area
    }

    @Test(arguments: [(StrokeStyle.LineCap.butt, 0.0), (.square, 1), (.round, .pi / 4)])
    func `a straight line has the area of its length, width and caps`(cap: StrokeStyle.LineCap, capArea: Double) throws
    {
        let width = 9.0
        for end in [Point(x: 90, y: 30), Point(x: 30, y: 95), Point(x: 82.25, y: 77.5), Point(x: 30.1, y: 30.2)] {
            let dx = end.x - 30, dy = end.y - 30, length = (dx * dx + dy * dy).squareRoot()
            let painted = try area([Point(x: 30, y: 30), end], StrokeStyle(width: width, cap: cap))
            // Flat pieces of the round cap lose a little.
            #expect(abs(painted - (length * width + capArea * width * width)) < 0.4, "\(end)")
        }
    }

    @Test func `a line that turns back has no spike, whatever the rounding of its coordinates`() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            // All directions are equal but for the last digits of the coordinates.
            let points = [(40.0, 40.0), (48.25, 43.125), (44.125, 41.5625), (56.5, 46.25)].map { x, y in
                Point(
                    x: x + .random(in: -1e-11...1e-11, using: &random),
                    y: y + .random(in: -1e-11...1e-11, using: &random))
            }
            #expect(try area(points, StrokeStyle(width: 1)) < 24)
        }
    }

    /// For a turn by `t`, half width h: the two bodies share h²·tan(t/2); a bevel adds the triangle h²·sin(t)/2,
    /// a miter h²·tan(t/2), a round join the sector h²·t/2.
    @Test(arguments: [0.2, 0.9, 1.5, 2.2, -0.5, -1.2, -2.0])
    func `joins have the areas of their formulas`(turn: Double) throws {
        let h = 5.0, length = 45.0, t = abs(turn)
        // Unit vectors by the half-angle formulas' power series would do too; a Taylor sum keeps the test on its own.
        let (sine, cosine) = Self.sineCosine(turn), (halfSine, halfCosine) = Self.sineCosine(t / 2)
        let tangent = halfSine / halfCosine
        let points = [
            Point(x: 60 - length, y: 60), Point(x: 60, y: 60), Point(x: 60 + length * cosine, y: 60 + length * sine),
        ]
        let bodies = 2 * length * 2 * h - h * h * tangent
        let expected: [StrokeStyle.LineJoin: Double] = [
            .miter: bodies + h * h * tangent, .bevel: bodies + h * h * abs(sine) / 2, .round: bodies + h * h * t / 2,
        ]
        for (join, expected) in expected {
            let painted = try area(points, StrokeStyle(width: 2 * h, join: join, miterLimit: 10))
            #expect(abs(painted - expected) < 0.4, "\(join)")
        }
    }

    private static func sineCosine(_ angle: Double) -> (Double, Double) {
        var sine = 0.0, cosine = 0.0, term = 1.0
        for n in 0..<30 {
            let signed = n % 4 < 2 ? term : -term
            if n.isMultiple(of: 2) { cosine += signed } else { sine += signed }
            term *= angle / Double(n + 1)
        }
        return (sine, cosine)
    }

    @Test(arguments: [(1.4, false), (1.42, true), (4, true), (1, false), (0.5, false), (.nan, false)])
    func `a right angle is mitered from a limit of the square root of 2 on`(limit: Double, isMitered: Bool) throws {
        let points = [Point(x: 20, y: 20), Point(x: 80, y: 20), Point(x: 80, y: 80)]
        var canvas = try Canvas.clear(120, 120)
        canvas.stroke(.polyline(points), style: StrokeStyle(width: 20, miterLimit: limit), color: .black)
        #expect(canvas.alpha(88, 11) == (isMitered ? 255 : 0))
        #expect(canvas.alpha(84, 16) == 255)
        #expect(abs(canvas.area - (2400 - 100 + (isMitered ? 100 : 50))) < 0.2)
    }

    @Test(arguments: [StrokeStyle.LineJoin.miter, .round, .bevel])
    func `a closed square is joined at its start like at its other corners`(join: StrokeStyle.LineJoin) throws {
        let corners = [Point(x: 20, y: 20), Point(x: 80, y: 20), Point(x: 80, y: 80), Point(x: 20, y: 80)]
        var canvas = try Canvas.clear(100, 100)
        canvas.stroke(.polyline(corners, closed: true), style: StrokeStyle(width: 12, join: join), color: .black)
        for y in 0..<100 {
            for x in 0..<100 {
                #expect(canvas.alpha(x, y) == canvas.alpha(99 - x, y))
                #expect(canvas.alpha(x, y) == canvas.alpha(x, 99 - y))
            }
        }
        let corner = join == .miter ? 1.0 : join == .bevel ? 0.5 : .pi / 4
        #expect(abs(canvas.area - (72 * 72 - 48 * 48 - 4 * 6 * 6 * (1 - corner))) < 0.5)
        #expect(canvas.alpha(50, 50) == 0)
    }

    @Test(arguments: [(StrokeStyle.LineCap.butt, 0.0), (.square, 64), (.round, .pi * 16)])
    func `a line of length zero is a dot in the form of its cap`(cap: StrokeStyle.LineCap, expected: Double) throws {
        let place = Point(x: 20, y: 20), style = StrokeStyle(width: 8, cap: cap)
        #expect(abs(try area([place, place], style) - expected) < 0.3)
        #expect(abs(try area([place], closed: true, style) - expected) < 0.3)
        #expect(try area([place], style) == 0)
    }

    @Test func `a stroke that crosses itself paints each pixel once`() throws {
        let points = [Point(x: 10, y: 10), Point(x: 90, y: 90), Point(x: 90, y: 10), Point(x: 10, y: 90)]
        var canvas = try Canvas.clear(100, 100)
        let color = MapColor(red: 255, green: 0, blue: 0, alpha: 100)
        canvas.stroke(.polyline(points), style: StrokeStyle(width: 15), color: color)
        canvas.stroke(
            .polyline(points.map { Point(x: $0.x, y: $0.y + 200) }), style: StrokeStyle(width: 15), color: color)
        #expect(canvas.alpha(50, 50) == 100)
        #expect(canvas.buffer.pixels.allSatisfy { $0 >> 24 <= 100 })
    }

    @Test(arguments: [2.0, 8, 30])
    func `a stroked circle is a ring, or a disc if the width fills the middle`(width: Double) throws {
        var canvas = try Canvas.clear(120, 120)
        canvas.stroke(
            .circle(center: Point(x: 60.5, y: 59.25), radius: 12), style: StrokeStyle(width: width, join: .bevel),
            color: .black)
        let outer = 12 + width / 2, inner = max(12 - width / 2, 0)
        #expect(abs(canvas.area - .pi * (outer * outer - inner * inner)) < 2)
        #expect(canvas.alpha(60, 59) == (inner == 0 ? 255 : 0))
    }

    @Test(arguments: [(0.5, 128), (0.25, 64), (1, 255), (0, 0), (-1, 0), (.nan, 0)])
    func `a line thinner than a pixel is a pixel wide and fades`(width: Double, alpha: Int) throws {
        var canvas = try Canvas.clear(10, 10)
        canvas.stroke(
            .polyline([Point(x: -5, y: 4.5), Point(x: 20, y: 4.5)]), style: StrokeStyle(width: width), color: .black)
        #expect(canvas.alpha(5, 4) == alpha)
        #expect(canvas.alpha(5, 3) == 0)
        #expect(canvas.alpha(5, 5) == 0)
    }

    @Test func `a wide line with tight bends has no holes`() throws {
        var generator = SeededGenerator(seed: 7)
        for round in 0..<200 {
            let style = StrokeStyle(
                width: 14, cap: .round, join: [.miter, .round, .bevel][round % 3])
            let points = (0..<12).map { _ in
                Point(x: .random(in: 20...60, using: &generator), y: .random(in: 20...60, using: &generator))
            }
            var canvas = try Canvas.clear(80, 80)
            canvas.stroke(.polyline(points), style: style, color: .black)
            for (a, b) in zip(points, points.dropFirst()) {
                let dx = b.x - a.x, dy = b.y - a.y, length = (dx * dx + dy * dy).squareRoot()
                // All pixels wholly inside the rectangle around this segment.
                func isInBody(_ x: Int, _ y: Int) -> Bool {
                    let px = Double(x) - a.x, py = Double(y) - a.y
                    let along = (px * dx + py * dy) / length, beside = (px * dy - py * dx) / length
                    return along >= 0 && along <= length && abs(beside) <= 7
                }
                for y in 10..<70 {
                    for x in 10..<70
                    where isInBody(x, y) && isInBody(x + 1, y) && isInBody(x, y + 1) && isInBody(x + 1, y + 1) {
                        if canvas.alpha(x, y) != 255 { Issue.record("\(x) \(y) \(canvas.alpha(x, y)) \(points)") }
                    }
                }
            }
        }
    }

    @Test func `parts far from the canvas do not change a stroke`() throws {
        let near = [Point(x: -30, y: 5), Point(x: 50, y: 8)]
        let far = [Point(x: -3_000_000_030, y: -112_499_996), Point(x: 50, y: 8)]
        var canvas = try Canvas.clear(20, 20)
        canvas.stroke(.polyline(near), style: StrokeStyle(width: 3), color: .black)
        var other = try Canvas.clear(20, 20)
        other.stroke(.polyline(far), style: StrokeStyle(width: 3), color: .black)
        for (a, b) in zip(canvas.buffer.pixels, other.buffer.pixels) {
            #expect(abs(Int(a >> 24) - Int(b >> 24)) <= 1)
        }
    }

    @Test func `a ring partly outside the canvas looks like on a larger one`() throws {
        let corners = [Point(x: 15, y: 12), Point(x: 400, y: 30), Point(x: 300, y: 400), Point(x: -200, y: 300)]
        for dashes in [[], [13.0, 7]] {
            let style = StrokeStyle(width: 6, cap: .round, join: .miter, dashes: dashes, dashPhase: 2)
            var small = try Canvas.clear(50, 50)
            small.stroke(.polyline(corners, closed: true), style: style, color: .black)
            var large = try Canvas.clear(700, 500)
            let shifted = corners.map { Point(x: $0.x + 250, y: $0.y + 50) }
            large.stroke(.polyline(shifted, closed: true), style: style, color: .black)
            for y in 0..<50 {
                for x in 0..<50 {
                    #expect(abs(small.alpha(x, y) - large.alpha(x + 250, y + 50)) <= 1, "\(x) \(y) \(dashes)")
                }
            }
        }
    }

    @Test(arguments: [StrokeStyle.LineJoin.miter, .round, .bevel])
    func `a line or ring with more vertices than are buffered has the area of a short one`(
        join: StrokeStyle.LineJoin
    ) throws {
        let corners = [(20.0, 20.0), (95, 25), (100, 100), (30, 90)].map { Point(x: $0.0, y: $0.1) }
        let style = StrokeStyle(width: 6, join: join)
        for closed in [false, true] {
            // The same sides, parted into thousands of pieces.
            var points: [Point] = []
            for (index, a) in corners.enumerated() where closed || index + 1 < corners.count {
                let b = corners[(index + 1) % corners.count]
                for step in 0..<3000 {
                    let t = Double(step) / 3000
                    points.append(Point(x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t))
                }
            }
            if !closed { points.append(corners[corners.count - 1]) }
            let long = try area(points, closed: closed, style), short = try area(corners, closed: closed, style)
            // The rounding to bytes along some 600 pixels of rim.
            #expect(abs(long - short) < 1, "\(closed): \(long) \(short)")
        }
    }
}
