import PortolanRaster
import Testing

@testable import PortolanPaint

@Suite struct LineAnchorsTests {
    private static let area = Rectangle(minX: 0, minY: 0, maxX: 1000, maxY: 1000)

    private static func anchors(_ line: [(Double, Double)], tolerance: Double?) -> [LineAnchors.Anchor] {
        var anchors = LineAnchors(spacing: 90, leastLength: 18, styleInset: 0, tiles: nil)
        anchors.tolerance = tolerance
        return anchors.anchors(along: line.map { Point(x: $0.0, y: $0.1) }, in: area)
    }

    /// Steps of 8 pixels down and to the right.
    private static func steps(_ count: Int, fromX x: Double, y: Double) -> [(Double, Double)] {
        var steps: [(Double, Double)] = []
        for number in 0..<count {
            steps.append((x + 8 * Double(number / 2), y + 8 * Double((number + 1) / 2)))
        }
        return steps
    }

    @Test func `symbols keep to straight parts of a line`() {
        // A straight part of 40 pixels between steps.
        let line = Self.steps(12, fromX: 100, y: 100) + Self.steps(12, fromX: 180, y: 148)
        let found = Self.anchors(line, tolerance: 0.8)
        #expect(!Self.anchors(line, tolerance: nil).isEmpty && !found.isEmpty)
        for place in found.flatMap({ $0.places }) {
            #expect(place.point.y == 148 && place.point.x >= 149 && place.point.x <= 171)
            #expect(place.turn == 0)
        }
    }

    @Test func `on a straight line, the first place is the usual one`() {
        let line = [(0.0, 500.0), (600.0, 500.0)]
        let free = Self.anchors(line, tolerance: nil), straight = Self.anchors(line, tolerance: 0.8)
        #expect(free.map { $0.places[0].point } == straight.map { $0.places[0].point })
        for anchor in straight { #expect(anchor.places.count > 5) }
    }

    @Test func `a line that turns back or only bends has no place`() {
        #expect(Self.anchors(Self.steps(40, fromX: 100, y: 100), tolerance: 0.8).isEmpty)
        let back = (0..<40).map { number in (number % 2 == 0 ? 100.0 : 112.0, 100.0) }
        #expect(Self.anchors(back, tolerance: 0.8).isEmpty)
    }
}
