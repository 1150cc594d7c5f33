import PortolanGeo
import PortolanPlan
import Testing

@testable import PortolanPaint

@Suite struct FrameTicksTests {
    @Test(arguments: [(150, 100), (240, 380), (400, 300)], [1.0, 3.3, 7.9])
    func `each side of a small map has two coordinates`(size: (Int, Int), resolution: Double) throws {
        let view = try Viewport(
            center: Coordinate(x: 385_940, y: 6_672_310), resolution: #require(Resolution(unitsPerPixel: resolution)),
            size: SampleScene.size(size.0, size.1), crs: CRS("EPSG:32635"))
        for frame in PrintPage.Frame.allCases {
            let ticks = FrameTicks(frame, of: view).ticks
            for side in PrintPage.Neighbor.Side.allCases { #expect(ticks.count { $0.side == side } >= 2) }
        }
    }
}
