import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanStyles
import PortolanTestSupport
import Testing

@Suite struct SheetPlannerTests {
    private static func sheet(_ layers: String) throws -> StyleSheet {
        try StyleSheet(bytes: Array(#"{"version": 8, "layers": [\#(layers)]}"#.utf8))
    }

    private static func source(_ layers: String) throws -> FeatureSource {
        func square(_ name: String, _ rank: Int) -> Feature {
            let corners = [(24.89, 60.19), (24.91, 60.19), (24.91, 60.21)]
            return Feature(
                id: .string(name),
                geometry: .polygon([corners.map { Coordinate(longitude: $0.0, latitude: $0.1) }]),
                properties: ["rank": .integer(rank), "class": .string(name)])
        }
        let line = Feature(
            id: "line", geometry: .lineString([Coordinate(x: 24.8, y: 60.2), Coordinate(x: 25, y: 60.2)]))
        var source = FeatureSource(features: [square("park", 2), line, square("wood", 1)])
        source.sheet = try sheet(layers)
        return source
    }

    private static func steps(_ source: FeatureSource, zoom: Double = 12) throws -> [FeatureStep] {
        let plan = MapPlanner(viewport: try View.slippy(24.9, 60.2, zoom: zoom)).plan([
            MapLayer(name: "f", source: source)
        ])
        return plan.layers.first?.plan.nodes.flatMap(\.featureSteps) ?? []
    }

    private static func ids(_ step: FeatureStep) -> [String] { step.features.compactMap { $0.feature.id?.description } }

    @Test func `each layer of the style is a step, in its order, over a background`() throws {
        let steps = try Self.steps(
            Self.source(
                #"""
                {"id": "ground", "type": "background", "paint": {"background-color": "#123"}},
                {"id": "lines", "type": "line"}, {"id": "areas", "type": "fill", "filter": ["==", "class", "wood"]},
                {"id": "dots", "type": "circle"}
                """#))
        #expect(steps.count == 3)
        #expect(steps[0].features.first?.style.fill?.color == Color(red: 0x11, green: 0x22, blue: 0x33))
        #expect(Self.ids(steps[1]) == ["park", "line", "wood"] && Self.ids(steps[2]) == ["wood"])
    }

    @Test func `the borders of areas lie over all areas of their layer`() throws {
        let steps = try Self.steps(
            Self.source(#"{"id": "a", "type": "fill", "paint": {"fill-color": "red", "fill-outline-color": "blue"}}"#))
        #expect(steps.map(Self.ids) == [["park", "wood"], ["park", "wood"]])
        #expect(steps[0].features.allSatisfy { $0.style.fill != nil && $0.style.stroke == nil })
        #expect(steps[1].features.allSatisfy { $0.style.fill == nil && $0.style.stroke?.width == 1 })
    }

    @Test func `features of low sort keys are drawn first, those of equal keys in their order`() throws {
        let sorted = try Self.steps(
            Self.source(#"{"id": "a", "type": "fill", "layout": {"fill-sort-key": ["get", "rank"]}}"#))
        #expect(sorted.map(Self.ids) == [["wood", "park"]])
        let same = try Self.steps(Self.source(#"{"id": "a", "type": "fill", "layout": {"fill-sort-key": 1}}"#))
        #expect(same.map(Self.ids) == [["park", "wood"]])
    }

    @Test func `the zoom of a style is one less than that of tiles, and decides what is drawn how`() throws {
        let source = try Self.source(
            #"{"id": "a", "type": "line", "minzoom": 11, "paint": {"line-width": {"stops": [[11, 1], [13, 5]]}}}"#)
        let widths = try [11.9, 12, 13].map { zoom in
            try Self.steps(source, zoom: zoom).first?.features.first?.style.stroke?.width
        }
        #expect(widths[0] == nil)
        #expect(widths[1].map { abs($0 - 1) < 1e-6 } == true && widths[2].map { abs($0 - 3) < 1e-6 } == true)
    }

    @Test func `outside Mercator the zoom is that at which the ground is as large`() throws {
        let place = Coordinate(longitude: 24.9, latitude: 60.2)
        let utm = try CRS("EPSG:32635"), center = try #require(try CoordinateTransform(from: .crs84, to: utm)(place))
        let mercator = try View.slippy(24.9, 60.2, zoom: 12)
        // A Mercator map shows the ground 1 / cos(latitude) as large.
        let ground = mercator.resolution.unitsPerPixel * 0.49697
        let view = try Viewport(
            center: center, resolution: #require(Resolution(unitsPerPixel: ground)), size: mercator.size, crs: utm)
        #expect(abs(view.styleZoom - 11) < 0.01)
        #expect(abs(mercator.styleZoom - 11) < 1e-9)
    }

    @Test func `the same view is the same picture, and another style another`() throws {
        var source = try Self.source(#"{"id": "a", "type": "fill"}"#)
        let first = try Self.steps(source).map(\.contentID)
        #expect(try Self.steps(source).map(\.contentID) == first)
        #expect(try Self.steps(source, zoom: 12.5).map(\.contentID) != first)
        source.sheet = try Self.sheet(#"{"id": "b", "type": "fill"}"#)
        #expect(try Self.steps(source).map(\.contentID) != first)
    }

    @Test func `what has no value for a feature is told once`() throws {
        let source = try Self.source(#"{"id": "a", "type": "fill", "paint": {"fill-opacity": ["get", "class"]}}"#)
        let plan = MapPlanner(viewport: try View.slippy(24.9, 60.2, zoom: 12)).plan([
            MapLayer(name: "f", source: source)
        ])
        #expect(
            plan.warnings.map(\.message) == [
                "layer 'a', fill-opacity: number expected, but string found; its default is drawn"
            ])
    }
}
