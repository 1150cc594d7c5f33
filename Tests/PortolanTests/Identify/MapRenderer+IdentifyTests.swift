import Portolan
import PortolanFetch
import PortolanGeo
import PortolanTesting
import Testing

@Suite struct MapRendererIdentifyTests {
    /// A server whose capabilities are MapServer's and whose answers are `info`.
    private static func server(_ info: @escaping @Sendable (String) throws -> HTTPResponse) throws -> StubTransport {
        let capabilities = try ServiceClientTests.ok("mapserver/caps-1.3.0.xml")
        return StubTransport { request throws(FetchError) in
            if request.url.contains("GetCapabilities") { return capabilities }
            do { return try info(request.url) } catch {
                throw FetchError(.cannotConnect, url: request.url, detail: "refused")
            }
        }
    }

    private static func layer(_ renderer: MapRenderer, _ names: [String]) async throws -> MapLayer {
        try await renderer.services.wmsLayer(
            named: "wms", url: "http://h/wms", options: WMSOptions(layers: names, urlPolicy: .base)
        ).layer
    }

    private static let square = Geometry.polygon([
        [(-5.0, -5.0), (5, -5), (5, 5), (-5, 5)].map { Coordinate(x: $0.0, y: $0.1) }
    ])

    @Test func `results are ordered by layer from the top, then marks, lines and areas`() async throws {
        let json = try ServiceClientTests.ok("mapserver/info-1.1.1-application-json.json")
        let transport = try Self.server { _ in json }
        let renderer = World.renderer(transport)
        let wms = try await Self.layer(renderer, ["relief", "cities"])
        let features = [
            Feature(id: "p", geometry: .point(Coordinate(x: 0, y: 0))), Feature(id: "area", geometry: Self.square),
            Feature(id: "line", geometry: .lineString([Coordinate(x: -5, y: 0), Coordinate(x: 5, y: 0)])),
            Feature(id: "away", geometry: .point(Coordinate(x: 3, y: 3))),
        ]
        let vectors = MapLayer(name: "v", source: FeatureSource(features: features))
        var hidden = vectors
        hidden.name = "hidden"
        hidden.isVisible = false
        let found = await renderer.identify(
            [wms, try World.tiles(), vectors, hidden], in: try World.view(), pixel: Point(x: 64, y: 64))
        #expect(found.map(\.layer) == ["v", "tiles", "wms"])
        #expect(found.map(\.kind) == ["features", "xyz", "wms"])
        #expect(found[0].features.map(\.feature.id) == ["p", "line", "area"])
        #expect(found[1].outcome == .notQueryable)
        #expect(found[2].features.map(\.feature.properties["NAME"]) == ["Zaragoza", "Delicias"])
        let url = try #require(transport.requests.last?.url)
        #expect(url.contains("REQUEST=GetFeatureInfo&LAYERS=cities&") && url.contains("QUERY_LAYERS=cities&"))
        #expect(url.contains("INFO_FORMAT=application/json&FEATURE_COUNT=10&I=64&J=64"))
    }

    @Test func `an area at the position precedes areas near it`() async throws {
        let beside = Geometry.polygon([
            [(5.5, -5.0), (9, -5), (9, 5), (5.5, 5)].map { Coordinate(x: $0.0, y: $0.1) }
        ])
        let features = [Feature(id: "here", geometry: Self.square), Feature(id: "beside", geometry: beside)]
        let layer = MapLayer(name: "v", source: FeatureSource(features: features)), view = try World.view()
        let toMap = try CoordinateTransform(from: .crs84, to: view.crs)
        let pixel = view.pixel(of: try #require(toMap(Coordinate(x: 4.9, y: 0))))
        var options = IdentifyOptions()
        options.tolerance = 100
        let transport = StubTransport { request throws(FetchError) in
            throw FetchError(.cannotConnect, url: request.url, detail: "refused")
        }
        let found = await World.renderer(transport).identify([layer], in: view, pixel: pixel, options: options)
        #expect(found[0].features.map(\.feature.id) == ["here", "beside"])
    }

    @Test func `WMTS feature info is requested for the tile pixel drawn there`() async throws {
        let capabilities = try ServiceClientTests.ok("mapproxy/wmts-rest-caps.xml")
        let json = try ServiceClientTests.ok("mapserver/info-1.1.1-application-json.json")
        let transport = StubTransport { request throws(FetchError) in
            if request.url.hasSuffix(".json") { return World.answer(500, "internal error") }
            return request.url.hasSuffix(".gml") ? json : capabilities
        }
        let renderer = World.renderer(transport)
        let layer = try await renderer.services.wmtsLayer(
            named: "w", url: "http://127.0.0.1:18081/wmts/1.0.0/WMTSCapabilities.xml",
            options: WMTSOptions(layer: "political", matrixSet: "webmercator")
        ).layer
        let view = try World.view()
        let found = await renderer.identify([layer], in: view, pixel: Point(x: 74.5, y: 84.2))
        #expect(found.map(\.kind) == ["wmts"])
        #expect(found[0].features.map(\.feature.properties["NAME"]) == ["Zaragoza", "Delicias"])
        let asked = transport.requests.map(\.url).filter { $0.contains("/political/") }
        // A format that the service fails in is not the end.
        #expect(asked.first == "http://127.0.0.1:18081/wmts/political/webmercator/04/8/8/10/20.json")
        #expect(asked.last == "http://127.0.0.1:18081/wmts/political/webmercator/04/8/8/10/20.gml")
        var options = IdentifyOptions()
        options.infoFormat = "application/x-none"
        let none = await renderer.identify([layer], in: view, pixel: Point(x: 1, y: 1), options: options)
        guard case .failure(let error)? = none.first?.outcome else {
            Issue.record("\(none)")
            return
        }
        #expect(error.code == .notOffered && error.message.contains("text/plain"))
    }

    @Test func `the feature limit applies to each layer and keeps the topmost ones`() async throws {
        let json = try ServiceClientTests.ok("mapserver/info-1.1.1-application-json.json")
        let transport = try Self.server { _ in json }
        let renderer = World.renderer(transport)
        let points = (0..<5).map { Feature(id: .integer($0), geometry: .point(Coordinate(x: 0, y: 0))) }
        let areas = (5..<8).map { Feature(id: .integer($0), geometry: Self.square) }
        let layers = [
            try await Self.layer(renderer, ["cities"]),
            MapLayer(name: "v", source: FeatureSource(features: points + areas)),
        ]
        var options = IdentifyOptions()
        for (count, ids) in [(2, [4, 3]), (6, [4, 3, 2, 1, 0, 7]), (0, [4]), (-3, [4])] {
            options.featureCount = count
            let found = await renderer.identify(
                layers, in: try World.view(), pixel: Point(x: 64, y: 64), options: options)
            #expect(found[0].features.map(\.feature.id) == ids.map { .integer($0) })
            #expect(transport.requests.last?.url.contains("FEATURE_COUNT=\(max(count, 1))&") == true)
        }
    }

    @Test func `a failing service does not affect the results of other layers`() async throws {
        struct Refused: Error {}
        let failures: [(info: @Sendable (String) throws -> HTTPResponse, words: String)] = [
            ({ _ in throw Refused() }, "refused"),
            ({ _ in World.answer(200, World.exception) }, "no such layer: bäse"),
            ({ _ in World.answer(404, "") }, "404"),
        ]
        for (info, words) in failures {
            let renderer = World.renderer(try Self.server(info))
            let vectors = MapLayer(
                name: "v", source: FeatureSource(features: [Feature(id: "a", geometry: Self.square)]))
            let found = await renderer.identify(
                [vectors, try await Self.layer(renderer, ["cities"])], in: try World.view(), pixel: Point(x: 64, y: 64))
            guard case .failure(let error) = found[0].outcome else {
                Issue.record("no failure")
                return
            }
            #expect((error.inner as? ServiceError)?.code == .unavailable && error.message.contains(words), "\(error)")
            #expect(found[1].features.map(\.feature.id) == ["a"])
        }
    }

    /// Quirk 9: MapProxy offers what its source refuses.
    @Test func `the next format is tried if an offered one is refused`() async throws {
        let refusal = try ServiceClientTests.ok("mapproxy/info-bad-format.txt")
        let text = try ServiceClientTests.ok("mapserver/info-1.1.1-text-plain.txt")
        let transport = try Self.server { url in url.contains("INFO_FORMAT=text/plain") ? text : refusal }
        let renderer = World.renderer(transport)
        let layers = [try await Self.layer(renderer, ["cities"])]
        let found = await renderer.identify(layers, in: try World.view(), pixel: Point(x: 64, y: 64))
        guard case .answer(.text(let words)) = found[0].outcome else {
            Issue.record("\(found)")
            return
        }
        #expect(words.contains("NAME = 'Zaragoza'"))
        // A format that the caller names is not exchanged for another.
        var options = IdentifyOptions()
        options.infoFormat = "gml"
        let named = await renderer.identify(layers, in: try World.view(), pixel: Point(x: 64, y: 64), options: options)
        guard case .failure(let error) = named[0].outcome else {
            Issue.record("\(named)")
            return
        }
        #expect(error.message.contains("Unsupported INFO_FORMAT"))
        #expect(transport.requests.last?.url.contains("INFO_FORMAT=gml&") == true)
        options.infoFormat = "application/pdf"
        let odd = await renderer.identify(layers, in: try World.view(), pixel: Point(x: 64, y: 64), options: options)
        guard case .failure(let refused) = odd[0].outcome else {
            Issue.record("\(odd)")
            return
        }
        #expect(refused.code == .notOffered && refused.message.contains("application/json"))
    }

    @Test func `layers that are not queryable are not requested`() async throws {
        let transport = try Self.server { _ in World.answer(500, "never") }
        let renderer = World.renderer(transport)
        let layer = try await Self.layer(renderer, ["relief"])
        let found = await renderer.identify([layer], in: try World.view(), pixel: Point(x: 1, y: 1))
        #expect(found.map(\.outcome) == [.notQueryable])
        #expect(!transport.requests.contains { $0.url.contains("GetFeatureInfo") })
        #expect(await renderer.identify([layer], in: try World.view(), pixel: Point(x: .nan, y: 1)).isEmpty)
    }

    @Test func `a facade identifies features at a pixel without selecting them`() async throws {
        let map = try MapFacadeTests.facade()
        map.addPOI(id: "p", coordinate: Coordinate(x: 0, y: 0), name: "P")
        let found = await map.identify(Point(x: 128, y: 128))
        #expect(found.map(\.layer) == ["vectors"] && found[0].features.map(\.feature.id) == ["p"])
        #expect(map.selectedFeature == nil)
        #expect(await map.identify(Point(x: 20, y: 128))[0].features.isEmpty)
    }

    @Test func `identified geometries are in degrees`() async throws {
        let feature = Feature(id: "m", geometry: .point(Coordinate(x: 111319.49079327358, y: 0)))
        let source = FeatureSource(features: [feature], crs: .webMercator)
        let view = try World.view()
        let pixel = view.pixel(of: Coordinate(x: 111319.49, y: 0))
        let found = await World.renderer(try World.transport()).identify(
            [MapLayer(name: "v", source: source)], in: view, pixel: pixel)
        #expect(found[0].features.first?.feature.geometry == .point(Coordinate(x: 1, y: 0)))
    }

    /// An ocean around an island, in a map of Europe: its rings lead around what the map does not show.
    @Test func `an ocean is identified where it is drawn, not on its islands`() async throws {
        let world = [(-180.0, -90.0), (180, -90), (180, 90), (-180, 90), (-180, -90)]
        let island = [(0.0, 45.0), (20, 45), (20, 60), (0, 60), (0, 45)]
        let rings = [world, island].map { $0.map { Coordinate(longitude: $0.0, latitude: $0.1) } }
        let layer = MapLayer(
            name: "ocean", source: FeatureSource(features: [Feature(id: "o", geometry: .polygon(rings))]))
        let crs = try #require(CRS.epsg(3035)), transform = try CoordinateTransform(from: .crs84, to: crs)
        let view = try Viewport(
            center: Coordinate(x: 4_321_000, y: 3_210_000), resolution: #require(Resolution(unitsPerPixel: 30_000)),
            size: #require(ImageSize(width: 400, height: 400)), crs: crs)
        let renderer = World.renderer(try World.transport())
        for (longitude, latitude, isSea) in [(10.0, 52.0, false), (-30, 40, true), (60, 10, true), (8, 50, false)] {
            let place = try #require(transform(Coordinate(longitude: longitude, latitude: latitude)))
            let found = await renderer.identify([layer], in: view, pixel: view.pixel(of: place))
            #expect(found[0].features.isEmpty == !isSea, "\(longitude) \(latitude)")
        }
    }
}
