import PortolanGeo
import Testing

@testable import PortolanPlan

@Suite struct QuadPlaneTests {
    @Test(arguments: [
        [(10.0, 50.0), (14, 50), (14, 53), (10, 53)], [(10, 50), (14, 49), (13, 53), (10, 52)],
        [(13.5, 49.5), (13.5, 53.5), (10.5, 53.5), (10.5, 49.5)], [(170, 0), (190, 0), (188, 10), (172, 12)],
    ])
    func `positions between four corners are mapped in both directions`(corners: [(Double, Double)]) throws {
        let plane = try #require(QuadPlane(corners.map { Coordinate(x: $0.0, y: $0.1) }))
        for (place, corner) in zip([(0.0, 0.0), (1, 0), (1, 1), (0, 1)], corners) {
            let found = try #require(plane.inverse(Coordinate(x: place.0, y: place.1)))
            #expect(abs(found.x - corner.0) < 1e-9)
            #expect(abs(found.y - corner.1) < 1e-9)
        }
        for s in stride(from: 0.0, through: 1, by: 0.125) {
            for t in stride(from: 0.0, through: 1, by: 0.125) {
                let ground = try #require(plane.inverse(Coordinate(x: s, y: t)))
                // Whichever world it is in.
                let back = try #require(plane.forward(Coordinate(x: ground.x - 360, y: ground.y)))
                #expect(abs(back.x - s) < 1e-6)
                #expect(abs(back.y - t) < 1e-6)
            }
        }
    }

    @Test func `collinear corners give nil`() {
        #expect(QuadPlane([0, 1, 2, 3].map { Coordinate(x: Double($0), y: Double($0)) }) == nil)
        #expect(QuadPlane([]) == nil)
    }
}
