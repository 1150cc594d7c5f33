import Foundation
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

/// Layers of features and vector tiles with the values of a table.
@Suite struct JoinLayerTests {
    private static let table = "code,iso,rate\nES,1,80\nFI,2,10\nXX,3,1\n"

    /// Two squares beside each other, in degrees and in tiles of one level.
    private static let squares = #"""
        {"type": "FeatureCollection", "features": [
         {"type": "Feature", "id": 1, "properties": {"code": "ES", "n": 1}, "geometry": {"type": "Polygon", "coordinates": [[[-10, -10], [0, -10], [0, 10], [-10, 10], [-10, -10]]]}},
         {"type": "Feature", "id": 2, "properties": {"code": "FI", "n": 2}, "geometry": {"type": "Polygon", "coordinates": [[[0, -10], [10, -10], [10, 10], [0, 10], [0, -10]]]}}]}
        """#
    private static let tiles = SampleTiles(
        [
            (
                "land",
                [
                    .init(
                        id: 1, .polygons, [[(3500, 3500), (4096, 3500), (4096, 4700), (3500, 4700)]], [("iso2", "ES")]),
                    .init(
                        id: 2, .polygons, [[(4096, 3500), (4700, 3500), (4700, 4700), (4096, 4700)]], [("iso2", "FI")]),
                    .init(
                        id: 9, .polygons, [[(3000, 3000), (3100, 3000), (3100, 3100), (3000, 3100)]], [("iso2", "ZZ")]),
                ]
            ), ("road", [.init(id: 77, .lines, [[(3500, 3400), (4700, 3400)]], [("class", "path")])]),
        ], buffer: 64)

    private static func transport() -> StubTransport {
        StubTransport { (request) throws(FetchError) in
            let words = request.url.split(separator: "/")
            switch request.url {
            case "https://data.example/rates.csv":
                return HTTPResponse(status: 200, body: Array(table.utf8), url: request.url)
            case "https://data.example/page.csv":
                return HTTPResponse(status: 200, body: Array("<html></html>".utf8), url: request.url)
            case "https://data.example/squares.geojson":
                return HTTPResponse(status: 200, body: Array(squares.utf8), url: request.url)
            case _ where request.url.hasPrefix("https://tiles.example/"):
                guard words.count > 4, let column = Int(words[3]), let row = Int(words[4].prefix { $0 != "." }) else {
                    break
                }
                return HTTPResponse(status: 200, body: tiles.tile(column: column, row: row), url: request.url)
            default: break
            }
            throw FetchError(.cannotConnect, url: request.url, detail: "nobody is there")
        }
    }

    /// A style that draws areas in a colour by a value of the table, and a road.
    private static func style(_ value: String, _ source: String) -> String {
        let layer = source.contains("vector") ? #", "source-layer": "land""# : ""
        let road =
            source.contains("vector")
            ? #", {"id": "r", "type": "line", "source": "v", "source-layer": "road"}"# : ""
        return ##"""
            {"version": 8, "sources": {"v": \##(source)}, "layers": [{"id": "a", "type": "fill", "source": "v"\##(layer), "paint": {
             "fill-color": ["case", [">", ["coalesce", \##(value), 0], 50], "#ff0000", "#0000ff"]}}\##(road)]}
            """##
    }

    private static let tileSource =
        #"{"type": "vector", "tiles": ["https://tiles.example/{z}/{x}/{y}.pbf"], "minzoom": 1, "maxzoom": 1}"#
    private static let fileSource = #"{"type": "geojson", "data": "https://data.example/squares.geojson"}"#

    private static func builder(_ transport: StubTransport = transport()) -> LayerBuilder {
        LayerBuilder(client: ServiceClient(configuration: World.configuration(fonts: false), transport: transport))
    }

    private static func view() throws -> Viewport {
        try Viewport(
            center: Coordinate(x: 0, y: 0), resolution: #require(Resolution(zoom: 3, in: .webMercator)),
            size: #require(ImageSize(width: 64, height: 64)))
    }

    /// The colours at the left and at the right of a picture, and the warnings of its report and of the layer.
    private static func drawn(
        _ specification: LayerSpecification
    ) async throws -> (colors: [Pixel], warnings: [MapWarning]) {
        let transport = transport()
        let built = try #require(try await builder(transport).build([specification]).first)
        if let failure = built.failure { throw failure }
        let renderer = MapRenderer(configuration: World.configuration(fonts: false), transport: transport)
        let result = try await renderer.render(
            [try #require(built.layer)], in: view(), options: World.plain())
        #expect(result.report.complete)
        let colors = [8, 56].map { result.image[$0, 32] }
        return (colors, built.warnings + result.report.warnings)
    }

    private static let red = Pixel(red: 255, green: 0, blue: 0, alpha: 255),
        blue = Pixel(red: 0, green: 0, blue: 255, alpha: 255)

    @Test(arguments: [
        (LayerKind.style, "code"), (.style, "id:iso"), (.features, "code"), (.features, "id:iso"),
        (.vectorTiles, "id:iso"),
        (.vectorTiles, "iso2:code"),
    ])
    func `values of a table are properties and the state of features`(_ kind: LayerKind, _ on: String) async throws {
        for value in [#"["get", "rate"]"#, #"["feature-state", "rate"]"#] {
            let source = Self.style(value, kind == .vectorTiles ? Self.tileSource : Self.fileSource)
            let words =
                switch kind {
                case .style:
                    try LayerSpecification(
                        kind: kind, source: source, values: ["join": "https://data.example/rates.csv", "on": on])
                case .features:
                    try LayerSpecification(
                        kind: kind, source: "https://data.example/squares.geojson",
                        values: ["style": source, "join": "https://data.example/rates.csv", "on": on])
                default:
                    try LayerSpecification(
                        kind: kind, source: "https://tiles.example/{z}/{x}/{y}.pbf",
                        values: ["style": source, "max-zoom": "1", "join": "https://data.example/rates.csv", "on": on])
                }
            let (colors, warnings) = try await Self.drawn(words)
            #expect(colors == [Self.red, Self.blue], "\(kind) \(on) \(value)")
            // The road has no row, as no feature of its layer has one.
            let counted =
                kind == .vectorTiles
                ? "1 of 3 features have no row in 'rates.csv', such as '\(on == "id:iso" ? "9" : "ZZ")'"
                : "1 of 3 rows have no feature"
            #expect(warnings.map(\.message) == [counted], "\(kind) \(on)")
            #expect(warnings.map(\.effect) == [.note])
        }
    }

    @Test func `a whole style of vector tiles gets the values, too`() async throws {
        let words = try LayerSpecification(
            kind: .style, source: Self.style(#"["feature-state", "rate"]"#, Self.tileSource),
            values: ["join": "https://data.example/rates.csv", "on": "id:iso"])
        let (colors, warnings) = try await Self.drawn(words)
        #expect(colors == [Self.red, Self.blue])
        #expect(warnings.map(\.message) == ["1 of 3 features have no row in 'rates.csv', such as '9'"])
    }

    @Test func `without a table the state is empty, which is reported`() async throws {
        let words = try LayerSpecification(
            kind: .style, source: Self.style(#"["feature-state", "rate"]"#, Self.fileSource))
        let (colors, warnings) = try await Self.drawn(words)
        #expect(colors == [Self.blue, Self.blue])
        #expect(warnings.map(\.subject.member) == ["fill-color"])
    }

    @Test func `a key that no feature has is reported, and the picture is drawn`() async throws {
        let words = try LayerSpecification(
            kind: .vectorTiles, source: "https://tiles.example/{z}/{x}/{y}.pbf",
            values: [
                "max-zoom": "1", "layers": "land", "fill": "#0000ff", "fill-opacity": "1",
                "join": "https://data.example/rates.csv", "on": "isocode:code",
            ])
        let (colors, warnings) = try await Self.drawn(words)
        #expect(colors == [Self.blue, Self.blue])
        #expect(warnings.map(\.code) == [.layerKey])
        #expect(warnings.first?.message.contains("no property 'isocode'") == true)
    }

    @Test func `features of tiles are identified with the values`() async throws {
        let transport = Self.transport()
        let words = try LayerSpecification(
            kind: .vectorTiles, source: "https://tiles.example/{z}/{x}/{y}.pbf",
            values: [
                "style": Self.style(#"["get", "rate"]"#, Self.tileSource), "max-zoom": "1",
                "join": "https://data.example/rates.csv", "on": "iso2:code",
            ])
        let layer = try #require(try await Self.builder(transport).build([words]).first?.layer)
        let renderer = MapRenderer(configuration: World.configuration(fonts: false), transport: transport)
        let found = await renderer.identify([layer], in: try Self.view(), pixel: Point(x: 8, y: 32))
        let feature = try #require(found.flatMap(\.features).first?.feature)
        #expect(feature.properties["rate"] == 80)
        #expect(feature.properties["iso2"] == "ES")
    }

    @Test func `points get the values as columns`() async throws {
        let points = "data:text/csv,code,lon,lat%0AES,-5,0%0AFI,5,0%0A"
        let words = try LayerSpecification(
            kind: .points, source: points,
            values: [
                "style":
                    ##"{"version": 8, "layers": [{"id": "p", "type": "circle", "paint": {"circle-radius": 12, "circle-color": ["case", [">", ["get", "rate"], 50], "#ff0000", "#0000ff"]}}]}"##,
                "join": "https://data.example/rates.csv", "on": "code",
            ])
        let transport = Self.transport()
        let built = try #require(try await Self.builder(transport).build([words]).first)
        #expect(built.warnings.map(\.message) == ["1 of 3 rows have no feature"])
        let source = try #require(built.layer?.source as? PointSource)
        #expect(source.table.propertyNames.contains("rate"))
    }

    @Test(arguments: [
        (["on": "code"], "needs a table"), (["join": "https://data.example/rates.csv"], "add ';on=PROPERTY'"),
        (
            ["join": "https://data.example/rates.csv", "on": "kode"],
            "names no column of 'rates.csv'; did you mean 'code'?"
        ),
        (["join": "https://data.example/rates.csv", "on": "iso2:cod"], "did you mean 'code'?"),
        (["join": "https://data.example/page.csv", "on": "code"], "no table with a line of column names"),
        (["join": "/no/such/file.csv", "on": "code"], "/no/such/file.csv"),
    ])
    func `keys and tables that cannot be used are errors`(_ values: [String: String], _ words: String) async throws {
        for kind in [LayerKind.features, .vectorTiles] {
            let source =
                kind == .features ? "https://data.example/squares.geojson" : "https://tiles.example/{z}/{x}/{y}.pbf"
            let specification = try LayerSpecification(kind: kind, source: source, values: values)
            let error = await #expect(throws: MapError.self) { try await Self.builder().build([specification]) }
            #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
        }
    }

    @Test func `a table of a document from a server is not a file of this machine`() async throws {
        let specification = try LayerSpecification(
            kind: .features, source: "https://data.example/squares.geojson",
            values: ["join": "/etc/hosts", "on": "code"],
            namedBy: .document(NamedURL.RemoteDocument(host: "data.example")))
        let built = try #require(try await Self.builder().build([specification]).first)
        #expect(built.layer == nil)
        #expect(built.failure?.description.contains("may not refer to a file: URL") == true)
    }

    @Test func `in a map document a table is relative to it, as is the style of vector tiles`() throws {
        let document = try MapDocument(
            bytes: Array(
                #"""
                {"layers": [{"source": "a.geojson", "join": "data/a.csv", "on": "code"},
                 {"vector": "t.pmtiles", "style": "look.json", "join": "b.csv", "on": "id", "language": "es"},
                 {"vector": "t.pmtiles", "style": "portolan-light"},
                 {"wfs": "https://w.example/wfs", "layers": "a", "join": "c.csv", "on": "code"}]}
                """#.utf8), path: "/maps/town.json")
        #expect(document.layers.map { $0["join"] } == ["/maps/data/a.csv", "/maps/b.csv", nil, "/maps/c.csv"])
        #expect(document.layers.map { $0["style"] } == [nil, "/maps/look.json", "portolan-light", nil])
        #expect(document.layers[1]["language"] == "es")
        let again = document.layers[1].members
        #expect(again["join"] == "/maps/b.csv")
        #expect(again["on"] == "id")
    }
}
