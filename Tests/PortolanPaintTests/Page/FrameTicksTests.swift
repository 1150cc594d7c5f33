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

    @Test(arguments: [5.0, 10, 20])
    func `a frame has the degrees of the graticule`(interval: Double) throws {
        let view = try Viewport(
            center: Coordinate(x: 10, y: 20), resolution: #require(Resolution(unitsPerPixel: 0.2)),
            size: SampleScene.size(400, 300), crs: .crs84)
        let ticks = FrameTicks(.degrees, of: view, graticule: .degrees(interval)).ticks
        // From 30° W to 50° E.
        #expect(ticks.count { $0.side == .top } == Int(50 / interval) + Int(30 / interval) + 1)
    }
}
