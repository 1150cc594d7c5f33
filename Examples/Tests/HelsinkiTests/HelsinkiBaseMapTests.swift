import HelsinkiFixtures
import Portolan
import Testing

@Suite struct HelsinkiBaseMapTests {
    @Test(arguments: ["portolan-light", "portolan-dark"], [13.0, 14.5, 15.5, 17])
    func `a base map is drawn completely at each zoom`(_ style: String, _ zoom: Double) async throws {
        let map = try await HelsinkiBaseMap.map(style: style, zoom: zoom, width: 320, height: 240)
        let report = try await map.refresh().report
        #expect(report.complete)
        #expect(report.warnings.isEmpty)
        #expect(report.layers.map(\.kind) == ["style"])
    }

    @Test func `a base map of Web Mercator tiles is drawn in another CRS`() async throws {
        let map = try await HelsinkiBaseMap.map(crs: CRS("EPSG:3067"), width: 320, height: 240)
        let report = try await map.refresh().report
        #expect(report.complete)
        #expect(report.warnings.isEmpty)
    }
}
