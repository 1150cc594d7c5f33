import PortolanRaster
import Testing

@Suite struct DasherTests {
    /// The painted part of the row through a line along y = 2.
    private func row(
        _ dashes: [Double], phase: Double = 0, cap: StrokeStyle.LineCap = .butt, length: Double = 24
    ) throws -> [Int] {
        var canvas = try Canvas.clear(24, 4)
        canvas.stroke(
            .polyline([Point(x: 0, y: 2), Point(x: length, y: 2)]),
            style: StrokeStyle(width: 2, cap: cap, dashes: dashes, dashPhase: phase), color: .black)
        return (0..<24).map { canvas.alpha($0, 1) == 255 ? 1 : canvas.alpha($0, 1) == 0 ? 0 : 2 }
    }

    private func repeated(_ runs: [(Int, Int)]) -> [Int] {
        Array(runs.flatMap { Array(repeating: $0.0, count: $0.1) }.prefix(24))
    }

    @Test func `dashes and gaps have their lengths`() throws {
        #expect(try row([4, 2]) == repeated([(1, 4), (0, 2), (1, 4), (0, 2), (1, 4), (0, 2), (1, 4), (0, 2)]))
        #expect(try row([6, 1, 2, 3]) == repeated([(1, 6), (0, 1), (1, 2), (0, 3), (1, 6), (0, 1), (1, 2), (0, 3)]))
    }

    @Test func `a dash list of odd length is repeated`() throws {
        #expect(try row([3]) == repeated([(1, 3), (0, 3), (1, 3), (0, 3), (1, 3), (0, 3), (1, 3), (0, 3)]))
        #expect(
            try row([4, 1, 2])
                == repeated([(1, 4), (0, 1), (1, 2), (0, 4), (1, 1), (0, 2), (1, 4), (0, 1), (1, 2), (0, 3)]))
    }

    @Test(arguments: [(1.0, 3), (5, -1), (7, 3), (-5, 3), (601, 3), (6, 4), (-6e12, 4), (.nan, 4), (.infinity, 4)])
    func `the phase shifts the dashes`(phase: Double, first: Int) throws {
        let pattern = try row([4, 2], phase: phase)
        #expect((pattern.firstIndex(of: 0) ?? 24) == max(first, 0))
        if first < 0 { #expect(pattern.prefix(6) == [0, 1, 1, 1, 1, 0]) }
    }

    @Test(
        arguments: [
            [], [0, 0], [-1, 2], [.nan, 1], [.infinity, 1], [1e-9, 1e-9], [0.04], [1, -.infinity], [1e308, 1e308],
        ] as [[Double]])
    func `lists without a usable pattern are solid`(dashes: [Double]) throws {
        #expect(try row(dashes) == repeated([(1, 24)]))
    }

    @Test func `the finest dashes cover evenly`() throws {
        #expect(try row([0.0625]) == repeated([(2, 24)]))
    }

    @Test func `dashes of length zero are dots with round and square caps, and nothing with butt caps`() throws {
        #expect(try row([0, 6], phase: -3).allSatisfy { $0 == 0 })
        #expect(
            try row([0, 6], phase: -3, cap: .square)
                == repeated([
                    (0, 2), (1, 2), (2, 1), (0, 3), (1, 2), (2, 1), (0, 3), (1, 2), (2, 1), (0, 3), (1, 2), (2, 1),
                    (0, 1),
                ]).map { $0 == 2 ? 0 : $0 })
        var canvas = try Canvas.clear(60, 20)
        canvas.stroke(
            .polyline([Point(x: 10, y: 10), Point(x: 55, y: 10)]),
            style: StrokeStyle(width: 8, cap: .round, dashes: [0, 20]), color: .black)
        #expect(abs(canvas.area - 3 * .pi * 16) < 0.6)
    }

    @Test func `a dash around a corner has a join`() throws {
        let points = [Point(x: 10, y: 10), Point(x: 40, y: 10), Point(x: 40, y: 40)]
        var canvas = try Canvas.clear(60, 60)
        canvas.stroke(
            .polyline(points), style: StrokeStyle(width: 8, dashes: [20, 15, 10, 100], dashPhase: 0), color: .black)
        // Painted: 0 to 20, and 35 to 45, which is beyond the corner at 30.
        #expect(abs(canvas.area - 30 * 8) < 0.5)
        #expect(canvas.alpha(42, 7) == 0)
        var bent = try Canvas.clear(60, 60)
        bent.stroke(.polyline(points), style: StrokeStyle(width: 8, dashes: [20, 5, 10, 100]), color: .black)
        // 0 to 20 and 25 to 35 around the corner: the miter fills what the bodies share.
        #expect(abs(bent.area - 30 * 8) < 0.5)
        #expect(bent.alpha(42, 7) == 255)
    }

    @Test func `a closed ring joins its last dash with its first`() throws {
        let corners = [Point(x: 10, y: 10), Point(x: 50, y: 10), Point(x: 50, y: 50), Point(x: 10, y: 50)]
        var canvas = try Canvas.clear(60, 60)
        canvas.stroke(
            .polyline(corners, closed: true), style: StrokeStyle(width: 6, dashes: [20, 20], dashPhase: 10),
            color: .black)
        #expect(canvas.alpha(8, 8) == 255)
        #expect(abs(canvas.area - 80 * 6) < 0.5)
        var long = try Canvas.clear(60, 60), solid = long
        long.stroke(.polyline(corners, closed: true), style: StrokeStyle(width: 6, dashes: [500, 9]), color: .black)
        solid.stroke(.polyline(corners, closed: true), style: StrokeStyle(width: 6), color: .black)
        #expect(long.buffer == solid.buffer)
    }

    @Test func `very long lines with fine dashes are painted on the canvas`() throws {
        var canvas = try Canvas.clear(24, 4)
        canvas.stroke(
            .polyline([Point(x: -6e9, y: 2), Point(x: 6e12, y: 2)]),
            style: StrokeStyle(width: 2, dashes: [4, 2]), color: .black)
        let pattern = (0..<24).map { canvas.alpha($0, 1) == 255 ? 1 : 0 }
        #expect(pattern == [1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0])
    }

    @Test func `dashes too fine to be distinguished are painted solid`() throws {
        var canvas = try Canvas.clear(24, 4)
        let points = (0..<2000).map { Point(x: $0.isMultiple(of: 2) ? 0 : 24, y: 2) }
        for width in [2, 1e7] {
            canvas.stroke(
                .polyline(points), style: StrokeStyle(width: width, cap: .round, dashes: [0.0625, 0.0625]),
                color: .black)
            #expect(canvas.alpha(12, 1) == 255)
        }
    }

    @Test func `a curve has no joins, neither at its start nor in a dash across it`() throws {
        for dashes in [[], [9.0, 7]] {
            let pictures = try [StrokeStyle.LineJoin.bevel, .round, .miter].map { join in
                var canvas = try Canvas.clear(60, 60)
                canvas.stroke(
                    .circle(center: Point(x: 30, y: 30), radius: 8),
                    style: StrokeStyle(width: 30, join: join, dashes: dashes, dashPhase: 4), color: .black)
                return canvas.buffer
            }
            #expect(pictures[0] == pictures[1])
            #expect(pictures[2] == pictures[1])
        }
    }
}
