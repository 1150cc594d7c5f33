import PortolanGeo
import PortolanPlan
import PortolanRaster
import Testing

@testable import PortolanPaint

@Suite struct WorldEdgeTests {
    /// A globe with a radius of 100 pixels in the middle of a picture of 400 × 300 pixels.
    private static func edge(_ crs: String) throws -> WorldEdge? {
        WorldEdge(
            in: try Viewport(
                center: Coordinate(x: 0, y: 0), resolution: #require(Resolution(unitsPerPixel: 63_781.37)),
                size: SampleScene.size(400, 300), crs: CRS(crs)))
    }

    @Test(arguments: [
        (200.0, 150.0, true), (270, 150, true), (200, 75, true), (295, 150, false), (300, 150, false),
        (330, 150, false),
        (20, 20, false), (275, 225, false),
    ])
    func `boxes on the globe are inside its edge, those across it and beyond it are not`(
        x: Double, y: Double, isInside: Bool
    ) throws {
        let edge = try #require(try Self.edge("ortho:lon=10,lat=45"))
        let box = Rectangle(minX: x - 12, minY: y - 6, maxX: x + 12, maxY: y + 6)
        #expect(edge.encloses(box) == isInside)
    }

    @Test func `a world that repeats has no edge`() throws {
        #expect(try Self.edge("EPSG:3857") == nil)
    }
}
