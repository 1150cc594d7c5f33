import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import Testing

@Suite struct MapPlannerTests {
    @Test func `each layer is a step, bottom first`() throws {
        let layers = [
            MapLayer(name: "a", content: .tiles(try TilePlannerTests.xyz()), opacity: 0.5, attribution: "© A"),
            MapLayer(name: "b", content: .wms(try WMSPlannerTests.source()), opacity: 7),
            MapLayer(name: "c", content: .features(FeatureSource(features: []))),
        ]
        let view = try View.slippy(10, 10, zoom: 5)
        let plan = MapPlanner(viewport: view, background: .black).plan(layers)
        #expect(plan.viewport == view && plan.background == .black)
        #expect(plan.steps.map(\.layer) == ["a", "b", "c"])
        #expect(plan.steps.map(\.kind) == ["xyz", "wms", "features"])
        #expect(plan.steps.map(\.opacity) == [0.5, 1, 1])
        #expect(plan.steps.map(\.attribution) == ["© A", nil, nil])
        #expect(plan.warnings.isEmpty)
        #expect(plan == MapPlanner(viewport: view, background: .black).plan(layers))
    }

    @Test func `a layer that cannot be planned is a warning and the others stay`() throws {
        let strange = try WMSPlannerTests.source(crs: CRS("EPSG:27200"))
        let plan = try MapPlanner(viewport: View.slippy(10, 10, zoom: 5)).plan([
            MapLayer(name: "lost", content: .wms(strange)),
            MapLayer(name: "kept", content: .tiles(try TilePlannerTests.xyz())),
        ])
        #expect(plan.steps.map(\.layer) == ["kept"])
        #expect(plan.warnings.count == 1)
        #expect(plan.warnings[0].losesLayer)
        #expect(plan.warnings[0].description.hasPrefix("layer 'lost': "))
        #expect(plan.warnings[0].description.contains("EPSG:27200"))
    }

    @Test func `layers that are not drawn are not planned`() throws {
        let tiles = MapLayer.Content.tiles(try TilePlannerTests.xyz())
        let plan = try MapPlanner(viewport: View.slippy(10, 10, zoom: 5)).plan([
            MapLayer(name: "a", content: tiles, isVisible: false), MapLayer(name: "b", content: tiles, opacity: 0),
            MapLayer(name: "c", content: tiles, maximumResolution: Resolution(unitsPerPixel: 1)),
        ])
        #expect(plan.steps.isEmpty && plan.warnings.isEmpty)
    }

    @Test(arguments: [(-5, 512), (0, 512), (8, 528), (4096, 8704), (Int.max, 8704), (Int.min, 512)])
    func `the margin is clamped`(margin: Int, width: Int) throws {
        let plan = try MapPlanner(viewport: View.make(resolution: 1, width: 512, height: 64), margin: margin).plan([
            MapLayer(name: "w", content: .wms(try WMSPlannerTests.source(maximum: 100_000)))
        ])
        guard case .mosaics(let mosaics) = try #require(plan.steps.first).content else { return }
        #expect(mosaics.first?.size.width == width)
    }
}
