import PortolanPlan
import PortolanRaster
import Testing

@Suite struct DrawPlanFallbackTests {
    static func plan() throws -> DrawPlan {
        let view = try View.make(width: 3000, height: 100)
        let layer = try MapLayer(name: "l", content: .wms(WMSPlannerTests.source()))
        return MapPlanner(viewport: view).plan([layer])
    }

    @Test func `a refused image gives its place to its fallback, with the service's words`() throws {
        let plan = try Self.plan(), url = try #require(plan.shownURLs.first)
        #expect(plan.shownURLs.count == 1 && plan.replaceableURLs == [url])
        let again = plan.replacing([url: "too large"])
        #expect(again.shownURLs.count == 2 && !again.shownURLs.contains(url))
        #expect(again.replaceableURLs.isEmpty)
        #expect(again.warnings.map(\.description) == ["layer 'l': asked again in smaller pieces, since too large"])
        guard case .mosaics(let mosaics) = again.steps[0].content else { return }
        #expect(mosaics.first?.size == ImageSize(width: 3000, height: 100))
    }

    @Test func `the legend stays when images are replaced`() throws {
        let view = try View.make(width: 3000, height: 100)
        let layer = try MapLayer(name: "l", content: .wms(WMSPlannerTests.source()))
        let plan = MapPlanner(viewport: view, showsLegend: true).plan([layer])
        let image = try #require(plan.replaceableURLs.first)
        #expect(plan.legend != nil && plan.replacing([image: "too large"]).legend == plan.legend)
        let coarser = TileStandIn(url: "http://x/", name: "0/0/0", crop: ImageCrop(x: 0, y: 0, imageSize: view.size))
        #expect(plan.showing([image: coarser]).legend == plan.legend)
    }

    @Test func `what was not refused stays`() throws {
        let plan = try Self.plan()
        #expect(plan.replacing([:]) == plan)
        #expect(plan.replacing(["http://other/": "no"]) == plan)
    }
}
