import Foundation
import HelsinkiFixtures
import Portolan
import Testing

@Suite struct HelsinkiWalkTests {
    @Test func `what was not recorded is missing, and the map is drawn all the same`() async throws {
        let map = try await HelsinkiWalk.map(width: 1000, height: 768)
        let report = try await map.refresh().report
        #expect(!report.complete)
        #expect(report.layers.filter { !$0.failed.isEmpty }.map(\.name) == ["transit"])
    }

    @Test func `the walk has a name, a length, a time and eight places`() async throws {
        let map = try await HelsinkiWalk.map()
        #expect(
            map.options.infoBar
                == Furniture.InfoBar(title: "A walk through central Helsinki", facts: ["4.1 km", "49 min", "8 places"]))
    }
}
