import CustomKinds
import Portolan
import PortolanFeatures
import PortolanFormats
import Testing

/// What is made outside Portolan works with what is inside.
@Suite struct CustomKindsTests {
    @Test func `a custom layer kind is drawn, identified and reported`() async throws {
        let places = [(0.0, 0.0), (0.1, 0.1), (40, 20)].map { Coordinate(longitude: $0.0, latitude: $0.1) }
        let layer = MapLayer(name: "h", source: HexagonLayer(points: places))
        let view = try Viewport(
            center: Coordinate(x: 0, y: 0), resolution: #require(Resolution(unitsPerPixel: 40_000)),
            size: #require(ImageSize(width: 300, height: 200)))
        var options = RenderOptions()
        options.attribution = .none
        var configuration = RendererConfiguration()
        configuration.usesSystemFonts = true
        let renderer = MapRenderer(configuration: configuration)
        let result = try await renderer.render([layer], in: view, options: options)
        #expect(result.report.layers.map(\.kind) == ["hexagons"] && result.report.complete)
        #expect(Set(result.image.pixels).count > 3)
        let found = await renderer.identify([layer], in: view, pixel: Point(x: 150, y: 100))
        #expect(found.first?.features.first?.feature.properties["count"]?.doubleValue == 2)
    }

    @Test func `a custom layer kind is parsed from text and documents with its own keys`() throws {
        var configuration = RendererConfiguration()
        configuration.layerKinds.kinds.append(.hexagons)
        let words = "hexagons:cities.csv;color=#064;radius=24"
        let layer = try LayerSpecification(words, kinds: configuration.layerKinds)
        #expect(layer.description == words)
        let kinds = configuration.layerKinds
        #expect(throws: MapError.self) { try LayerSpecification(words) }
        #expect(throws: MapError.self) { try LayerSpecification("hexagons:cities.csv;radius=1000", kinds: kinds) }
        #expect(throws: MapError.self) { try LayerSpecification("hexagons:cities.csv;fill=red", kinds: kinds) }
        let json = ##"{"layers": [{"hexagons": "cities.csv", "radius": 24, "color": "#064"}]}"##
        let document = try MapDocument(bytes: Array(json.utf8), path: "/maps/map.json", kinds: kinds)
        #expect(document.layers.map(\.kind) == [.hexagons])
        #expect(document.layers.map(\.source) == ["/maps/cities.csv"])
        let (written, warnings) = document.encoded(relativeTo: "/maps/map.json")
        #expect(try MapDocument(bytes: written, path: "/maps/map.json", kinds: kinds) == document && warnings.isEmpty)
        #expect(throws: MapError.self) { try MapDocument(bytes: written, path: "/maps/map.json") }
    }

    @Test func `a custom projection transforms forward and back`() throws {
        let transform = try CoordinateTransform(from: .crs84, to: .sinusoidal)
        // By the formulas of Snyder, page 247: x = R λ cos φ.
        let place = try #require(transform(Coordinate(longitude: -75, latitude: -50)))
        #expect(abs(place.x + 5_360_645.6) < 1e4 && abs(place.y + 5_559_746) < 1e4)
        let back = try #require(transform.inverse(place))
        #expect(abs(back.x + 75) < 1e-9 && abs(back.y + 50) < 1e-9)
        #expect(transform.inverse(Coordinate(x: 1.9e7, y: 8e6)) == nil)
    }

    @Test func `a custom format is recognised by its first bytes`() throws {
        var formats = FeatureFormats.standard
        formats.formats.insert(PlaceListFormat(), at: 0)
        let text = "name,lon,lat\nA,1.5,2\nnowhere,,\nB,-3,4\n"
        let collection = try formats.read(Array(text.utf8))
        #expect(collection.features.compactMap { $0.properties["name"]?.stringValue } == ["A", "B"])
        #expect(collection.features.first?.geometry?.coordinates == [Coordinate(x: 1.5, y: 2)])
        let json = #"{"type":"Point","coordinates":[1,2]}"#
        #expect(try formats.read(Array(json.utf8)).features.count == 1)
        #expect(throws: PlaceListFormat.Failure.tooManyFeatures(line: 3, limit: 1)) {
            try PlaceListFormat().read(
                Array("lon,lat\n1,1\n2,2\n".utf8), limits: FeatureLimits(maximumFeatureCount: 1))
        }
    }

    @Test func `custom kind, projection and format are drawn together`() async throws {
        let result = try await CityMap.draw()
        #expect(result.report.complete && result.report.layers.map(\.kind) == ["features", "hexagons"])
        #expect(result.report.view.crs == "SINUSOIDAL")
    }
}
