import HelsinkiFixtures
import Portolan
import Testing

@Suite struct HelsinkiCityTests {
    @Test(arguments: [13.0, 14, 15, 16, 17, 18])
    func `a city with a complete style is drawn completely at each zoom`(
        _ zoom: Double
    ) async throws {
        let map = try await HelsinkiCity.map(width: 320, height: 240, zoom: zoom)
        let report = try await map.refresh().report
        #expect(report.complete && report.warnings.isEmpty, "\(report.warnings)")
        #expect(report.layers.map(\.kind) == ["style"])
    }

    @Test func `the style is one layer whose features are identified`() async throws {
        let map = try await HelsinkiCity.map()
        #expect(map.layers.count == 1 && map.layers[0].attribution == "© OpenStreetMap contributors, ODbL 1.0")
        let found = await map.identify(Point(x: 400, y: 300))
        #expect(found.map(\.layer) == ["city"])
    }
}
