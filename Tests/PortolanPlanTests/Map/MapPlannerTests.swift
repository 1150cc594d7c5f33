import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanWeb
import Testing

@Suite struct MapPlannerTests {
    @Test func `each layer is a step, from bottom to top`() throws {
        let layers = [
            MapLayer(name: "a", source: try TilePlannerTests.xyz(), opacity: 0.5, attribution: "© A"),
            MapLayer(name: "b", source: try WMSPlannerTests.source(), opacity: 7),
            MapLayer(name: "c", source: FeatureSource(features: [])),
        ]
        let view = try View.slippy(10, 10, zoom: 5)
        let plan = MapPlanner(viewport: view, background: .black).plan(layers)
        #expect(plan.viewport == view)
        #expect(plan.background == .black)
        #expect(plan.layers.map(\.name) == ["a", "b", "c"])
        #expect(plan.layers.map(\.kind) == ["xyz", "wms", "features"])
        #expect(plan.layers.map(\.opacity) == [0.5, 1, 1])
        #expect(plan.layers.map(\.layer.attribution) == ["© A", nil, nil])
        #expect(plan.warnings.isEmpty)
        #expect(plan == MapPlanner(viewport: view, background: .black).plan(layers))
    }

    @Test func `a layer that cannot be planned is a warning and the others stay`() throws {
        let strange = try WMSPlannerTests.source(crs: CRS("EPSG:27200"))
        let plan = try MapPlanner(viewport: View.slippy(10, 10, zoom: 5)).plan([
            MapLayer(name: "lost", source: strange),
            MapLayer(name: "kept", source: try TilePlannerTests.xyz()),
        ])
        #expect(plan.layers.map(\.name) == ["kept"])
        #expect(plan.warnings.count == 1)
        #expect(plan.warnings[0].code == .notDrawn)
        #expect(plan.warnings[0].description.hasPrefix("layer 'lost': "))
        #expect(plan.warnings[0].description.contains("EPSG:27200"))
    }

    @Test func `invisible layers are not planned`() throws {
        let tiles = try TilePlannerTests.xyz()
        let plan = try MapPlanner(viewport: View.slippy(10, 10, zoom: 5)).plan([
            MapLayer(name: "a", source: tiles, isVisible: false), MapLayer(name: "b", source: tiles, opacity: 0),
            MapLayer(name: "c", source: tiles, maximumResolution: Resolution(unitsPerPixel: 1)),
        ])
        #expect(plan.layers.isEmpty)
        #expect(plan.warnings.isEmpty)
    }

    @Test(arguments: [(-5, 512), (0, 512), (8, 528), (4096, 8704), (Int.max, 8704), (Int.min, 512)])
    func `the margin is clamped`(margin: Int, width: Int) throws {
        let plan = try MapPlanner(viewport: View.make(resolution: 1, width: 512, height: 64), margin: margin).plan([
            MapLayer(name: "w", source: try WMSPlannerTests.source(maximum: 100_000))
        ])
        #expect(plan.layers.first?.plan.seen.first?.size.width == width)
    }
}
