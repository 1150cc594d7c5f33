import PortolanFeatures
import PortolanRaster
import TestHelpers
import Testing

/// Rings cut at a box.
struct PolygonClipperTests {
    private func points(_ numbers: [Double]) -> [Point] {
        stride(from: 0, to: numbers.count, by: 2).map { Point(x: numbers[$0], y: numbers[$0 + 1]) }
    }

    @Test(
        arguments: [
            ([], []), ([1, 1, 2, 1], []), ([1, 1, 9, 1, 9, 9], [1, 1, 9, 1, 9, 9, 1, 1]),
            ([1, 1, 9, 1, 9, 9, 1, 1], [1, 1, 9, 1, 9, 9, 1, 1]), ([20, 20, 30, 20, 30, 30], []),
            ([-9, -9, 30, -9, 30, 30, -9, 30], [0, 0, 10, 0, 10, 10, 0, 10, 0, 0]),
            ([1, 1, .nan, 4, 9, 1, 9, 9], [1, 1, 9, 1, 9, 9, 1, 1]),
        ] as [([Double], [Double])])
    func `a polygon clipped to a box is a closed ring`(ring: [Double], expected: [Double]) throws {
        let box = Rectangle(minX: 0, minY: 0, maxX: 10, maxY: 10)
        let got = PolygonClipper.clip(points(ring), to: box)
        let wanted = points(expected)
        #expect(Set(got) == Set(wanted))
        #expect(got.count == wanted.count)
        #expect(got.first == got.last)
    }

    @Test
    func `a point in the box is inside the clipped ring exactly if it is inside the original`() throws {
        let box = Rectangle(minX: 3, minY: -4, maxX: 17, maxY: 9)
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<100 {
            let ring = (0..<Int.random(in: 3...14, using: &generator)).map { _ in
                Point(
                    x: Double.random(in: -20...40, using: &generator),
                    y: Double.random(in: -20...30, using: &generator))
            }
            let cut = PolygonClipper.clip(ring, to: box)
            #expect(cut.allSatisfy { box.contains($0) })
            for _ in 0..<200 {
                let place = Point(
                    x: Double.random(in: 3...17, using: &generator), y: Double.random(in: -4...9, using: &generator))
                #expect(
                    PolygonTest.contains(place, rings: [cut]) == PolygonTest.contains(place, rings: [ring]))
            }
        }
    }
}
