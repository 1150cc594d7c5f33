import Foundation
import Portolan
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanTesting
import PortolanWeb
import TestHelpers
import Testing

@Suite struct MapStateTests {
    private let places = """
        {"type":"FeatureCollection","features":[
         {"type":"Feature","id":"a","geometry":{"type":"Point","coordinates":[24.9,60.1]},"properties":{"type":"poi"}},
         {"type":"Feature","id":"b","geometry":{"type":"Point","coordinates":[25.1,60.3]},"properties":{"type":"poi"}}]}
        """

    private func facade(width: Int = 400, height: Int = 300) throws -> MapFacade {
        let transport = StubTransport { request throws(FetchError) in
            throw FetchError(.cannotConnect, url: request.url, detail: "nobody is there")
        }
        var configuration = RendererConfiguration()
        configuration.retries = .none
        configuration.usesSystemFonts = false
        return try MapFacade(
            width: width, height: height, renderer: MapRenderer(configuration: configuration, transport: transport))
    }

    private var source: String { "data:application/geo+json;base64," + Data(places.utf8).base64EncodedString() }

    private func map() async throws -> MapFacade {
        let map = try facade()
        try await map.addLayer(LayerSpecification("xyz:https://t.example/{z}/{x}/{y}.png;name=base;opacity=0.5"))
        try await map.addLayer(
            LayerSpecification(kind: .features, source: source, values: ["name": "places", "stroke": "#f00"]))
        map.addPOI(id: "mine", coordinate: Coordinate(longitude: 25, latitude: 60.2), name: "Mine")
        try map.center(on: Coordinate(longitude: 25, latitude: 60.2), zoom: 9.3)
        try map.rotate(to: 30)
        map.limits.zoomRange = 2...17
        try map.updateLayer(named: "base") {
            $0.isVisible = false
            $0.group = MapLayer.Group("ground", isVisible: false, opacity: 0.4)
            $0.maximumResolution = Resolution(unitsPerPixel: 611)
        }
        _ = try map.selectFeature(id: "b")
        return map
    }

    @Test func `a state saved on exit is restored at start`() async throws {
        let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "state-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/state.json"
        let fresh = try facade(), view = fresh.viewport
        #expect(try await fresh.restoreState(from: path).isEmpty && fresh.viewport == view)
        let before = try await map()
        before.advance(to: .seconds(1))
        before.advance(to: .seconds(2))
        try before.pan(x: 100, y: 50)
        before.advance(to: .seconds(3))
        before.advance(to: .seconds(4))
        #expect(try before.saveState(to: path).isEmpty)
        let map = try facade()
        map.addPOI(id: "mine", coordinate: Coordinate(longitude: 25, latitude: 60.2), name: "Mine")
        #expect(try await map.restoreState(from: path).isEmpty)
        #expect(map.state == before.state)
        #expect(map.viewport == before.viewport && map.limits == before.limits)
        #expect(map.layers.map(\.name) == ["base", "places", "vectors"])
        #expect(map.layers[0].isVisible == false && map.layers[0].opacity == 0.5)
        #expect(map.layers == before.layers)
        #expect(map.selectedFeature?.id == "b")
        let previous = map.controls.history.views[map.controls.history.position - 1]
        #expect(map.goBack(at: .zero))
        #expect(map.controls.destination == previous)
    }

    @Test func `a written state is read back unchanged`() async throws {
        let state = try await map().state, (bytes, warnings) = state.encoded()
        #expect(warnings.isEmpty)
        #expect(try MapState(bytes: bytes) == state)
        #expect(state.layers.map(\.specification?.kind) == [.xyz, .features, nil])
    }

    @Test func `a restored view in another size keeps centre and scale`() async throws {
        let state = try await map().state, small = try facade(width: 200, height: 100)
        await small.restore(state)
        #expect(small.viewport.center == state.view.center && small.viewport.resolution == state.view.resolution)
        #expect("\(small.viewport.size)" == "200x100")
        #expect(small.controls.history.views.allSatisfy { "\($0.size)" == "200x100" })
    }

    @Test func `layers that cannot be restored are reported, and the rest is restored`() async throws {
        let before = try await map()
        try before.add(MapLayer(name: "by hand", source: FeatureSource(features: [])))
        try before.updateLayer(named: "places") { $0.source = FeatureSource(features: []) }
        var state = before.state
        state.layers.append(
            .init(
                name: "gone", isVisible: true, opacity: 1,
                specification: try LayerSpecification("mbtiles:/none/a.mbtiles")))
        state.layers.append(
            .init(
                name: "unreachable", isVisible: true, opacity: 1,
                specification: try LayerSpecification("wms:https://t.example/wms;layers=a")))
        let map = try facade(), warnings = await map.restore(state)
        #expect(
            warnings.map(\.code) == [.notRestored, .notRestored, .notRestored, .notRestored, .service, .notRestored],
            "\(warnings)")
        #expect(warnings.compactMap(\.layer).sorted() == ["by hand", "places", "places", "unreachable", "vectors"])
        #expect(map.layers.map(\.name) == ["base"] && map.viewport.rotation == 30)
        #expect(map.selectedFeature == nil)
    }

    @Test func `restored layers keep their order, and other layers stay above them`() async throws {
        let state = try await map().state, map = try facade()
        try map.add(MapLayer(name: "new", source: FeatureSource(features: [])))
        try map.add(MapLayer(name: "places", source: FeatureSource(features: [])))
        map.addPOI(id: "mine", coordinate: Coordinate(longitude: 25, latitude: 60.2), name: "Mine")
        await map.restore(state)
        #expect(map.layers.map(\.name) == ["base", "places", "new", "vectors"])
        #expect(map.layer(named: "places")?.specification == nil)
    }

    @Test func `secrets are not saved, and the origin of a source is`() async throws {
        var state = try await map().state
        let base = BaseURL("https://maps.example/context.json")
        let document = try MapDocument(
            bytes: Array(#"{"layers": [{"xyz": "https://t.example/{z}/{x}/{y}?key=hidden1", "name": "theirs"}]}"#.utf8),
            base: base)
        state.layers = document.layers.map { .init(name: $0.name, isVisible: true, opacity: 1, specification: $0) }
        let (bytes, warnings) = state.encoded()
        #expect(warnings.map(\.code) == [.credentials] && !String(decoding: bytes, as: UTF8.self).contains("hidden"))
        let read = try #require(try MapState(bytes: bytes).layers.first?.specification)
        let server = NamedURL.Origin.document(NamedURL.RemoteDocument(host: "maps.example"))
        #expect(read.origin == server)
        // A document on this machine is no way round either.
        let copy = try MapDocument(bytes: document.encoded().bytes, path: "/maps/map.json")
        #expect(copy.layers.map(\.origin) == [server])
    }

    @Test(
        arguments: [
            ("", "empty"), ("{}", "not a map state"), (#"{"state": 0}"#, "not a map state"),
            (#"{"state": 1}"#, "'view' must be a view"),
            (#"{"state": 1, "view": VIEW}"#, "'layers'"), (#"{"state": 1, "view": VIEW, "layers": [1]}"#, "layer 1"),
            (#"{"state": 1, "view": VIEW, "layers": [{"name": "a", "visible": true, "opacity": 2}]}"#, "layer 1"),
            (#"{"state": 1, "view": VIEW, "layers": [], "mood": 1}"#, "unknown key 'mood'"),
            (#"{"state": 1, "view": VIEW, "layers": [], "limits": 1}"#, "'limits'"),
            (#"{"state": 1, "view": VIEW, "layers": [], "selected": 1}"#, "'selected'"),
            (#"{"state": 1, "view": VIEW, "layers": [], "history": {"views": [], "position": 0}}"#, "'history'"),
            (#"{"state": 1, "view": VIEW, "layers": [], "history": {"views": [{}], "position": 0}}"#, "'history'"),
            (#"{"state": 1, "view": VIEW, "layers": [], "home": {"crs": "EPSG:1"}}"#, "'home'"),
            (
                #"{"state": 1, "view": VIEW, "layers": [{"name": "a", "visible": true, "opacity": 1, "made-of": {"wms": "x"}}]}"#,
                "layer 1: "
            ),
        ])
    func `damaged data is an error that names the damaged part`(text: String, words: String) async throws {
        let view =
            #"{"crs": "EPSG:3857", "x": 1, "y": 2, "resolution": 3, "rotation": 0, "size": [4, 5], "pixel-ratio": 1}"#
        do {
            _ = try MapState(bytes: Array(text.replacing("VIEW", with: view).utf8))
            Issue.record("the state was taken")
        } catch {
            #expect("\(error)".hasPrefix("the state of the map"))
            #expect("\(error)".contains(words), "\(error)")
        }
        let newer = #"{"state": 2, "view": \#(view), "layers": [], "mood": 1}"#
        #expect(try MapState(bytes: Array(newer.utf8)).warnings.map(\.code) == [.newerVersion, .unknownKey])
    }

    @Test func `a remote document is fetched and its references resolved`() async throws {
        let client = ServiceClient(
            transport: StubTransport { request throws(FetchError) in
                HTTPResponse(status: 200, body: Array(#"{"layers": [{"source": "a.geojson"}]}"#.utf8), url: request.url)
            })
        let document = try await client.mapDocument(from: "https://maps.example/b/map.json")
        #expect(document.layers.map(\.source) == ["https://maps.example/b/a.geojson"])
    }

    @Test func `an opened document adds its layers on top of the existing ones`() async throws {
        let map = try facade()
        try map.add(MapLayer(name: "under", source: FeatureSource(features: [])))
        let document = try MapDocument(
            bytes: Array(
                """
                {"size": [9, 9], "center": [25, 60.2], "zoom": 9, "rotation": 10, "home": {"center": [24, 60], "zoom": 4},
                 "limits": {"max-zoom": 12}, "selected": {"layer": "places", "feature": "a"},
                 "layers": [{"xyz": "https://t.example/{z}/{x}/{y}.png", "visible": false}, {"source": "\(source)", "name": "places"}]}
                """.utf8), path: "/maps/map.json")
        #expect(try await map.open(document).isEmpty)
        #expect(map.layers.map(\.name) == ["under", "xyz", "places"] && !map.layers[1].isVisible)
        #expect("\(map.viewport.size)" == "400x300" && map.viewport.rotation == 10)
        #expect(abs(map.viewport.resolution.zoom(in: .webMercator) - 9) < 1e-9)
        #expect(abs(map.controls.history.home.resolution.zoom(in: .webMercator) - 4) < 1e-9)
        #expect(map.selectedFeature?.id == "a" && map.limits.zoomRange == -30...12)
        await #expect(throws: MapError.duplicateLayer("xyz")) { try await map.open(document) }
        await #expect(throws: MapError.self) { try await map.addLayer(LayerSpecification("mbtiles:/none/a.mbtiles")) }
    }
}
