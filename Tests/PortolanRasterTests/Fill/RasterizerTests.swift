import PortolanRaster
import PortolanTestSupport
import Testing

/// Coverage against areas found by clipping.
@Suite struct RasterizerTests {
    /// Half a step for the rounding to bytes, and little for the sums.
    static let tolerance = 0.5 / 255 + 1e-9

    static func check(_ points: [Point], _ width: Int, _ height: Int, rule: FillRule = .nonZero) throws -> Double {
        var canvas = try Canvas.clear(width, height)
        canvas.fill(.polyline(points, closed: true), rule: rule, color: .black)
        var worst = 0.0
        for y in 0..<height {
            for x in 0..<width {
                let expected = ReferencePolygon.area(points, inPixelX: x, y: y)
                worst = max(worst, abs(Double(canvas.alpha(x, y)) / 255 - expected))
            }
        }
        return worst
    }

    @Test(arguments: [FillRule.nonZero, .evenOdd])
    func `random triangles cover their true area, also outside the canvas`(rule: FillRule) throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<1500 {
            let points = (0..<3).map { _ in
                Point(x: .random(in: -8...20, using: &generator), y: .random(in: -8...20, using: &generator))
            }
            #expect(try Self.check(points, 12, 11, rule: rule) <= Self.tolerance, "\(points)")
        }
    }

    @Test func `slivers and nearly level or upright edges cover their true area`() throws {
        var generator = SeededGenerator(seed: 2)
        for round in 0..<1500 {
            let a = Point(x: .random(in: -3...15, using: &generator), y: .random(in: -3...15, using: &generator))
            let tilt = Double.random(in: -1...1, using: &generator) * [1e-12, 1e-6, 1e-3, 0.1][round % 4]
            let length = Double.random(in: 1...14, using: &generator)
            let thickness = Double.random(in: 0...1, using: &generator)
            let b =
                round.isMultiple(of: 2)
                ? Point(x: a.x + length, y: a.y + tilt) : Point(x: a.x + tilt, y: a.y + length)
            let c = Point(x: b.x + thickness * tilt, y: b.y + thickness)
            #expect(try Self.check([a, b, c], 12, 11) <= Self.tolerance, "\([a, b, c])")
        }
    }

    @Test func `corners on whole and half pixels cover their true area`() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<800 {
            let points = (0..<3).map { _ in
                Point(
                    x: Double(Int.random(in: -4...24, using: &generator)) / 2,
                    y: Double(Int.random(in: -4...24, using: &generator)) / 2)
            }
            #expect(try Self.check(points, 10, 10) <= Self.tolerance, "\(points)")
        }
    }

    @Test(arguments: [(9, 300), (300, 9), (70, 150)])
    func `stars and long slivers over many rows and columns cover their true area`(width: Int, height: Int) throws {
        var generator = SeededGenerator(seed: 8)
        let middle = Point(x: Double(width) / 2, y: Double(height) / 2)
        for round in 0..<12 {
            // Around the middle in order, so that no two sides cross.
            let directions = [(1.0, 0.1), (0.6, 0.7), (0.1, 1.0), (-0.7, 0.6), (-1.0, -0.2), (-0.2, -0.9), (0.8, -0.7)]
            let points = directions.map { x, y in
                let reach = Double.random(in: round.isMultiple(of: 3) ? 0.5...0.51 : 0.02...0.7, using: &generator)
                return Point(x: middle.x + x * reach * Double(width), y: middle.y + y * reach * Double(height))
            }
            #expect(try Self.check(points, width, height) <= Self.tolerance, "\(points)")
        }
    }

    @Test func `thousands of layers count as one and leave nothing beside them`() throws {
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

    @Test func `a polygon reaching far outside is clipped without a change inside`() throws {
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

    @Test func `one canvas serves many fills of different sizes without traces`() throws {
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
