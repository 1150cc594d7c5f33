import Foundation
import Portolan
import PortolanFeatures
import PortolanPlan
import PortolanRaster
import PortolanTesting
import PortolanWeb
import Testing

@Suite(.timeLimit(.minutes(20))) struct MapFacadeFeaturesTests {
    static func vectors(_ map: MapFacade) -> [Feature] {
        if let source = map.vectorLayer.features { source.features } else { [] }
    }

    /// Zaragoza in ETRS89 / UTM 30N by PROJ: −0.87734, 41.65606.
    @Test func `a document in UTM is placed correctly`() throws {
        let map = try MapFacadeTests.facade()
        let text = """
            {"type": "FeatureCollection", "crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::25830"}},
             "features": [{"type": "Feature", "id": 7, "properties": {}, "geometry":
              {"type": "Point", "coordinates": [676741.893349485, 4613766.670579845]}}]}
            """
        let added = try map.addFeatures(Array(text.utf8), fitting: true)
        #expect(added.name == "vectors" && added.features?.effectiveCRS.name == "EPSG:25830")
        let place = try #require(Self.vectors(map).first?.geometry?.coordinates.first)
        #expect(abs(place.x + 0.87734) < 1e-9 && abs(place.y - 41.65606) < 1e-9)
        #expect(abs(map.viewport.center.x + 97_665.042052571) < 1e-3)
        #expect(abs(map.viewport.center.y - 5_109_597.327884230) < 1e-3)
        #expect(map.feature(id: 7) != nil)
    }

    @Test func `a document that cannot be read changes nothing`() throws {
        let map = try MapFacadeTests.facade()
        #expect(throws: MapError.self) { try map.addFeatures(Array("{\"type\": \"Feat".utf8), fitting: true) }
        let strange = """
            {"type": "FeatureCollection", "crs": {"type": "name", "properties": {"name": "EPSG:27200"}}, "features":
             [{"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [1, 2]}}]}
            """
        #expect(throws: MapError.self) { try map.addFeatures(Array(strange.utf8)) }
        #expect(Self.vectors(map).isEmpty)
    }

    @Test func `icon paths are resolved against the document`() async throws {
        let icon = try World.png(.black, 10, 10)
        let transport = StubTransportOfIcons.make(icon)
        let map = try MapFacadeTests.facade(transport: transport)
        let text = """
            {"type": "Feature", "id": "p", "geometry": {"type": "Point", "coordinates": [0, 0]}, "properties":
             {"style": {"default": {"externalGraphic": "i/a.png"}}}}
            """
        try map.addFeatures(Array(text.utf8), baseURL: "http://h/routes/r.json")
        let result = try await map.refresh()
        #expect(transport.requests.map(\.url) == ["http://h/routes/i/a.png"])
        #expect(result.image[128, 128] == Pixel(.black))
    }

    @Test func `features of a Shapefile are added like those of a document`() async throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/world/lakes.shp").path
        let map = try MapFacadeTests.facade()
        let added = try await map.addFeatures(from: path)
        #expect((added.features?.features.count ?? 0) > 10)
        #expect(map.vectorLayer.features?.features.count == added.features?.features.count)
        let layer = try await map.addFeatureLayer(from: path, named: "lakes", fitting: true)
        #expect(layer.names == ["lakes"] && layer.features?.features.count == added.features?.features.count)
    }

    @Test func `the first point of interest of a map has a label, as the others do`() throws {
        let map = try MapFacadeTests.facade()
        for id in ["a", "b"] {
            let place = Coordinate(longitude: 1, latitude: 2)
            let added = map.addPOI(id: .string(id), coordinate: place, name: id)
            let feature = try #require(added.features?.features.first)
            var warnings: [MapWarning] = []
            #expect(StyleResolver().style(for: feature, warnings: &warnings).label?.template == "${name}", "\(id)")
        }
    }

    @Test func `a point of interest keeps its given properties`() throws {
        let map = try MapFacadeTests.facade()
        let place = Coordinate(longitude: 1, latitude: 2)
        let feature = try #require(
            map.addPOI(
                id: "p", coordinate: place, name: "Name", description: "Words", icon: "/i.png", isSelectable: false,
                isNavigable: false
            ).features?.features.first)
        let point = try #require(feature.pointOfInterest)
        #expect(point.name == "Name" && point.description == "Words" && point.coordinate == place)
        #expect(!point.isSelectable && !point.isNavigable)
        #expect(map.feature(id: "p") == feature && Self.vectors(map) == [feature])
        var warnings: [MapWarning] = []
        let style = StyleResolver().style(for: feature, warnings: &warnings)
        guard case .icon(let icon) = style.marker else {
            Issue.record("no icon")
            return
        }
        #expect(icon.source == .url("file:///i.png") && warnings.isEmpty)
    }

    @Test func `lines, areas and points have their given styles`() throws {
        let map = try MapFacadeTests.facade()
        let places = [Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 1), Coordinate(x: 1, y: 0), Coordinate(x: 0, y: 0)]
        let stroke = LineSymbol(color: MapColor(red: 16, green: 32, blue: 48), width: 7)
        let line = try #require(
            map.addLine(id: "l", through: places, name: "Way", style: Style(stroke: stroke)).features?.features.first)
        let area = try #require(
            map.addPolygon(id: "a", rings: [places], style: Style(fill: FillSymbol(color: .white))).features?.features
                .first)
        let marker = MarkerSymbol.shape(ShapeMarker(shape: .star, radius: 5, fill: FillSymbol(color: .black)))
        map.addPOI(id: "p", coordinate: places[0], name: "P", style: Style(marker: marker))
        map.addLine(id: "m", through: places)
        #expect(line.title == "Way" && line.geometry?.coordinates == places)
        #expect(area.geometry?.kind == .polygon)
        let plan = MapPlanner(viewport: map.viewport).plan(map.layers)
        let styles = plan.layers.flatMap(\.plan.nodes).flatMap(\.featureSteps).flatMap(\.features).map(\.style)
        #expect(styles.count == 4 && styles[0] == Style(stroke: stroke))
        #expect(styles[1].fill?.color == .white && styles[2].marker == marker && styles[3].stroke != nil)
    }

    @Test func `a marker can be moved`() throws {
        let map = try MapFacadeTests.facade()
        map.addPOI(id: "p", coordinate: Coordinate(x: 0, y: 0), name: "P")
        try map.moveMarker(id: "p", to: Coordinate(longitude: 90, latitude: 0))
        #expect(map.feature(id: "p")?.geometry == .point(Coordinate(longitude: 90, latitude: 0)))
        #expect(map.touch(Point(x: 192, y: 128))?.id == "p")
        #expect(throws: MapError.noSuchFeature("q")) { try map.moveMarker(id: "q", to: Coordinate(x: 0, y: 0)) }
    }

    @Test func `a feature is removed once`() throws {
        let map = try MapFacadeTests.facade()
        map.addPOI(id: "p", coordinate: Coordinate(x: 0, y: 0), name: "P")
        #expect(map.removeFeature(id: "p") && !map.removeFeature(id: "p"))
        #expect(map.feature(id: "p") == nil)
    }

    @Test func `the topmost layer's feature is found first`() throws {
        let map = try MapFacadeTests.facade()
        for name in ["low", "high"] {
            let feature = Feature(id: "x", geometry: nil, properties: ["name": .string(name)])
            try map.add(MapLayer(name: name, source: FeatureSource(features: [feature])))
        }
        #expect(map.feature(id: "x")?.title == "high")
    }
}
