import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanStyles
import PortolanWeb
import TestHelpers
import Testing

/// Whole styles: their layers in order, each with its source.
@Suite struct StyleSourceTests {
    private static let document = #"""
        {"version": 8, "sources": {"a": {"type": "geojson"}, "b": {"type": "geojson"},
         "photo": {"type": "raster"}, "map": {"type": "raster"}},
         "layers": [
          {"id": "photo", "type": "raster", "source": "photo"},
          {"id": "veil", "type": "background", "paint": {"background-color": "#123456", "background-opacity": 0.5}},
          {"id": "edge", "type": "line", "source": "a"},
          {"id": "other", "type": "line", "source": "b", "paint": {"line-color": "red"}},
          {"id": "map", "type": "raster", "source": "map", "paint": {"raster-opacity": 0.25}},
          {"id": "again", "type": "line", "source": "a", "minzoom": 14},
          {"id": "gone", "type": "line", "source": "a", "maxzoom": 3}
         ]}
        """#

    private static func line(_ id: Feature.ID) -> FeatureSource {
        FeatureSource(features: [
            Feature(id: id, geometry: .lineString([Coordinate(x: 24.8, y: 60.2), Coordinate(x: 25, y: 60.2)]))
        ])
    }

    private static func tiles(_ host: String) throws -> TileSource {
        TileSource(
            grid: try #require(TileGrid.webMercator(levels: 0...19)),
            address: .xyz(try XYZTemplate("https://\(host)/{z}/{x}/{y}.png")))
    }

    private static func source() throws -> StyleSource {
        StyleSource(
            try StyleSheet(bytes: Array(document.utf8)),
            sources: [
                "a": line("a"), "b": line("b"), "photo": try tiles("photo.example"), "map": try tiles("map.example"),
            ])
    }

    private static func plan(_ source: StyleSource, zoom: Double = 16) throws -> LayerPlan {
        let plan = MapPlanner(viewport: try View.slippy(24.9, 60.2, zoom: zoom)).plan([
            MapLayer(name: "city", source: source)
        ])
        return try #require(plan.layers.first?.plan)
    }

    /// A source with a sprite, and a line in a system.
    private static func withSprites(_ crs: CRS = .crs84) throws -> StyleSource {
        let sheet = try StyleSheet(
            bytes: Array(
                #"""
                {"version": 8, "sprite": "https://maps.example/icons", "sources": {"a": {"type": "geojson"}},
                 "layers": [{"id": "edge", "type": "line", "source": "a"},
                            {"id": "mark", "type": "symbol", "source": "a", "layout": {"icon-image": "star"}}]}
                """#.utf8))
        let features = FeatureSource(
            features: [Feature(geometry: .lineString([Coordinate(x: 24.8, y: 60.2), Coordinate(x: 25, y: 60.2)]))],
            crs: crs)
        return StyleSource(sheet, sources: ["a": features])
    }

    private static func answers(_ plan: MapPlan) -> Arrivals {
        var arrivals = Arrivals()
        for resource in plan.resources {
            arrivals[resource.id] = .failure(ResourceError(.status, status: 404, place: "maps.example", message: "no"))
        }
        return arrivals
    }

    @Test func `a draft leaves out layers that wait for sprites, with the same final result`() throws {
        let viewport = try View.slippy(24.9, 60.2, zoom: 16), traits = ServiceTraits()
        let layers = [MapLayer(name: "city", source: try Self.withSprites())]
        let whole = MapPlanner(viewport: viewport, traits: traits)
        let drafts = MapPlanner(viewport: viewport, traits: traits, drafts: true)
        let first = whole.plan(layers), draft = drafts.plan(layers)
        #expect(draft.layers[0].plan.nodes.isEmpty && !first.layers[0].plan.nodes.isEmpty)
        #expect(draft.resources == first.resources)
        #expect(draft.resources.count == 2)
        #expect(
            drafts.plan(draft, given: Self.answers(draft)) == whole.plan(first, given: Self.answers(first)))
        // Without sprites nothing is waited for.
        let plain = [MapLayer(name: "city", source: try Self.source())]
        #expect(drafts.plan(plain) == whole.plan(plain))
    }

    @Test func `a layer that cannot be drawn is reported even if the draft did not find out`() throws {
        let viewport = try View.slippy(24.9, 60.2, zoom: 16)
        let layers = [MapLayer(name: "city", source: try Self.withSprites(CRS("EPSG:27200")))]
        let drafts = MapPlanner(viewport: viewport, traits: ServiceTraits(), drafts: true)
        let draft = drafts.plan(layers), plan = drafts.plan(draft, given: Self.answers(draft))
        #expect(draft.layers.count == 1)
        #expect(plan.layers.isEmpty)
        #expect(plan.warnings.map(\.code) == [.notDrawn])
        #expect(plan.warnings == MapPlanner(viewport: viewport).plan(layers).warnings)
    }

    @Test func `layers are drawn in the order of the style, whatever their type`() throws {
        let names = try Self.plan(Self.source()).nodes.map { node in
            switch node {
            case .mosaic: "picture"
            case .group(let opacity, let nodes): "\(opacity) of \(nodes.count)"
            case .features(let step): step.features.first?.feature.id?.description ?? "background"
            case .points: "points"
            }
        }
        #expect(names == ["picture", "background", "a", "b", "0.25 of 1", "a"])
    }

    @Test func `a layer is drawn only at its zooms`() throws {
        // At zoom 14 of tiles of 256 pixels that of the style is 13.
        #expect(try Self.plan(Self.source(), zoom: 14).nodes.count == 5)
        #expect(try Self.plan(Self.source(), zoom: 15).nodes.count == 6)
    }

    @Test func `tiles of two sources at one position are distinguished`() throws {
        let plan = try Self.plan(Self.source()), identities = Set(plan.resources.map(\.id))
        #expect(identities.count == plan.resources.count)
        #expect(!plan.resources.isEmpty)
        #expect(Set(identities.map(\.part)) == ["photo", "map"])
        #expect(Set(identities.map(\.layer)) == ["city"])
        for node in plan.nodes.flatMap(\.mosaics) {
            #expect(node.images.allSatisfy { identities.contains($0.resource) })
        }
    }

    @Test func `the steps of all layers and sources have distinct and stable content IDs`() throws {
        let source = try Self.source()
        let first = try Self.plan(source).nodes.flatMap(\.featureSteps).map(\.contentID)
        #expect(Set(first).count == 4)
        // The area of the background is recreated each time.
        #expect(try Self.plan(source).nodes.flatMap(\.featureSteps).map(\.contentID).dropFirst() == first.dropFirst())
    }

    @Test func `a selected feature is drawn as selected in all layers of its source`() throws {
        var source = try Self.source()
        source.selection = "a"
        let steps = try Self.plan(source).nodes.flatMap(\.featureSteps)
        #expect(steps.map { $0.features.map(\.isSelected) } == [[false], [true], [false], [true]])
        #expect(try source != Self.source())
    }

    @Test func `the bounding box contains the features of all sources`() throws {
        let layer = MapLayer(name: "city", source: try Self.source())
        #expect(layer.hasFeatures)
        #expect(!layer.isMisplaced)
        let box = try #require(try MapLayer.boundingBox(of: [layer], in: .crs84))
        #expect(box.minX == 24.8)
        #expect(box.maxX == 25)
        #expect(box.minY == 60.2)
    }

    @Test func `layers with a missing source draw nothing`() throws {
        let sheet = try StyleSheet(bytes: Array(Self.document.utf8))
        let plan = try Self.plan(StyleSource(sheet, sources: ["b": Self.line("b")]))
        #expect(plan.nodes.count == 2)
        #expect(plan.resources.isEmpty)
    }
}
