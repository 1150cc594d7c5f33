import PortolanRaster
import Testing

@Suite struct PathFlattenerTests {
    @Test func `subpaths, closings and lines after a closing are kept`() {
        var path = Path()
        path.move(to: Point(x: 1, y: 1))
        path.line(to: Point(x: 5, y: 1))
        path.close()
        path.line(to: Point(x: 1, y: 7))
        path.move(to: Point(x: 9, y: 9))
        path.move(to: Point(x: 8, y: 8))
        path.line(to: Point(x: 8, y: 9))
        let flat = path.flattened(tolerance: 0.1).elements
        #expect(
            flat == [
                .move(Point(x: 1, y: 1)), .line(Point(x: 5, y: 1)), .close, .move(Point(x: 1, y: 1)),
                .line(Point(x: 1, y: 7)), .move(Point(x: 8, y: 8)), .line(Point(x: 8, y: 9)),
            ])
    }

    @Test(arguments: [1.0, 0.1, 0.001])
    func `flattened pieces are within the tolerance of a cubic`(tolerance: Double) throws {
        let p = [Point(x: 0, y: 0), Point(x: 90, y: 10), Point(x: -40, y: 60), Point(x: 50, y: 80)]
        var path = Path()
        path.move(to: p[0])
        path.cubic(control1: p[1], control2: p[2], to: p[3])
        let points = path.flattened(tolerance: tolerance).elements.compactMap { element -> Point? in
            switch element {
            case .move(let point), .line(let point): point
            default: nil
            }
        }
        for step in 0...1000 {
            let t = Double(step) / 1000, s = 1 - t
            let w = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t]
            let x = zip(w, p).reduce(0) { $0 + $1.0 * $1.1.x }, y = zip(w, p).reduce(0) { $0 + $1.0 * $1.1.y }
            let distance = zip(points, points.dropFirst()).map { a, b -> Double in
                let dx = b.x - a.x, dy = b.y - a.y
                let u = min(max(((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy), 0), 1)
                let ex = x - a.x - u * dx, ey = y - a.y - u * dy
                return (ex * ex + ey * ey).squareRoot()
            }.min()
            #expect(try #require(distance) <= tolerance)
        }
    }

    @Test func `a subpath that is not finite is left out`() {
        var path = Path.polyline([Point(x: 0, y: 0), Point(x: .infinity, y: 1)], closed: true)
        path.line(to: Point(x: 3, y: 3))
        let flat = path.flattened(tolerance: 0.1).elements
        #expect(flat == [.move(Point(x: 0, y: 0)), .line(Point(x: 3, y: 3))])
        #expect(Path.polyline([Point(x: .nan, y: 0)], closed: true).flattened(tolerance: 1).isEmpty)
    }
}
