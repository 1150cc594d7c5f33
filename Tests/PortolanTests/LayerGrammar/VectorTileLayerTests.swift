import Foundation
import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanTesting
import PortolanWeb
import TestHelpers
import Testing

/// Vector tiles from a style or an address to a picture.
@Suite struct VectorTileLayerTests {
    /// A lake over the corner of the four tiles of level 1, and a place in it.
    private static let tiles = SampleTiles(
        [
            (
                "water",
                [
                    .init(
                        id: 11, .polygons, [[(3500, 3500), (4700, 3500), (4700, 4700), (3500, 4700)]],
                        [("class", "lake"), ("depth", "deep")])
                ]
            ), ("place", [.init(id: 12, .points, [[(4096, 4096)]], [("name", "Middle"), ("code", "M-1")])]),
        ], buffer: 64)

    private static func transport(_ statuses: [String: Int] = [:]) -> StubTransport {
        StubTransport { (request) throws(FetchError) in
            let words = request.url.split(separator: "/"),
                status = statuses.first { request.url.contains($0.key) }?.value
            guard words.count > 4, let column = Int(words[words.count - 2]),
                let row = Int(words[words.count - 1].prefix { $0 != "." })
            else { throw FetchError(.cannotConnect, url: request.url, detail: "nobody is there") }
            var bytes = tiles.tile(column: column, row: row)
            if words[words.count - 3] == "0" {
                // The whole in half as many units.
                var half = tiles
                half.layers = tiles.layers.map { layer in
                    (
                        layer.name,
                        layer.features.map { feature in
                            var feature = feature
                            feature.parts = feature.parts.map { $0.map { ($0.0 / 2, $0.1 / 2) } }
                            return feature
                        }
                    )
                }
                bytes = half.tile(column: 0, row: 0)
            }
            return HTTPResponse(status: status ?? 200, body: status == nil ? bytes : [], url: request.url)
        }
    }

    private static let style = ##"""
        {"version": 8, "sources": {"v": {"type": "vector", "tiles": ["https://tiles.example/{z}/{x}/{y}.pbf"],
         "minzoom": 0, "maxzoom": 1, "promoteId": {"place": "code"}, "attribution": "The <b>lake</b>"}},
         "layers": [{"id": "w", "type": "fill", "source": "v", "source-layer": "water", "filter": ["==", "class", "lake"],
          "paint": {"fill-color": "#0000ff", "fill-opacity": 0.5}},
          {"id": "p", "type": "circle", "source": "v", "source-layer": "place", "minzoom": 2,
           "paint": {"circle-color": "#ff0000"}}]}
        """##

    private static func renderer(_ transport: StubTransport) -> MapRenderer {
        MapRenderer(configuration: World.configuration(fonts: false), transport: transport)
    }

    private static func layer(_ specification: LayerSpecification, _ transport: StubTransport) async throws -> MapLayer
    {
        let client = ServiceClient(configuration: World.configuration(fonts: false), transport: transport)
        return try #require(try await LayerBuilder(client: client).build([specification]).first?.layer)
    }

    private static func view(zoom: Double) throws -> Viewport {
        try Viewport(
            center: Coordinate(x: 0, y: 0), resolution: #require(Resolution(zoom: zoom, in: .webMercator)),
            size: #require(ImageSize(width: 64, height: 64)))
    }

    @Test func `a style draws vector tiles without seams and gives the attribution`() async throws {
        let transport = Self.transport()
        let layer = try await Self.layer(LayerSpecification(kind: .style, source: Self.style), transport)
        #expect(layer.attribution == "The lake")
        let result = try await Self.renderer(transport).render(
            [layer], in: Self.view(zoom: 2.3), options: World.plain())
        #expect(result.report.complete)
        #expect(Set(result.image.pixels).count == 1)
        #expect(result.image.pixels.first != UInt32.max)
        #expect(transport.requests.count == 4)
    }

    @Test func `a feature across four tiles is identified once with all its attributes`() async throws {
        let transport = Self.transport(), renderer = Self.renderer(transport)
        let layer = try await Self.layer(LayerSpecification(kind: .style, source: Self.style), transport)
        let found = await renderer.identify([layer], in: try Self.view(zoom: 3.5), pixel: Point(x: 32, y: 32))
        let features = found.flatMap(\.features).map(\.feature)
        #expect(features.map(\.id) == ["M-1", 11])
        #expect(features.last?.properties["depth"] == "deep")
    }

    @Test(arguments: [204, 404])
    func `a tile missing on the server is empty`(_ status: Int) async throws {
        let transport = Self.transport(["1/1/1.pbf": status])
        let layer = try await Self.layer(LayerSpecification(kind: .style, source: Self.style), transport)
        let result = try await Self.renderer(transport).render(
            [layer], in: Self.view(zoom: 2.3), options: World.plain())
        #expect(result.report.complete)
        let image = result.image
        #expect(image.pixels.first != image.pixels.last)
    }

    @Test func `a coarser cached tile replaces a failed one, and the report names the tile`()
        async throws
    {
        let transport = Self.transport(["1/1/1.pbf": 500]), renderer = Self.renderer(transport)
        let layer = try await Self.layer(LayerSpecification(kind: .style, source: Self.style), transport)
        var options = World.plain()
        options.maximumMissing = 1
        _ = try await renderer.render([layer], in: Self.view(zoom: 1.5), options: options)
        let result = try await renderer.render([layer], in: Self.view(zoom: 2.3), options: options)
        #expect(!result.report.complete)
        #expect(result.report.layers.first?.failed.map(\.resource) == ["1/1/1 https://tiles.example/1/1/1.pbf"])
        let image = result.image
        #expect(image.pixels.first == image.pixels.last)
    }

    @Test func `tiles without a style are drawn in the layer's style`() async throws {
        let transport = Self.transport()
        let words = try LayerSpecification(
            "vector:https://tiles.example/{z}/{x}/{y}.pbf;layers=water;max-zoom=1;fill=#00ff00;stroke=#00ff00;fill-opacity=1"
        )
        let layer = try await Self.layer(words, transport)
        #expect(layer.vectorTiles?.layers == ["water"])
        let result = try await Self.renderer(transport).render(
            [layer], in: Self.view(zoom: 2.3), options: World.plain())
        #expect(Set(result.image.pixels).count == 1)
        #expect(result.report.complete)
    }

    @Test func `a style's vector source can be replaced by its address alone`() async throws {
        let transport = Self.transport()
        let words = try LayerSpecification(
            kind: .style, source: Self.style.replacing("https://tiles.example", with: "https://nowhere.example"),
            values: ["sources.v": "https://tiles.example/{z}/{x}/{y}.pbf;max-zoom=1"])
        let layer = try await Self.layer(words, transport)
        let source = try #require(layer.style?.sources["v"] as? VectorTileSource)
        #expect(source.promotedIDs["place"] == "code")
        _ = try await Self.renderer(transport).render([layer], in: Self.view(zoom: 2.3), options: World.plain())
        #expect(transport.requests.allSatisfy { $0.url.hasPrefix("https://tiles.example/1/") })
    }
}
