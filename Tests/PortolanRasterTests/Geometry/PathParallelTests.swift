import Testing

@testable import PortolanRaster

@Suite struct PathParallelTests {
    private static func path(_ points: [(Double, Double)], isClosed: Bool = false) -> Path {
        var path = Path()
        for (index, point) in points.enumerated() {
            let point = Point(x: point.0, y: point.1)
            if index == 0 { path.move(to: point) } else { path.line(to: point) }
        }
        if isClosed { path.close() }
        return path
    }

    @Test func `a parallel to the right of an eastward line lies below it, y down`() {
        let line = Self.path([(0, 0), (10, 0)])
        #expect(line.parallel(at: 3) == Self.path([(0, 3), (10, 3)]))
        #expect(line.parallel(at: -3) == Self.path([(0, -3), (10, -3)]))
        #expect(line.parallel(at: 0) == line)
    }

    @Test func `the parallels of a right angle meet in its corners`() {
        let line = Self.path([(0, 0), (10, 0), (10, 10)])
        #expect(line.parallel(at: 2) == Self.path([(0, 2), (8, 2), (8, 10)]))
        #expect(line.parallel(at: -2) == Self.path([(0, -2), (12, -2), (12, 10)]))
    }

    @Test func `a hairpin is cut off`() {
        let points = Self.path([(0, 0), (10, 0), (0, 0.1)]).parallel(at: -2).points
        #expect(points.count == 4)
        #expect(points.allSatisfy { $0.x < 13 && abs($0.y) < 3 })
    }

    @Test func `the parallel of a ring lies inside, in any winding order`() {
        let ring = [(0.0, 0.0), (10, 0), (10, 10), (0, 10)]
        for corners in [ring, ring.reversed()] {
            let inside = Self.path(corners, isClosed: true).parallel(at: 1, isInside: true)
            #expect(inside.boundingRectangle == Rectangle(minX: 1, minY: 1, maxX: 9, maxY: 9))
        }
    }

    @Test func `repeated points make no corner`() {
        #expect(
            Self.path([(0, 0), (5, 0), (5, 0), (10, 0)]).parallel(at: 1) == Self.path([(0, 1), (5, 1), (10, 1)]))
        #expect(Self.path([(3, 3)]).parallel(at: 1).isEmpty)
        #expect(Self.path([(3, 3), (3, 3)]).parallel(at: 1).isEmpty)
    }

    @Test func `the direction of tiny segments does not matter`() {
        func line(_ points: [(Double, Double)]) -> Path {
            var path = Path()
            for (index, (x, y)) in points.enumerated() {
                if index == 0 { path.move(to: Point(x: x, y: y)) } else { path.line(to: Point(x: x, y: y)) }
            }
            return path
        }
        let plain = line([(0, 0), (50, 0), (100, 0)]).parallel(at: 6)
        let kinked = line([(0, 0), (50, 0), (50, 0.125), (50.1, 0.125), (99.9, 0.1), (100, 0)])
        let beside = kinked.parallel(at: 6, omitting: 0.25)
        #expect(beside == plain)
        #expect(kinked.parallel(at: 6) != plain)
    }
}
