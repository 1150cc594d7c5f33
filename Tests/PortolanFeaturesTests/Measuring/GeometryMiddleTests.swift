import PortolanFeatures
import PortolanGeo
import Testing

/// Centroids by shapely 2.0 (GEOS), places for labels by shapely's `polylabel` at a tolerance of 0.001.
@Suite struct GeometryMiddleTests {
    private static func ring(_ numbers: Double...) -> [Coordinate] {
        stride(from: 0, to: numbers.count, by: 2).map { Coordinate(x: numbers[$0], y: numbers[$0 + 1]) }
    }

    /// A wide U.
    private static let bay = ring(0, 0, 10, 0, 10, 8, 8, 8, 8, 2, 2, 2, 2, 8, 0, 8, 0, 0)
    private static let hole = ring(0.2, 0.2, 4, 0.2, 4, 1.8, 0.2, 1.8, 0.2, 0.2)

    @Test(arguments: [
        (Geometry.polygon([bay]), Place(5, 3.1818182)),
        (.polygon([bay, hole]), Place(5.4649789, 3.5316456)),
        (.multiPolygon([[bay], [ring(20, 0, 22, 0, 22, 2, 20, 0)]]), Place(5.7101449, 3.0724638)),
        (.lineString(ring(0, 0, 4, 0, 4, 2)), Place(2.6666667, 0.3333333)),
        (.multiPoint(ring(0, 0, 4, 0, 5, 3)), Place(3, 1)),
        (.collection([.point(Coordinate(x: 50, y: 50)), .polygon([bay])]), Place(5, 3.1818182)),
        (.polygon([ring(1, 1, 3, 1, 1, 1)]), Place(2, 1)),
    ])
    func `the centroid is that of the parts of the highest dimension`(geometry: Geometry, place: Place) throws {
        let centroid = try #require(geometry.centroid)
        #expect(abs(centroid.x - place.x) < 1e-6)
        #expect(abs(centroid.y - place.y) < 1e-6)
        let far = geometry.mapCoordinates { Coordinate(x: $0.x + 1e7, y: $0.y - 1e7) }
        #expect(abs(try #require(far.centroid).x - place.x - 1e7) < 1e-6)
    }

    struct Place: Sendable {
        var x: Double, y: Double
        init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
    }

    /// The distance from the border of the best place, which may be at several.
    @Test(arguments: [
        (Geometry.polygon([bay]), 1.1712), (.polygon([bay, hole]), 1.1712),
        (.polygon([ring(0, 0, 100, 0, 100, 0.1, 0, 0.1, 0, 0)]), 0.05),
        (.polygon([ring(0, 0, 4, 0, 0, 3, 0, 0)]), 1),
        (.multiPolygon([[ring(50, 50, 51, 50, 51, 51, 50, 50)], [bay]]), 1.1712),
    ])
    func `the label point of an area is inside, as far from the border as possible`(
        geometry: Geometry, distance: Double
    ) throws {
        let place = try #require(geometry.labelPoint)
        let border = try #require(geometry.polygons.max { $0[$0.startIndex].count < $1[$1.startIndex].count })
        var least = Double.infinity
        for ring in border {
            for (one, other) in zip(ring, ring.dropFirst()) {
                let (dx, dy) = (other.x - one.x, other.y - one.y)
                let share = min(max(((place.x - one.x) * dx + (place.y - one.y) * dy) / (dx * dx + dy * dy), 0), 1)
                let (ox, oy) = (one.x + dx * share - place.x, one.y + dy * share - place.y)
                least = min(least, (ox * ox + oy * oy).squareRoot())
            }
        }
        #expect(least > distance * 0.9)
        #expect(least < distance * 1.001)
    }

    @Test func `the label point of lines is the middle of the longest, of points the first`() {
        let lines = Geometry.multiLineString([Self.ring(9, 9, 9, 10), Self.ring(0, 0, 4, 0, 4, 2)])
        #expect(lines.labelPoint == Coordinate(x: 3, y: 0))
        #expect(Geometry.multiPoint(Self.ring(1, 2, 3, 4)).labelPoint == Coordinate(x: 1, y: 2))
        #expect(Geometry.empty(.polygon).labelPoint == nil)
        #expect(Geometry.empty(.collection).centroid == nil)
        #expect(Geometry.point(Coordinate(x: .nan, y: 0)).labelPoint == nil)
        #expect(Geometry.polygon([Self.ring(1, 1, 1, 1, 1, 1)]).labelPoint == Coordinate(x: 1, y: 1))
    }

    @Test func `a simplification tolerance is in metres on the ground, in any CRS`() throws {
        let wave = (0...1000).map { Coordinate(x: 24 + Double($0) * 1e-4, y: 60 + ($0.isMultiple(of: 2) ? 4e-5 : 0)) }
        #expect(Geometry.lineString(wave).simplified(meters: 0) == .lineString(wave))
        #expect(Geometry.lineString(wave).simplified(meters: 10).coordinateCount < 10)
        #expect(Geometry.lineString(wave).simplified(meters: 1).coordinateCount == 1001)
        let flat = try CRS("EPSG:3067"), transform = try CoordinateTransform(from: .crs84, to: flat)
        let moved = try #require(Geometry.lineString(wave).mapWholeCoordinates { transform($0) })
        #expect(moved.simplified(meters: 10, in: flat).coordinateCount < 10)
        #expect(moved.simplified(meters: 1, in: flat).coordinateCount == 1001)
        #expect(Geometry.polygon([Self.bay]).simplified(meters: 10_000_000) == .empty(.polygon))
    }
}
