import Foundation
import PortolanFeatures
import PortolanGeo
import PortolanRaster
import TestHelpers
import Testing

@Suite struct GreatCircleEdgesTests {
    private static func drawn(_ geometry: Geometry) -> Geometry {
        var edges = GreatCircleEdges()
        return edges.drawn(geometry)
    }

    private static func vector(_ place: Coordinate) -> SIMD3<Double> {
        let longitude = place.x * .pi / 180, latitude = place.y * .pi / 180
        return [cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude)]
    }

    private static func normal(_ a: Coordinate, _ b: Coordinate) -> SIMD3<Double> {
        let a = vector(a), b = vector(b)
        let cross: SIMD3<Double> = [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
        return cross / (cross * cross).sum().squareRoot()
    }

    /// Tokyo to Los Angeles, with the quarters of the way as GeographicLib's geodesics on a sphere have them (pyproj's `Geod.npts`).
    @Test func `a long line follows the geodesic, east over the antimeridian`() throws {
        let ends = [
            Coordinate(longitude: 139.7798, latitude: 35.5494), Coordinate(longitude: -118.4085, latitude: 33.9416),
        ]
        let line = Self.drawn(.lineString(ends)).coordinates
        #expect(line.first == ends[0] && line.last?.x == 360 + ends[1].x && line.last?.y == ends[1].y)
        let quarters = [
            (162.9526789721197, 44.605326762895416), (360 - 168.62807813358222, 47.72229699488043),
            (360 - 140.71655673765463, 43.627361820631755),
        ]
        for (longitude, latitude) in quarters {
            let nearest = try #require(line.map { max(abs($0.x - longitude), abs($0.y - latitude)) }.min())
            #expect(nearest < 1e-9, "\(nearest)")
        }
        #expect(zip(line, line.dropFirst()).allSatisfy { $0.x < $1.x })
        #expect((200...2000).contains(line.count), "\(line.count)")
    }

    @Test func `no edge strays from its great circle`() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<300 {
            let a = Coordinate(
                longitude: .random(in: -180...180, using: &random), latitude: .random(in: -85...85, using: &random))
            let b = Coordinate(
                longitude: .random(in: -180...180, using: &random), latitude: .random(in: -85...85, using: &random))
            let line = Self.drawn(.lineString([a, b])).coordinates, normal = Self.normal(a, b)
            var worst = 0.0
            for (from, to) in zip(line, line.dropFirst()) where max(abs(from.y), abs(to.y)) < 89 {
                for share in [0, 0.25, 0.5, 0.75] {
                    let place = Coordinate(x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share)
                    worst = max(worst, abs((normal * Self.vector(place)).sum()))
                }
                #expect(abs(to.x - from.x) < 180)
            }
            // In metres on the sphere.
            #expect(worst * 6_371_000 < 40, "\(a) to \(b): \(worst * 6_371_000) m")
            // The shorter way.
            let length = zip(line, line.dropFirst()).reduce(0) { sum, ends in
                let difference = Self.vector(ends.0) - Self.vector(ends.1)
                return sum + (difference * difference).sum().squareRoot()
            }
            #expect(length < .pi + 1e-6)
        }
    }

    @Test(arguments: [70.0, -70]) func `a ring around a pole is closed over the pole, along the antimeridian`(
        latitude: Double
    ) throws {
        let corners = [-150, -60, 30, 120, -150].map { Coordinate(longitude: Double($0), latitude: latitude) }
        let area = Self.drawn(.polygon([corners])).coordinates
        let pole = latitude < 0 ? -90.0 : 90
        #expect(area.first == area.last)
        #expect(area.filter { $0.y == pole }.count == 2)
        let points = area.map { Point(x: $0.x, y: $0.y) }
        // All about the pole lies within, in the turn that the ring has; a quarter of the way the edge is nearest to it.
        let west = try #require(area.map(\.x).min())
        for step in 0..<36 {
            let longitude = west + 5 + Double(step) * 10
            #expect(PolygonTest.contains(Point(x: longitude, y: latitude * 80 / 70), rings: [points]))
            #expect(!PolygonTest.contains(Point(x: longitude, y: latitude * 60 / 70), rings: [points]))
        }
        // What leads to the pole is the seam, which is not stroked.
        for (a, b) in zip(area, area.dropFirst()) where (a.y == pole) != (b.y == pole) {
            #expect(abs(a.x.remainder(dividingBy: 360)) == 180)
            #expect(a.x == b.x)
        }
    }

    @Test func `a hole stays in its area over the antimeridian`() {
        func square(_ middle: Double, _ half: Double) -> [Coordinate] {
            [(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)].map { x, y in
                var longitude = middle + Double(x) * half
                if longitude > 180 { longitude -= 360 }
                return Coordinate(longitude: longitude, latitude: Double(y) * half)
            }
        }
        let area = Self.drawn(.polygon([square(180, 5), square(-179, 0.5)]))
        let boxes = area.parts.map { BoundingBox($0) }
        #expect(boxes[0]?.minX == 175)
        #expect(boxes[0]?.maxX == 185)
        #expect(boxes[1]?.minX == 180.5)
        #expect(boxes[1]?.maxX == 181.5)
    }

    @Test func `points are kept, collections are drawn, and invalid positions cost nothing else`() {
        let point = Geometry.point(Coordinate(longitude: 1, latitude: 2))
        let line = Geometry.lineString([
            Coordinate(longitude: 0, latitude: 50), Coordinate(longitude: 90, latitude: 50),
        ])
        let both = Self.drawn(.collection([point, line]))
        #expect(both.children.first == point)
        #expect((both.children.last?.coordinates.count ?? 0) > 50)
        let odd = Self.drawn(.lineString([Coordinate(x: 0, y: 0), Coordinate(x: .nan, y: 0), Coordinate(x: 1, y: 0)]))
        #expect(odd.coordinates.count == 3)
        let beyond = [Coordinate(x: 0, y: 16_777_217), Coordinate(x: 1, y: 0), Coordinate(x: 1, y: 1)]
        #expect(Self.drawn(.lineString(beyond)).coordinates.count <= 3)
        // To the other side of the earth all ways are as short.
        let far = Self.drawn(.lineString([Coordinate(x: 0, y: 0), Coordinate(x: 180, y: 0)]))
        #expect(far.coordinates.count >= 2)
    }

    @Test func `the number of added points is limited`() {
        var edges = GreatCircleEdges(budget: 1000)
        let zigzag = (0..<500).map { Coordinate(x: Double($0 % 2) * 100, y: Double($0 % 80)) }
        #expect(edges.drawn(.lineString(zigzag)).coordinates.count <= 500 + 1000 + 20)
        // After that, the shorter path is used anyway.
        let over = edges.drawn(.lineString([Coordinate(x: 179, y: 0), Coordinate(x: -179, y: 1)]))
        #expect(over.coordinates.map(\.x) == [179, 181])
    }
}
