import PortolanRaster
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
                #expect(distance <= radius + bound && distance >= radius - bound - 0.01)
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

    @Test func `polylines are as open or closed as asked`() {
        let points = [Point(x: 1, y: 2), Point(x: 3, y: 4)]
        #expect(Path.polyline(points).elements == [.move(points[0]), .line(points[1])])
        #expect(Path.polyline(points, closed: true).elements == [.move(points[0]), .line(points[1]), .close])
        #expect(Path.polyline([Point]()).isEmpty)
    }
}
