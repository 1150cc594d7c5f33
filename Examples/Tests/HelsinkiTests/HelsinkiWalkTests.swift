import Foundation
import HelsinkiFixtures
import Portolan
import Testing

@Suite struct HelsinkiWalkTests {
    @Test func `a map with missing recordings is drawn and reported as incomplete`() async throws {
        let map = try await HelsinkiWalk.map(width: 1000, height: 768)
        let report = try await map.refresh().report
        #expect(!report.complete)
        #expect(report.layers.filter { !$0.failed.isEmpty }.map(\.name) == ["transit"])
    }

    @Test func `the info bar of the walk has a title, length, time and place count`() async throws {
        let map = try await HelsinkiWalk.map()
        #expect(
            map.options.infoBar
                == Furniture.InfoBar(title: "A walk through central Helsinki", facts: ["4.1 km", "49 min", "8 places"]))
    }
}
