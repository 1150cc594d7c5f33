import PortolanGeo
import Testing

@Suite struct ExtentTests {
    @Test(arguments: [
        (0.0, 0.0, 0.0, 1.0), (0, 0, 1, 0), (1, 0, 0, 1), (.nan, 0, 1, 1), (0, 0, .infinity, 1),
        (-Double.greatestFiniteMagnitude, 0, Double.greatestFiniteMagnitude, 1),
    ])
    func `an empty, inverted or infinite extent is rejected`(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        #expect(Extent(minX: minX, minY: minY, maxX: maxX, maxY: maxY) == nil)
    }

    @Test func `touching extents share no area`() throws {
        let left = try #require(Extent(minX: 0, minY: 0, maxX: 1, maxY: 1))
        let right = try #require(Extent(minX: 1, minY: 0, maxX: 2, maxY: 1))
        #expect(!left.intersects(right))
        #expect(left.intersection(right) == nil)
        #expect(left.union(right) == Extent(minX: 0, minY: 0, maxX: 2, maxY: 1))
    }

    @Test func `a box of one point is flat and has no extent`() throws {
        let box = try #require(BoundingBox([Coordinate(x: 3, y: 4), Coordinate(x: .nan, y: 1)]))
        #expect(box.extent == nil)
        #expect(box.center == Coordinate(x: 3, y: 4))
        #expect(BoundingBox([Coordinate(x: .nan, y: 0)]) == nil)
    }
}
