import PortolanFeatures
import PortolanGeo
import PortolanRaster
import PortolanStyles
import PortolanWeb
import Testing

@testable import PortolanPlan

@Suite struct PointSourceTests {
    /// A square of points, a degree wide.
    private static func source(_ side: Int, look: PointSource.Look = .points) -> PointSource {
        let features = (0..<side * side).map { number in
            Feature(
                id: .integer(number),
                geometry: .point(
                    Coordinate(
                        x: 10 + Double(number % side) / Double(side), y: 50 + Double(number / side) / Double(side))),
                properties: ["name": .string("p\(number)")])
        }
        return PointSource(PointTable(FeatureCollection(features: features)), look: look)
    }

    private static func view(_ width: Double) throws -> LayerView {
        let extent = try #require(
            Extent(minX: 10.5 - width / 2, minY: 50.2, maxX: 10.5 + width / 2, maxY: 50.2 + width))
        let size = try #require(ImageSize(width: 256, height: 256))
        return LayerView(try Viewport.showing(extent, size: size, crs: .crs84), layer: "p")
    }

    @Test func `few points become features, and many become marks`() throws {
        let source = Self.source(100)
        let few = try source.plan(for: try Self.view(0.02), given: Arrivals())
        let shown = few.nodes.flatMap(\.featureSteps).flatMap(\.features)
        #expect(few.nodes.flatMap(\.pointSteps).isEmpty)
        #expect(!shown.isEmpty)
        #expect(shown.count <= 2000)
        let many = try source.plan(for: try Self.view(2), given: Arrivals())
        #expect(many.nodes.flatMap(\.featureSteps).isEmpty)
        #expect(many.nodes.flatMap(\.pointSteps).map(\.count) == [10_000])
        #expect(many.warnings.isEmpty)
        var named = source
        named.style.label = "${name}"
        let names = try named.plan(for: try Self.view(2), given: Arrivals()).nodes.flatMap(\.featureSteps)
        #expect(names.map(\.features.count) == [10_000])
    }

    @Test func `points over the label limit become marks, with a warning`() throws {
        var source = Self.source(320)
        source.style.label = "${name}"
        let plan = try source.plan(for: try Self.view(2), given: Arrivals())
        #expect(
            plan.nodes.flatMap(\.pointSteps).map(\.count) == [102_400] && plan.warnings.map(\.code) == [.simplified])
    }

    @Test func `a point is found where it is drawn, and the selected one is drawn as selected`() throws {
        var source = Self.source(100)
        source.selection = .integer(5000)
        let steps = try source.plan(for: try Self.view(0.02), given: Arrivals()).nodes.flatMap(\.featureSteps)
        #expect(steps.flatMap(\.features).filter(\.isSelected).map(\.feature.id) == [])
        let around = try #require(Extent(minX: 9.99, minY: 50.49, maxX: 10.01, maxY: 50.51))
        let view = LayerView(
            try Viewport.showing(around, size: try #require(ImageSize(width: 64, height: 64)), crs: .crs84), layer: "p")
        let near = try source.plan(for: view, given: Arrivals()).nodes.flatMap(\.featureSteps)
        #expect(near.flatMap(\.features).filter(\.isSelected).map(\.feature.id) == [.integer(5000)])
    }

    @Test func `clusters are labelled with their counts, and single points keep their properties`() throws {
        var source = Self.source(20, look: .clusters())
        let plan = try source.plan(for: try Self.view(2), given: Arrivals())
        let features = plan.nodes.flatMap(\.featureSteps).flatMap(\.features)
        let counts = features.map { $0.feature.properties["point_count"]?.integerValue ?? 1 }
        #expect(counts.reduce(0, +) == 400)
        #expect(features.count < 100)
        let cluster = try #require(features.first { $0.feature.properties["cluster"] == true })
        #expect(cluster.style.label != nil)
        #expect(cluster.feature.id != nil)
        let close = try source.plan(for: try Self.view(0.05), given: Arrivals()).nodes.flatMap(\.featureSteps)
        let lone = close.flatMap(\.features).filter { $0.feature.properties["cluster"] == nil }
        #expect(!lone.isEmpty)
        #expect(lone.allSatisfy { $0.feature.properties["name"] != nil })
        // A style sheet tells them apart by their properties.
        let sheet = """
            {"version":8,"layers":[{"id":"c","type":"circle","filter":["has","point_count"],
            "paint":{"circle-radius":["step",["get","point_count"],5,10,9]}}]}
            """
        source.sheet = try StyleSheet(bytes: Array(sheet.utf8))
        let drawn = try source.plan(for: try Self.view(2), given: Arrivals())
        let styled = drawn.nodes.flatMap(\.featureSteps)
        #expect(drawn.warnings.isEmpty)
        #expect(styled.flatMap(\.shown).count == counts.count { $0 > 1 })
    }

    @Test func `a heatmap includes the points within its radius of the view`() throws {
        let source = Self.source(50, look: .heatmap(PointSource.Heatmap(radius: 10)))
        let plan = try source.plan(for: try Self.view(0.1), given: Arrivals()),
            step = try #require(plan.nodes.first?.pointSteps.first)
        #expect(step.count < 2500)
        #expect(step.look == .heatmap(PointSource.Heatmap(radius: 10)))
    }

    @Test func `points are drawn in each copy of the world in view`() throws {
        let size = try #require(ImageSize(width: 2000, height: 256))
        let viewport = try Viewport(
            center: Coordinate(x: 0, y: 0), resolution: try #require(Resolution(unitsPerPixel: 0.5)), size: size,
            crs: .crs84)
        let step = try #require(
            try Self.source(60).plan(for: LayerView(viewport, layer: "p"), given: Arrivals()).nodes.first?.pointSteps
                .first)
        #expect(step.worldShifts == [-720, -360, 0, 360, 720].filter { abs($0) < 720 } || step.worldShifts.count >= 3)
        #expect(step.count == 3600)
    }

    @Test(arguments: [
        (2, "2"), (999, "999"), (1000, "1k"), (1149, "1.1k"), (9949, "9.9k"), (9950, "10k"), (99_499, "99k"),
        (999_499, "999k"), (999_500, "1M"), (12_345_678, "12M"),
    ])
    func `large numbers are abbreviated`(_ count: Int, _ text: String) {
        #expect(PointSource.abbreviated(count) == text)
    }

    @Test func `sources of one table are equal if they draw the same`() {
        let source = Self.source(3)
        var other = source
        #expect(source == other)
        other.look = .clusters(radius: 40)
        #expect(source != other)
        #expect(source != Self.source(3))
    }
}
