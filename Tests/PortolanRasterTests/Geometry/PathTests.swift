import PortolanRaster
import TestHelpers
import Testing

@Suite struct PathShapesTests {
    @Test(arguments: [1.0, 40, 5000])
    func `a flattened circle stays within the tolerance and the documented error`(radius: Double) {
        let center = Point(x: 3, y: -7)
        let points = Path.circle(center: center, radius: radius).flattened(tolerance: 0.01).elements.compactMap {
            element -> Point? in
            switch element {
            case .move(let point), .line(let point): point
            default: nil
            }
        }
        let bound = radius * 5e-6
        for (a, b) in zip(points, points.dropFirst()) {
            for place in [a, Point(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)] {
                let dx = place.x - center.x, dy = place.y - center.y
                let distance = (dx * dx + dy * dy).squareRoot()
                #expect(distance <= radius + bound)
                #expect(distance >= radius - bound - 0.01)
            }
        }
        #expect(points.count > 8)
    }

    @Test func `a rounded rectangle lacks only its corners`() throws {
        var canvas = try Canvas.clear(40, 30)
        canvas.fill(.roundedRectangle(x: 2, y: 3, width: 30, height: 20, radius: 6), color: .black)
        #expect(abs(canvas.area - (600 - (4 - .pi) * 36)) < 0.5)
        #expect(canvas.alpha(2, 3) == 0)
        #expect(canvas.alpha(2, 13) == 255)
    }

    @Test func `a rounded rectangle with too large a radius is a pill, and with none a rectangle`() {
        #expect(
            Path.roundedRectangle(x: 0, y: 0, width: 9, height: 4, radius: 99)
                == .roundedRectangle(x: 0, y: 0, width: 9, height: 4, radius: 2))
        #expect(
            Path.roundedRectangle(x: 0, y: 0, width: 9, height: 4, radius: -1)
                == .rectangle(x: 0, y: 0, width: 9, height: 4))
    }

    @Test func `polylines are open or closed as requested`() {
        let points = [Point(x: 1, y: 2), Point(x: 3, y: 4)]
        #expect(Path.polyline(points).elements == [.move(points[0]), .line(points[1])])
        #expect(Path.polyline(points, closed: true).elements == [.move(points[0]), .line(points[1]), .close])
        #expect(Path.polyline([Point]()).isEmpty)
    }
}

@Suite struct PathBoundsTests {
    @Test func `bounds follow the curve and not its control points`() throws {
        var path = Path()
        path.move(to: Point(x: 0, y: 0))
        path.quad(control: Point(x: 5, y: 10), to: Point(x: 10, y: 0))
        let quad = try #require(path.boundingRectangle)
        #expect(quad.minX == 0)
        #expect(quad.maxX == 10)
        #expect(quad.minY == 0)
        #expect(abs(quad.maxY - 5) < 1e-12)
        let circle = try #require(Path.circle(center: Point(x: 5, y: 6), radius: 4).boundingRectangle)
        #expect(abs(circle.minX - 1) < 1e-4)
        #expect(abs(circle.maxX - 9) < 1e-4)
        #expect(abs(circle.minY - 2) < 1e-4)
        #expect(abs(circle.maxY - 10) < 1e-4)
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

    @Test func `a path without finite points has no bounds`() {
        #expect(Path().boundingRectangle == nil)
        #expect(Path.polyline([Point(x: .nan, y: 0), Point(x: 0, y: .infinity)]).boundingRectangle == nil)
    }
}
