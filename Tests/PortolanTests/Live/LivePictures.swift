import Foundation
import PortolanPlan
import PortolanRaster
import Testing

@testable import Portolan

/// The pictures of live layers.
enum LivePictures {
    static func view(
        _ place: Coordinate, zoom: Double = 14, rotation: Double = 0, crs: CRS = .webMercator
    ) throws
        -> Viewport
    {
        let center = try #require(try CoordinateTransform(from: .crs84, to: crs)(place))
        return try Viewport(
            center: center, resolution: #require(Resolution(zoom: zoom, in: crs)), rotation: rotation,
            size: #require(ImageSize(width: 400, height: 300)), crs: crs)
    }

    /// The picture of a layer in a view around the origin.
    static func nodes(_ layer: LiveLayer, in view: Viewport? = nil) throws -> [Scene.Node] {
        let view = try view ?? self.view(Coordinate(x: 0, y: 0))
        return try layer.plan(for: LayerView(view, layer: "live"), given: Arrivals()).nodes
    }

    static func ids(_ nodes: [Scene.Node]) -> Set<Feature.ID> {
        Set(nodes.flatMap(\.featureSteps).flatMap(\.features).compactMap(\.feature.id))
    }

    /// Where the beaks point, by object.
    static func directions(_ nodes: [Scene.Node]) -> [Feature.ID: Double] {
        var directions: [Feature.ID: Double] = [:]
        for styled in nodes.flatMap(\.featureSteps).flatMap(\.features) {
            if case .shape(let shape)? = styled.style.marker, let id = styled.feature.id, let beak = shape.beak {
                directions[id] = beak.direction
            }
        }
        return directions
    }
}

@Suite struct LivePictureTests {
    private static func layer(
        _ objects: [LiveLayer.Object], style: LiveLayer.Appearance = LiveLayer.Appearance()
    ) -> LiveLayer {
        var layer = LiveLayer(style: style)
        layer.apply(objects.map { .upsert($0) }, at: LiveLayerTests.start)
        return layer
    }

    private static func object(
        _ id: Feature.ID, _ longitude: Double, _ latitude: Double, kind: String? = nil, course: Double? = nil
    ) -> LiveLayer.Object {
        LiveLayer.Object(
            id: id, fix: LiveLayerTests.fix(longitude, latitude, 0, course: course), kind: kind, label: "\(id)",
            properties: ["plate": "ABC-1"])
    }

    @Test(arguments: [
        (0.0, 0.0, 0.0), (22, 0, 0), (23, 0, 45), (90, 0, 90), (359, 0, 0), (-90, 0, 270), (90, 90, 0), (90, 45, 45),
        (10, 200, 180),
    ])
    func `a heading is drawn in the nearest of eight directions on the picture`(
        course: Double, rotation: Double, direction: Double
    ) throws {
        let object = LiveLayer.Object(
            id: "a", fix: LiveLayerTests.fix(24.9, 60.2, 0, course: course < 0 ? course + 360 : course))
        let view = try LivePictures.view(Coordinate(x: 24.9, y: 60.2), rotation: rotation)
        let nodes = try LivePictures.nodes(Self.layer([object]), in: view)
        #expect(LivePictures.directions(nodes) == ["a": direction])
    }

    /// In UTM zone 35, whose middle is 27° E, the meridian of 19.5° E leans by 7.5 sin 60° = 6.5 degrees to the right.
    @Test func `a heading is corrected for the grid convergence of the projection`() throws {
        var style = LiveLayer.Appearance()
        style.headings = .free
        let zone = try #require(CRS.epsg(25835)), place = Coordinate(x: 19.5, y: 60)
        let view = try LivePictures.view(place, zoom: 12, crs: zone)
        let layer = Self.layer([Self.object("a", 19.5, 60, course: 0)], style: style)
        #expect(LivePictures.directions(try LivePictures.nodes(layer, in: view)) == ["a": 5])
        style.headings = .none
        let plain = Self.layer([Self.object("a", 19.5, 60, course: 0)], style: style)
        #expect(LivePictures.directions(try LivePictures.nodes(plain, in: view)).isEmpty)
    }

    @Test func `a missing heading is derived from the movement`() throws {
        var layer = LiveLayer()
        for (number, place) in [(0.0, 0.0), (0.001, 0.0), (0.001, 0.001), (0.001, 0.001)].enumerated() {
            let time = Double(number) * 10
            layer.apply([.upsert("a", LiveLayerTests.fix(place.0, place.1, time))], at: LiveLayerTests.start + time)
            layer.time = LiveLayerTests.start + time + 5
            let direction = LivePictures.directions(try LivePictures.nodes(layer))["a"]
            #expect(direction == [nil, 90, 0, 0][number])
        }
    }

    @Test func `kinds differ by letters or symbols, not only by colour`() throws {
        var style = LiveLayer.Appearance()
        style.badges["ferry"] = .init(color: .white, symbol: PinSymbol("harbor"))
        style.badges["tram"] = .init(color: .black)
        #expect(style.badge(of: "tram").symbol == PinSymbol("t"))
        #expect(style.badge(of: "ferry").symbol == PinSymbol("harbor"))
        #expect(style.badge(of: "bus").symbol == PinSymbol("b") && style.badge(of: "bus").color == style.badge.color)
        #expect(style.badge(of: nil).symbol == nil && style.badge(of: "").symbol == nil)
        #expect(style.badge(of: "🚋").symbol == nil)
    }

    @Test func `only objects near the view are drawn, in each visible copy of the world`() throws {
        let objects = [
            Self.object("near", 0, 0), Self.object("east", 0.02, 0), Self.object("far", 1, 0),
            Self.object("pole", 0, 90), Self.object("edge", 180, 0), Self.object("west", -179.99, 0),
        ]
        let layer = Self.layer(objects)
        #expect(LivePictures.ids(try LivePictures.nodes(layer)) == ["near", "east"])
        let edge = try LivePictures.view(Coordinate(x: 179.995, y: 0))
        #expect(LivePictures.ids(try LivePictures.nodes(layer, in: edge)) == ["edge", "west"])
        let world = try LivePictures.view(Coordinate(x: 0, y: 0), zoom: 0)
        let nodes = try LivePictures.nodes(layer, in: world)
        #expect(LivePictures.ids(nodes).count >= 5)
        #expect(nodes.flatMap(\.featureSteps).allSatisfy { $0.worldShifts.count > 1 })
    }

    @Test func `a moving object is drawn even if its fix is outside the view`() throws {
        var layer = LiveLayer()
        // A pixel of zoom 18 is 0.6 m: the view is 240 m wide.
        let view = try LivePictures.view(Coordinate(x: 0, y: 0), zoom: 18)
        for (time, longitude) in [(0.0, 0.0), (10, 0.004)] {
            layer.apply([.upsert("a", LiveLayerTests.fix(longitude, 0, time))], at: LiveLayerTests.start + time)
        }
        #expect(LivePictures.ids(try LivePictures.nodes(layer, in: view)) == ["a"])
        layer.time = LiveLayerTests.start + 20
        #expect(LivePictures.ids(try LivePictures.nodes(layer, in: view)).isEmpty)
    }

    @Test func `the selected object is on top, larger, with its age and its last fix`() throws {
        var layer = LiveLayer()
        for (time, longitude) in [(0.0, 0.0), (10, 0.001)] {
            let objects = [
                LiveLayer.Object(id: "a", fix: LiveLayerTests.fix(longitude, 0, time), label: "4"),
                LiveLayer.Object(id: "b", fix: LiveLayerTests.fix(0, -0.001, time), label: "9"),
            ]
            layer.apply(objects.map { .upsert($0) }, at: LiveLayerTests.start + time)
        }
        layer.selection = "a"
        layer.time = LiveLayerTests.start + 15
        let steps = try LivePictures.nodes(layer).flatMap(\.featureSteps)
        #expect(steps.map { $0.features.map(\.feature.id) } == [["b"], ["a", "a", "a"]])
        let parts = steps[1].features
        #expect(parts[0].feature.geometry == .point(Coordinate(x: 0.001, y: 0)))
        #expect(parts[2].feature.geometry == .point(Coordinate(x: 0.0005, y: 0)))
        #expect(parts[2].style.label?.text(for: parts[2].feature.properties) == "4 · 5 s")
    }

    @Test(arguments: [
        (0.0, "0 s"), (119, "119 s"), (120, "2 min"), (7199, "119 min"), (7200, "2 h"), (-5, "0 s"), (.nan, "0 s"),
        (.infinity, "0 s"), (1e300, "277777 h"),
    ])
    func `ages are written in short form`(seconds: Double, text: String) {
        #expect(LiveLayer.Appearance.text(ofAge: seconds) == text)
    }

    @Test func `a legend has one entry per kind whatever the headings`() throws {
        let objects = (0..<8).map { number in
            Self.object(
                .integer(number), Double(number) / 1000, 0, kind: number < 4 ? "bus" : "tram",
                course: Double(number) * 45)
        }
        let layers = [MapLayer(name: "live", source: Self.layer(objects))]
        let planner = MapPlanner(viewport: try LivePictures.view(Coordinate(x: 0, y: 0)), showsLegend: true)
        let legend = try #require(planner.plan(layers).legend)
        guard case .symbols(let symbols, _) = try #require(legend.entries.first).content else {
            Issue.record("no symbols")
            return
        }
        #expect(symbols.map(\.text) == ["bus", "tram"])
    }
}
