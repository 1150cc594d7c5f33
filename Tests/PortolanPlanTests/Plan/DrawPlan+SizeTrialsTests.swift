import PortolanPlan
import PortolanRaster
import PortolanServices
import Testing

@Suite struct DrawPlanSizeTrialsTests {
    private static func plan(width: Int = 3000, sizes: LearntSizes = LearntSizes()) throws -> DrawPlan {
        let view = try View.make(width: width, height: 100)
        let layer = try MapLayer(name: "l", content: .wms(WMSPlannerTests.source()))
        return MapPlanner(viewport: view, showsLegend: true).knowing(sizes).plan([layer])
    }

    @Test func `images are told whose service states no size, in drawing order`() throws {
        let service = try WMSPlannerTests.source().request.baseURL
        let plan = try Self.plan()
        #expect(plan.triedImages.map(\.url) == plan.shownURLs && plan.triedImages.map(\.layer) == ["l"])
        #expect(plan.triedImages.first?.trial == SizeTrial(service: service, nextSide: 2048))
        var sizes = LearntSizes()
        sizes.note(2048, of: service)
        let smaller = try Self.plan(sizes: sizes)
        #expect(smaller.triedImages.map(\.trial.nextSide) == [1024, 1024])
        guard case .mosaics(let mosaics) = smaller.steps[0].content else { return }
        #expect(mosaics.first?.size == ImageSize(width: 3000, height: 100))
    }

    @Test func `a layer whose images were refused has the service's words as a warning`() throws {
        let plan = try Self.plan()
        let warned = plan.warning(ofRefusals: ["l": "too large", "other": "no"])
        #expect(warned.warnings.map(\.description) == ["layer 'l': asked again in smaller pieces, since too large"])
        #expect(warned.steps == plan.steps && warned.legend != nil && warned.legend == plan.legend)
        #expect(plan.warning(ofRefusals: [:]) == plan)
    }

    @Test func `the legend stays when images are replaced`() throws {
        let plan = try Self.plan(), url = try #require(plan.shownURLs.first)
        let coarser = TileStandIn(
            url: "http://x/", name: "0/0/0", crop: ImageCrop(x: 0, y: 0, imageSize: plan.viewport.size))
        let shown = plan.showing([url: coarser])
        #expect(shown.shownURLs.first == "http://x/" && shown.legend != nil && shown.legend == plan.legend)
    }
}
