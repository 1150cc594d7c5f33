import PortolanRaster
import TestHelpers
import Testing

/// Coverage against areas found by clipping, in more than 10,000 random cases.
@Suite struct RasterizerTests {
    /// Half a step for the rounding to bytes, and little for the sums.
    static let tolerance = 0.5 / 255 + 1e-9

    /// Each number seeds a separate generator, so that the cases of one kind run in parallel.
    static let seeds: Range<UInt64> = 0..<4

    /// By how much the coverage of the worst pixel differs from its true area.
    static func deviation(
        _ points: [Point], _ width: Int, _ height: Int, rule: Path.FillRule = .nonZero
    ) throws -> Double {
        var canvas = try Canvas.clear(width, height)
        canvas.fill(.polyline(points, closed: true), rule: rule, color: .black)
        let areas = ReferencePolygon.areas(points, width: width, height: height)
        return zip(canvas.buffer.pixels, areas).reduce(0) { max($0, abs(Double($1.0 >> 24) / 255 - $1.1)) }
    }

    static func check(_ points: [Point], _ width: Int, _ height: Int, rule: Path.FillRule = .nonZero) throws {
        let deviation = try deviation(points, width, height, rule: rule)
        #expect(deviation <= tolerance, "\(points)")
    }

    static func point(_ range: ClosedRange<Double>, _ generator: inout SeededGenerator) -> Point {
        Point(x: .random(in: range, using: &generator), y: .random(in: range, using: &generator))
    }

    @Test(arguments: seeds, [Path.FillRule.nonZero, .evenOdd])
    func `random triangles cover their true area, also outside the canvas`(seed: UInt64, rule: Path.FillRule) throws {
        var generator = SeededGenerator(seed: 100 + seed)
        for _ in 0..<400 {
            try Self.check((0..<3).map { _ in Self.point(-8...20, &generator) }, 12, 11, rule: rule)
        }
    }

    @Test(arguments: seeds)
    func `slivers and nearly horizontal or vertical edges cover their true area`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: 200 + seed)
        for round in 0..<500 {
            let a = Self.point(-3...15, &generator)
            let tilt = Double.random(in: -1...1, using: &generator) * [1e-12, 1e-6, 1e-3, 0.1][round % 4]
            let length = Double.random(in: 1...14, using: &generator)
            let thickness = Double.random(in: 0...1, using: &generator)
            let b =
                round.isMultiple(of: 2)
                ? Point(x: a.x + length, y: a.y + tilt) : Point(x: a.x + tilt, y: a.y + length)
            let c = Point(x: b.x + thickness * tilt, y: b.y + thickness)
            try Self.check([a, b, c], 12, 11)
        }
    }

    @Test(arguments: seeds)
    func `slivers in any direction cover their true area`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: 300 + seed)
        for round in 0..<300 {
            let a = Self.point(-3...15, &generator), b = Self.point(-3...15, &generator)
            let reach = [1e-9, 1e-4, 0.01, 0.3][round % 4]
            let offset = Self.point(-reach...reach, &generator)
            try Self.check([a, b, Point(x: b.x + offset.x, y: b.y + offset.y)], 12, 11)
        }
    }

    @Test(arguments: seeds)
    func `bands between nearly horizontal edges over many columns cover their true area`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: 400 + seed)
        for round in 0..<250 {
            let tilt = [1e-9, 1e-3, 0.5, 2][round % 4]
            func level(_ x: Double, _ y: Double) -> Point {
                Point(
                    x: x + .random(in: -1...1, using: &generator),
                    y: y + .random(in: -tilt...tilt, using: &generator))
            }
            let y = Double.random(in: 0...4, using: &generator)
            let left = Double.random(in: -9...9, using: &generator)
            let points = [level(left, y), level(left + 32, y), level(left + 32, y + 4.1), level(left, y + 4.1)]
            try Self.check(points, 36, 6)
        }
    }

    @Test(arguments: seeds)
    func `corners on whole and half pixels cover their true area`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: 500 + seed)
        for _ in 0..<250 {
            let points = (0..<3).map { _ in
                Point(
                    x: Double(Int.random(in: -4...24, using: &generator)) / 2,
                    y: Double(Int.random(in: -4...24, using: &generator)) / 2)
            }
            try Self.check(points, 10, 10)
        }
    }

    /// Directions around a middle in order, so that no two sides cross.
    static let directions = [
        (1.0, 0.1), (0.6, 0.7), (0.1, 1.0), (-0.7, 0.6), (-1.0, -0.2), (-0.2, -0.9), (0.8, -0.7),
    ]

    @Test(arguments: seeds)
    func `stars whose sides do not cross cover their true area`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: 600 + seed)
        for _ in 0..<250 {
            let middle = Self.point(2...8, &generator)
            let points = Self.directions.map { x, y in
                let reach = Double.random(in: 0.2...9, using: &generator)
                return Point(x: middle.x + x * reach, y: middle.y + y * reach)
            }
            try Self.check(points, 10, 10)
        }
    }

    @Test(arguments: seeds, [Path.FillRule.nonZero, .evenOdd])
    func `stars whose sides cross cover their true area, except at the crossings`(
        seed: UInt64, rule: Path.FillRule
    ) throws {
        var generator = SeededGenerator(seed: 700 + seed)
        for round in 0..<200 {
            let points = (0..<(5 + round % 3)).map { _ in Self.point(-3...13, &generator) }
            let pixels = ReferenceTrapezoids.pixels(points, rule: rule, width: 10, height: 10)
            var canvas = try Canvas.clear(10, 10)
            canvas.fill(.polyline(points, closed: true), rule: rule, color: .black)
            var deviation = 0.0
            for (painted, pixel) in zip(canvas.buffer.pixels, pixels) where pixel.isPlain {
                deviation = max(deviation, abs(Double(painted >> 24) / 255 - pixel.area))
            }
            #expect(deviation <= Self.tolerance, "\(points)")
        }
    }

    @Test(arguments: [Path.FillRule.nonZero, .evenOdd])
    func `both reference methods agree where both apply`(rule: Path.FillRule) {
        var generator = SeededGenerator(seed: 800)
        for _ in 0..<50 {
            let points = (0..<3).map { _ in Self.point(-3...13, &generator) }
            let trapezoids = ReferenceTrapezoids.pixels(points, rule: rule, width: 10, height: 10)
            for (a, b) in zip(trapezoids, ReferencePolygon.areas(points, width: 10, height: 10)) {
                #expect(abs(a.area - b) < 1e-9)
                #expect(a.isPlain)
            }
        }
    }

    @Test(arguments: [(9, 300), (300, 9), (70, 150)])
    func `stars and long slivers over many rows and columns cover their true area`(width: Int, height: Int) throws {
        var generator = SeededGenerator(seed: 8)
        let middle = Point(x: Double(width) / 2, y: Double(height) / 2)
        for round in 0..<12 {
            let points = Self.directions.map { x, y in
                let reach = Double.random(in: round.isMultiple(of: 3) ? 0.5...0.51 : 0.02...0.7, using: &generator)
                return Point(x: middle.x + x * reach * Double(width), y: middle.y + y * reach * Double(height))
            }
            try Self.check(points, width, height)
        }
    }

    @Test func `thousands of overlapping shapes count as one and leave nothing beside them`() throws {
        var path = Path()
        for _ in 0..<70_000 { path.append(.rectangle(x: 3.25, y: 1.5, width: 4, height: 2)) }
        var canvas = try Canvas.clear(40, 6)
        canvas.fill(path, color: .black)
        for y in 0..<6 {
            for x in 0..<40 {
                #expect(canvas.alpha(x, y) == ((1...3).contains(y) && (3...7).contains(x) ? 255 : 0), "\(x) \(y)")
            }
        }
        canvas.clear()
        canvas.fill(path, rule: .evenOdd, color: .black)
        #expect(canvas.buffer == PixelBuffer(size: canvas.size))
    }

    @Test func `a polygon far outside the canvas is clipped without a change inside`() throws {
        for far in [1e3, 1e6, 1e9] {
            let points = [Point(x: -far, y: -far), Point(x: far, y: -far + 3), Point(x: 4.25, y: 7.5)]
            var canvas = try Canvas.clear(12, 12)
            canvas.fill(.polyline(points, closed: true), color: .black)
            // The sides run into the tip at (4.25, 7.5) at close to 45°.
            #expect(canvas.alpha(4, 2) == 255)
            #expect(canvas.alpha(4, 8) == 0)
            #expect(canvas.alpha(0, 6) == 0)
            #expect(canvas.alpha(11, 6) == 0)
        }
    }

    @Test func `one canvas serves fills of different sizes without leftovers`() throws {
        var reused = try Canvas.clear(40, 40)
        let shapes = [
            Path.circle(center: Point(x: 20, y: 20), radius: 15), .rectangle(x: 1, y: 1, width: 5, height: 38),
            .rectangle(x: -5, y: -5, width: 100, height: 12.5),
        ]
        for shape in shapes {
            reused.copy(PixelBuffer(size: reused.size), atX: 0, y: 0)
            reused.fill(shape, color: .black)
            var fresh = try Canvas.clear(40, 40)
            fresh.fill(shape, color: .black)
            #expect(reused.buffer == fresh.buffer)
        }
    }
}

@Suite struct FillRuleTests {
    /// A five-pointed star drawn in one stroke, so that its middle is wound twice.
    private static let star = Path.polyline(
        [
            Point(x: 50, y: 5), Point(x: 76, y: 86), Point(x: 7, y: 36), Point(x: 93, y: 36), Point(x: 24, y: 86),
        ], closed: true)

    @Test(arguments: [(Path.FillRule.nonZero, 255), (.evenOdd, 0)])
    func `the middle of a star is inside by nonzero and outside by even-odd`(rule: Path.FillRule, middle: Int) throws {
        var canvas = try Canvas.clear(100, 100)
        canvas.fill(Self.star, rule: rule, color: .black)
        #expect(canvas.alpha(50, 50) == middle)
        #expect(canvas.alpha(50, 20) == 255)
        #expect(canvas.alpha(20, 41) == 255)
        #expect(canvas.alpha(50, 80) == 0)
    }

    @Test(arguments: [
        (Path.FillRule.nonZero, false, 144.0), (.nonZero, true, 119), (.evenOdd, false, 119), (.evenOdd, true, 119),
    ])
    func `a hole needs the opposite direction for nonzero, and none for even-odd`(
        rule: Path.FillRule, isReversed: Bool, area: Double
    ) throws {
        var path = Path.rectangle(x: 2.5, y: 2.5, width: 12, height: 12)
        let hole = [Point(x: 6, y: 6), Point(x: 11, y: 6), Point(x: 11, y: 11), Point(x: 6, y: 11)]
        path.append(.polyline(isReversed ? hole.reversed() : hole, closed: true))
        var canvas = try Canvas.clear(20, 20)
        canvas.fill(path, rule: rule, color: .black)
        #expect(abs(canvas.area - area) < 0.1)
        #expect(canvas.alpha(8, 8) == (area < 144 ? 0 : 255))
    }

    @Test(arguments: [(Path.FillRule.nonZero, 255), (.evenOdd, 0)])
    func `a shape drawn twice is filled for nonzero and empty for even-odd`(rule: Path.FillRule, alpha: Int) throws {
        var path = Path.rectangle(x: 1, y: 1, width: 3, height: 3)
        path.append(.rectangle(x: 1, y: 1, width: 3, height: 3))
        var canvas = try Canvas.clear(5, 5)
        canvas.fill(path, rule: rule, color: .black)
        #expect(canvas.alpha(2, 2) == alpha)
        #expect(canvas.alpha(0, 0) == 0)
    }

    @Test func `both rules agree on partly covered pixels of a ring`() throws {
        var path = Path.circle(center: Point(x: 20.3, y: 19.6), radius: 15.5)
        path.append(
            Path.circle(center: Point(x: 20.3, y: 19.6), radius: 8.25).transformed(
                by: AffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: 39.2)))
        var nonZero = try Canvas.clear(40, 40), evenOdd = nonZero
        nonZero.fill(path, rule: .nonZero, color: .black)
        evenOdd.fill(path, rule: .evenOdd, color: .black)
        #expect(nonZero.buffer == evenOdd.buffer)
        #expect(abs(nonZero.area - .pi * (15.5 * 15.5 - 8.25 * 8.25)) < 1)
    }

    @Test(arguments: [Path.FillRule.nonZero, .evenOdd])
    func `a path with more edges than are buffered covers the area of each part`(rule: Path.FillRule) throws {
        let width = 450, height = 400
        var path = Path(), sides: [Double] = []
        for index in 0..<width * height {
            let side = Double(index % 97 + 1) / 98, x = Double(index % width), y = Double(index / width)
            path.append(.rectangle(x: x + 0.005, y: y + 0.005, width: side, height: side))
            sides.append(side)
        }
        for threads in [1, 3] {
            var canvas = try Canvas.clear(width, height), drawing = Drawing()
            drawing.fill(path, rule: rule, color: .black)
            canvas.paint(drawing, threads: threads)
            for (pixel, side) in zip(canvas.buffer.pixels, sides) {
                guard abs(Double(pixel >> 24) / 255 - side * side) <= RasterizerTests.tolerance else {
                    Issue.record("\(pixel >> 24) for a side of \(side)")
                    return
                }
            }
        }
    }
}
