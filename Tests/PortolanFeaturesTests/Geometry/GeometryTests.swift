import PortolanFeatures
import PortolanGeo
import Testing

/// Geometries made by hand.
struct GeometryTests {
    private let ring = GeoJSONReaderTests.pairs(0, 0, 4, 0, 4, 3)

    @Test
    func `rings are closed and empty parts left out`() {
        let closed = ring + [ring[0]]
        #expect(Geometry.polygon([ring, []]) == .polygon([closed]))
        #expect(Geometry.polygon([ring]).coordinates == closed)
        #expect(Geometry.multiPolygon([[], [[]], [ring]]).polygons.count == 1)
        #expect(Geometry.multiLineString([[], ring]).parts.map(Array.init) == [ring])
        #expect(Geometry.multiLineString([ring]) != .lineString(ring))
    }

    @Test
    func `a bounding box contains the children, and empty shapes have none`() {
        let collection = Geometry.collection([.empty(.polygon), .point(Coordinate(x: -1, y: 9)), .lineString(ring)])
        #expect(collection.boundingBox == BoundingBox(minX: -1, minY: 0, maxX: 4, maxY: 9))
        #expect(collection.coordinateCount == 4)
        #expect(!collection.isEmpty)
        #expect(Geometry.collection([.empty(.point)]).isEmpty)
        #expect(Geometry.empty(.multiPolygon).boundingBox == nil)
    }

    @Test
    func `mapping coordinates keeps kind, parts and altitudes`() {
        let shape = Geometry.collection([.polygon([ring, ring]), .point(Coordinate(x: 1, y: 2), altitude: 5)])
        let moved = shape.mapCoordinates { Coordinate(x: $0.x + 1, y: $0.y) }
        #expect(moved.children[0].parts.map(\.count) == [4, 4])
        #expect(moved.children[0].coordinates[0] == Coordinate(x: 1, y: 0))
        #expect(moved.children[1] == .point(Coordinate(x: 2, y: 2), altitude: 5))
        #expect(shape.mapCoordinates { $0 } == shape)
    }
}
