import PortolanFeatures
import PortolanRaster
import TestHelpers
import Testing

/// Lines cut at a box.
struct LineClipperTests {
    private func points(_ numbers: [Double]) -> [Point] {
        stride(from: 0, to: numbers.count, by: 2).map { Point(x: numbers[$0], y: numbers[$0 + 1]) }
    }

    @Test(
        arguments: [
            ([], []), ([5, 5], []), ([1, 1, 9, 9], [[1, 1, 9, 9]]), ([-5, 5, 15, 5], [[0, 5, 10, 5]]),
            ([-5, -5, -1, 20], []), ([5, 5, 15, 5, 15, 8, 5, 8], [[5, 5, 10, 5], [10, 8, 5, 8]]),
            ([-5, 5, 5, -5], []), ([-6, 5, 5, -6], []), ([0, 0, 10, 0], [[0, 0, 10, 0]]),
            ([-5, 5, 5, 5, 5, 15], [[0, 5, 5, 5, 5, 10]]), ([2, 2, 2, 2], []),
            ([2, 2, 2, 2, 3, 3], [[2, 2, 2, 2, 3, 3]]),
            ([1, 1, .nan, 1, 2, 2, 3, 3], [[2, 2, 3, 3]]), ([1, 1, 1e300, 1, 2, 2, 3, 3], [[2, 2, 3, 3]]),
            ([5, 5, 10, 5, 5, 6], [[5, 5, 10, 5, 5, 6]]),
        ] as [([Double], [[Double]])])
    func `a line is clipped to a box`(line: [Double], pieces: [[Double]]) throws {
        let box = Rectangle(minX: 0, minY: 0, maxX: 10, maxY: 10)
        #expect(LineClipper.clip(points(line), to: box) == pieces.map(points))
    }

    @Test
    func `clipped pieces have the length found by dense sampling`() throws {
        let box = Rectangle(minX: -3, minY: 2, maxX: 20, maxY: 11)
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<20 {
            let line = (0..<12).map { _ in
                Point(
                    x: Double.random(in: -30...40, using: &generator),
                    y: Double.random(in: -20...30, using: &generator))
            }
            var sampled = 0.0
            let steps = 1000
            for (start, end) in zip(line, line.dropFirst()) {
                let length = Self.length([start, end])
                for step in 0..<steps {
                    let t = (Double(step) + 0.5) / Double(steps)
                    let place = Point(x: start.x + (end.x - start.x) * t, y: start.y + (end.y - start.y) * t)
                    if box.contains(place) { sampled += length / Double(steps) }
                }
            }
            let pieces = LineClipper.clip(line, to: box)
            #expect(pieces.allSatisfy { $0.allSatisfy { box.contains($0) } })
            #expect(abs(pieces.map(Self.length).reduce(0, +) - sampled) < 1.2)
        }
    }

    private static func length(_ line: [Point]) -> Double {
        zip(line, line.dropFirst()).reduce(0) {
            $0 + (($1.0.x - $1.1.x) * ($1.0.x - $1.1.x) + ($1.0.y - $1.1.y) * ($1.0.y - $1.1.y)).squareRoot()
        }
    }
}
