import PortolanRaster
import PortolanTestSupport
import Testing

@Suite struct PathBoundsTests {
    @Test func `bounds follow the curve and not its control points`() throws {
        var path = Path()
        path.move(to: Point(x: 0, y: 0))
        path.quad(control: Point(x: 5, y: 10), to: Point(x: 10, y: 0))
        let quad = try #require(path.boundingRectangle)
        #expect(quad.minX == 0 && quad.maxX == 10 && quad.minY == 0)
        #expect(abs(quad.maxY - 5) < 1e-12)
        let circle = try #require(Path.circle(center: Point(x: 5, y: 6), radius: 4).boundingRectangle)
        #expect(abs(circle.minX - 1) < 1e-4 && abs(circle.maxX - 9) < 1e-4)
        #expect(abs(circle.minY - 2) < 1e-4 && abs(circle.maxY - 10) < 1e-4)
    }

    @Test func `random cubics lie in their bounds and touch them`() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<300 {
            let p = (0..<4).map { _ in
                Point(x: .random(in: -9...9, using: &generator), y: .random(in: -9...9, using: &generator))
            }
            var path = Path()
            path.move(to: p[0])
            path.cubic(control1: p[1], control2: p[2], to: p[3])
            let box = try #require(path.boundingRectangle)
            let ys = (0...2000).map { step -> Double in
                let t = Double(step) / 2000, s = 1 - t
                return s * s * s * p[0].y + 3 * s * s * t * p[1].y + 3 * s * t * t * p[2].y + t * t * t * p[3].y
            }
            #expect(abs((ys.min() ?? 99) - box.minY) < 1e-4)
            #expect(abs((ys.max() ?? 99) - box.maxY) < 1e-4)
        }
    }

    @Test func `no finite point means no bounds`() {
        #expect(Path().boundingRectangle == nil)
        #expect(Path.polyline([Point(x: .nan, y: 0), Point(x: 0, y: .infinity)]).boundingRectangle == nil)
    }
}
