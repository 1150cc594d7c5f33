import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanStyles
import PortolanTesting
import PortolanWeb
import TestHelpers
import Testing

/// The language of labels of layers and styles.
@Suite struct LanguageLayerTests {
    private static let places = #"""
        {"type": "FeatureCollection", "features": [
         {"type": "Feature", "properties": {"name": "Deutschland", "name:es": "Alemania"}, "geometry": {"type": "Point", "coordinates": [10, 51]}},
         {"type": "Feature", "properties": {"name": "Polska"}, "geometry": {"type": "Point", "coordinates": [20, 52]}}]}
        """#

    private static func style(_ field: String) -> String {
        #"{"version": 8, "sources": {"p": {"type": "geojson", "data": \#(places)}}, "layers": [{"id": "l", "type": "symbol", "source": "p", "layout": {"text-field": \#(field)}}]}"#
    }

    private static func built(_ specification: LayerSpecification) async throws -> LayerBuilder.Built {
        let transport = StubTransport { (request) throws(FetchError) in
            guard request.url.hasSuffix("tiles.json") else {
                throw FetchError(.cannotConnect, url: request.url, detail: "nobody is there")
            }
            let text =
                #"{"tilejson": "3.0.0", "tiles": ["https://t.example/{z}/{x}/{y}.pbf"], "vector_layers": [{"id": "place", "fields": {"name": "String", "name:de": "String"}}]}"#
            return HTTPResponse(status: 200, body: Array(text.utf8), url: request.url)
        }
        let client = ServiceClient(configuration: World.configuration(fonts: false), transport: transport)
        return try #require(try await LayerBuilder(client: client).build([specification]).first)
    }

    /// The texts that a layer shows of its features.
    private static func labels(_ layer: MapLayer?) throws -> [String] {
        let view = try Viewport(
            center: Coordinate(x: 1_700_000, y: 6_700_000), resolution: #require(Resolution(zoom: 4, in: .webMercator)),
            size: #require(ImageSize(width: 512, height: 512)))
        let plan = MapPlanner(viewport: view).plan([try #require(layer)])
        return plan.layers.flatMap(\.plan.nodes).flatMap(\.featureSteps).flatMap(\.features).compactMap { shown in
            shown.style.label.map { $0.isPlain ? $0.template : $0.text(for: shown.feature.properties) }
        }
    }

    @Test(arguments: [
        ("es", ["Alemania", "Polska"]), ("es-MX", ["Alemania", "Polska"]), ("mul", ["Deutschland", "Polska"]),
        (nil, ["Deutschland", "Polska"]),
    ])
    func `labels of features and of styles are in the language`(_ language: String?, _ texts: [String]) async throws {
        var values: [String: String] = [:]
        values["language"] = language
        let data = "data:application/geo+json," + Self.places
        let plain = try await Self.built(
            LayerSpecification(kind: .features, source: data, values: values.merging(["label": "name"]) { $1 }))
        let styled = try await Self.built(
            LayerSpecification(
                kind: .features, source: data, values: values.merging(["style": Self.style(#"["get", "name"]"#)]) { $1 }
            ))
        let whole = try await Self.built(
            LayerSpecification(kind: .style, source: Self.style(#""{name}""#), values: values))
        for built in [plain, styled, whole] {
            #expect(built.warnings == [])
            #expect(try Self.labels(built.layer) == texts)
        }
    }

    @Test(arguments: [
        (LayerKind.style, style(#""{ref}""#), ["language": "es"], "no text of the style reads names"),
        (.features, "data:application/geo+json," + places, ["language": "es"], "neither a label nor a style"),
        (
            .features, "data:application/geo+json," + places, ["language": "es", "label": "ref"],
            "'ref' has neither a name nor a number"
        ),
        (
            .vectorTiles, "https://t.example/tiles.json", ["language": "es", "label": "name"],
            "without names in the language 'es'"
        ),
        (
            .vectorTiles, "https://t.example/tiles.json", ["language": "es", "style": "portolan-light"],
            "without names in the language 'es'"
        ),
    ])
    func `a language without effect is reported`(
        _ kind: LayerKind, _ source: String, _ values: [String: String], _ words: String
    ) async throws {
        let built = try await Self.built(LayerSpecification(kind: kind, source: source, values: values))
        let found = built.warnings.filter { $0.subject.member == "language" }
        #expect(found.map(\.effect) == [.ignored])
        #expect(found.first?.message.contains(words) == true)
    }

    @Test(arguments: ["mul", "de"])
    func `a language that the tiles have is not reported`(_ language: String) async throws {
        let built = try await Self.built(
            LayerSpecification(
                kind: .vectorTiles, source: "https://t.example/tiles.json",
                values: ["language": language, "style": "portolan-light"]))
        #expect(built.warnings == [])
        #expect(built.layer?.style?.sheet.options.language?.tag == language)
    }

    @Test(arguments: [LayerKind.style, .features, .vectorTiles, .points])
    func `a text that is not a language tag is an error`(_ kind: LayerKind) async throws {
        let source =
            kind == .style
            ? Self.style(#""{name}""#)
            : kind == .vectorTiles ? "https://t.example/tiles.json" : "data:application/geo+json," + Self.places
        let words = try LayerSpecification(
            kind: kind, source: source,
            values: kind == .style ? ["language": "spanish"] : ["language": "spanish", "label": "name"])
        let error = await #expect(throws: MapError.self) { _ = try await Self.built(words) }
        #expect(error?.code == .invalidArgument)
    }
}
