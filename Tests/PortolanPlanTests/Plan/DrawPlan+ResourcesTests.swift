import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import Testing

@Suite struct DrawPlanResourcesTests {
    static func placement(_ url: String) throws -> ImagePlacement {
        try ImagePlacement(url: url, name: "n-\(url)", x: 0, y: 0, size: #require(ImageSize(width: 1, height: 1)))
    }

    static func mosaic(_ shown: [String], margin: [String] = []) throws -> DrawStep.Content {
        try .mosaics([
            Mosaic(
                crs: .webMercator, topLeft: Coordinate(x: 0, y: 0), resolutionX: 1, resolutionY: 1,
                size: #require(ImageSize(width: 1, height: 1)), images: shown.map(placement),
                margin: margin.map(placement))
        ])
    }

    static func icons(_ urls: [String?]) -> DrawStep.Content {
        .features(
            FeatureStep(
                crs: .crs84,
                features: urls.map {
                    StyledFeature(feature: Feature(geometry: nil), style: Style(), iconURL: $0, isSelected: false)
                }))
    }

    static func plan(_ contents: [DrawStep.Content], attributions: [String?] = []) throws -> DrawPlan {
        try DrawPlan(
            viewport: View.make(), background: .white,
            steps: contents.enumerated().map { number, content in
                DrawStep(
                    layer: "\(number)", kind: "k", opacity: 1,
                    attribution: attributions.indices.contains(number) ? attributions[number] : nil, content: content)
            })
    }

    @Test func `what is shown is listed once, in drawing order`() throws {
        let plan = try Self.plan([
            Self.mosaic(["b", "a", "b"]), Self.icons(["i", nil, "a", "i"]), Self.mosaic(["c", "i"]),
        ])
        #expect(plan.shownURLs == ["b", "a", "i", "c"])
    }

    @Test func `what lies beside the view is listed once and not when it is shown`() throws {
        let plan = try Self.plan([
            Self.mosaic(["a"], margin: ["m", "b", "m"]), Self.mosaic(["b"], margin: ["a", "n", "m"]),
        ])
        #expect(plan.marginURLs == ["m", "n"])
    }

    @Test func `attributions are named once, bottom first`() throws {
        let plan = try Self.plan(
            [Self.icons([]), Self.icons([]), Self.icons([]), Self.icons([]), Self.icons([])],
            attributions: ["B", nil, "", "A", "B"])
        #expect(plan.attributions == ["B", "A"])
    }

    @Test func `a step without features draws none`() throws {
        #expect(try !Self.plan([Self.mosaic(["a"]), Self.icons([])]).hasFeatures)
        #expect(try Self.plan([Self.icons([nil])]).hasFeatures)
    }
}
