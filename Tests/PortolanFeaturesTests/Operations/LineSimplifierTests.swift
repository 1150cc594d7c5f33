import PortolanFeatures
import PortolanRaster
import TestHelpers
import Testing

/// Points dropped from lines and rings.
struct LineSimplifierTests {
    static func points(_ numbers: Double...) -> [Point] {
        stride(from: 0, to: numbers.count, by: 2).map { Point(x: numbers[$0], y: numbers[$0 + 1]) }
    }

    static let lines: [([Point], [Point])] = [
        ([], []),
        (points(1, 1), points(1, 1)),
        (points(0, 0, 9, 9), points(0, 0, 9, 9)),
        (points(0, 0, 5, 0, 9, 0), points(0, 0, 9, 0)),
        (points(0, 0, 5, 0.4, 9, 0), points(0, 0, 9, 0)),
        (points(0, 0, 5, 3, 9, 0), points(0, 0, 5, 3, 9, 0)),
        (points(0, 0, 0.1, 0, 0.2, 0, 9, 0), points(0, 0, 9, 0)),
        // Back and forth: the turn lies off the segment between the ends, though not off their line.
        (points(0, 0, 20, 0, 10, 0), points(0, 0, 20, 0, 10, 0)),
        (points(3, 3, 3.1, 3, 3, 3.1), points(3, 3, 3, 3.1)),
        (points(0, 0, .nan, 1, 5, .infinity, 9, 0), points(0, 0, 9, 0)),
        (points(0, 0, 8, 0, 8, 8, 0, 8, 0, 0), points(0, 0, 8, 0, 8, 8, 0, 8, 0, 0)),
    ]

    @Test(arguments: lines)
    func `points within one pixel are dropped`(line: [Point], expected: [Point]) {
        #expect(LineSimplifier.simplify(line, tolerance: 1) == expected)
    }

    @Test(arguments: [0.25, 1, 5])
    func `no original point is farther from the simplified line than the tolerance`(tolerance: Double) {
        var generator = SeededGenerator(seed: 11)
        for round in 0..<5 {
            var place = Point(x: 0, y: 0)
            let step = Double(round % 5 + 1) * 0.7
            let line = (0..<1500).map { _ in
                place.x += Double.random(in: -step...step, using: &generator)
                place.y += Double.random(in: -step...step, using: &generator)
                return place
            }
            let simple = LineSimplifier.simplify(line, tolerance: tolerance)
            #expect(simple.first == line.first)
            #expect(simple.last == line.last)
            #expect(simple.count < line.count)
            for point in line {
                let distance = Distance.from(point, toLine: simple) ?? .infinity
                #expect(distance <= tolerance * 1.000001)
            }
        }
    }

    @Test
    func `a tolerance of zero keeps all points`() {
        let line = Self.points(0, 0, 1, 0, 2, 0, 2, 0)
        #expect(LineSimplifier.simplify(line, tolerance: 0) == line)
    }

    @Test
    func `rings stay closed, and tiny rings disappear`() {
        let square = Self.points(0, 0, 4, 0.1, 8, 0, 8, 8, 0, 8)
        #expect(LineSimplifier.simplifyRing(square, tolerance: 1) == Self.points(0, 0, 8, 0, 8, 8, 0, 8, 0, 0))
        #expect(LineSimplifier.simplifyRing(Self.points(0, 0, 0.2, 0, 0.2, 0.2, 0, 0), tolerance: 1).isEmpty)
        #expect(LineSimplifier.simplifyRing([], tolerance: 1).isEmpty)
    }

    @Test
    func `thousands of zigzag points are simplified in bounded time`() {
        let line = (0..<8_000).map { (number: Int) -> Point in
            Point(x: Double(number), y: number % 2 == 0 ? 0 : Double(8_000 - number))
        }
        #expect(LineSimplifier.simplify(line, tolerance: 0.5).count > 7_900)
    }

    @Test(arguments: [0, 1, 2, 3, 1024, 1025, 1026, 5000])
    func `a streamed line is simplified like a stored one`(count: Int) {
        var generator = SeededGenerator(seed: 12)
        var streamed = StreamedLine(tolerance: 0.5), path = Path()
        // The second line shows that nothing of the first is left behind.
        for _ in 0..<2 {
            var place = Point(x: 0, y: 0)
            let line = (0..<count).map { _ in
                place.x += Double.random(in: -1...1, using: &generator)
                place.y += Double.random(in: -0.4...0.4, using: &generator)
                return place
            }
            let before = path.elements.count
            for point in line { streamed.add(point, to: &path) }
            streamed.end(to: &path)
            let left = LineSimplifier.simplify(line, tolerance: 0.5)
            let expected = left.count > 1 ? Path.polyline(left).elements : []
            #expect(Array(path.elements[before...]) == expected)
        }
    }
}
