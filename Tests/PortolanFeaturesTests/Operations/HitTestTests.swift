import PortolanFeatures
import PortolanGeo
import PortolanRaster
import Testing

/// Distances from a tap to geometries.
struct HitTestTests {
    private static let pairs = GeoJSONReaderTests.pairs
    private static let ring = [(0.0, 0.0), (10, 0), (10, 10), (0, 10)].map { Coordinate(x: $0.0, y: $0.1) }
    private static let hole = [(4.0, 4.0), (6, 4), (6, 6), (4, 6)].map { Coordinate(x: $0.0, y: $0.1) }
    private static let diagonal = [Coordinate(x: 0, y: 0), Coordinate(x: 10, y: 10)]

    static let cases: [(Geometry, Double, Double, Double?)] = [
        (.point(Coordinate(x: 3, y: 4)), 0, 0, 5),
        (.multiPoint([Coordinate(x: 3, y: 4), Coordinate(x: 0, y: 1)]), 0, 0, 1),
        (.lineString(diagonal), 5, 5, 0),
        (.lineString(diagonal), 10, 0, 50.0.squareRoot()),
        (.lineString(diagonal), 13, 14, 5),
        (.lineString([Coordinate(x: 3, y: 4)]), 0, 0, 5),
        (.multiLineString([diagonal, [Coordinate(x: 0, y: 9), Coordinate(x: 9, y: 9)]]), 1, 9.5, 0.5),
        (.polygon([ring]), 5, 5, 0),
        (.polygon([ring]), 12, 5, 2),
        (.polygon([ring, hole]), 5, 5.25, 0.75),
        (.polygon([ring, hole]), 2, 2, 0),
        (
            .multiPolygon([[ring], [[Coordinate(x: 20, y: 0), Coordinate(x: 30, y: 0), Coordinate(x: 30, y: 9)]]]), 17,
            0, 3
        ),
        (.collection([.point(Coordinate(x: 9, y: 9)), .polygon([ring])]), 5, 5, 0),
        (.empty(.point), 0, 0, nil),
        (.empty(.polygon), 0, 0, nil),
        (.collection([]), 0, 0, nil),
    ]

    @Test(arguments: cases)
    func `the distance is that to the nearest part, and zero inside areas`(
        geometry: Geometry, x: Double, y: Double, expected: Double?
    ) {
        let point = Point(x: x, y: y)
        let distance = HitTest.distance(from: point, to: geometry) { Point(x: $0.x, y: $0.y) }
        #expect((distance == nil) == (expected == nil))
        #expect(abs((distance ?? 0) - (expected ?? 0)) < 1e-12)
        let limit = expected ?? 0
        #expect(
            HitTest.touches(point, geometry, tolerance: limit + 1e-9) { Point(x: $0.x, y: $0.y) } == (expected != nil))
        if limit > 0 {
            #expect(!HitTest.touches(point, geometry, tolerance: limit - 1e-9) { Point(x: $0.x, y: $0.y) })
        }
    }

    @Test
    func `coordinates without a position in the picture are ignored`() {
        let line = Geometry.multiPoint([Coordinate(x: 0, y: 0), Coordinate(x: 5, y: 0)])
        let distance = HitTest.distance(from: Point(x: 0, y: 0), to: line) { $0.x > 1 ? Point(x: $0.x, y: $0.y) : nil }
        #expect(distance == 5)
        #expect(HitTest.distance(from: Point(x: 0, y: 0), to: line) { _ in nil } == nil)
    }
}
