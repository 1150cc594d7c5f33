import Portolan
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanTesting
import PortolanWeb
import Testing

/// Documents in the shapes that servers give them: portolan-server, ldproxy, pygeoapi, GNOSIS, ArcGIS Server.
@Suite struct ServiceClientOGCTilesTests {
    private static let relations = "http://www.opengis.net/def/rel/ogc/1.0/"

    /// A service with documents at paths, and black tiles and maps.
    static func client(_ documents: [String: String]) throws -> (ServiceClient, StubTransport) {
        let body = try World.png(.black)
        let transport = StubTransport { request throws(FetchError) in
            let path = String(request.url.dropFirst("http://h".count).prefix { $0 != "?" })
            if let document = documents[path] {
                let text = document.replacing("REL:", with: relations)
                return HTTPResponse(
                    status: 200, headers: [HTTPHeader(name: "Content-Type", value: "application/json")],
                    body: Array(text.utf8), url: request.url)
            }
            let isPicture =
                path.hasPrefix("/t/") || path.contains("tile") || path.contains("map") || path.contains("export")
            return HTTPResponse(status: isPicture ? 200 : 404, body: isPicture ? body : [], url: request.url)
        }
        return (ServiceClient(configuration: World.configuration(), transport: transport), transport)
    }

    /// The addresses that a view of the layer asks for.
    static func urls(_ layer: MapLayer, _ view: Viewport? = nil) throws -> [String] {
        let view = try view ?? World.view(width: 64, height: 64)
        return MapPlanner(viewport: view).plan([layer]).resources.map(\.location.description).sorted()
    }

    private static let quad = """
        {"dataType": "map", "crs": "http://www.opengis.net/def/crs/EPSG/0/3857",
         "tileMatrixSetURI": "http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad",
         "links": [{"rel": "item", "templated": true, "type": "image/jpeg", "href": "/t/{tileMatrix}/{tileRow}/{tileCol}.jpg"},
          {"rel": "item", "templated": true, "type": "image/png", "href": "/t/{tileMatrix}/{tileRow}/{tileCol}.png"},
          {"rel": "item", "templated": true, "type": "application/vnd.mapbox-vector-tile",
           "href": "/t/{tileMatrix}/{tileRow}/{tileCol}.mvt"}]}
        """
    private static let list = """
        {"tilesets": [
          {"title": "v", "dataType": "vector", "tileMatrixSetURI": "http://x/WebMercatorQuad", "links": [{"rel": "self", "href": "v"}]},
          {"dataType": "map", "crs": "http://www.opengis.net/def/crs/OGC/1.3/CRS84",
           "tileMatrixSetURI": "http://www.opengis.net/def/tilematrixset/OGC/1.0/WorldCRS84Quad",
           "links": [{"rel": "self", "type": "application/json", "href": "/map/tiles/WorldCRS84Quad"}]},
          {"dataType": "map", "crs": "http://www.opengis.net/def/crs/EPSG/0/3857",
           "tileMatrixSetURI": "http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad",
           "links": [{"rel": "self", "type": "application/json", "href": "/map/tiles/WebMercatorQuad"}]}]}
        """
    private static let landing = """
        {"title": "api", "links": [{"rel": "conformance", "href": "/conformance"}, {"rel": "data", "href": "/collections"},
         {"rel": "REL:tilesets-map", "type": "application/json", "href": "/map/tiles"},
         {"rel": "REL:map", "type": "image/png", "href": "/map"}]}
        """
    private static let collections = """
        {"collections": [
          {"id": "a", "links": [{"rel": "REL:tilesets-map", "href": "/collections/a/map/tiles"}, {"rel": "REL:map",
           "type": "image/png", "href": "/collections/a/map"}], "crs": ["http://www.opengis.net/def/crs/EPSG/0/3857"],
           "extent": {"spatial": {"bbox": [[0, 40, 10, 50]]}}},
          {"id": "b", "links": [{"rel": "[ogc-rel:map]", "href": "/collections/b/map?f=png"}]},
          {"id": "f", "links": [{"rel": "items", "href": "/collections/f/items"}]}]}
        """
    private static let api = [
        "/": landing, "": landing, "/conformance": #"{"conformsTo": []}"#, "/collections": collections,
        "/map/tiles": list, "/map/tiles/WebMercatorQuad": quad, "/collections/a/map/tiles": list,
    ]

    @Test(arguments: ["/", "/map/tiles", "/map/tiles/WebMercatorQuad", "/collections"])
    func `tiles in the map's CRS are found from each API document`(path: String) async throws {
        let (client, transport) = try Self.client(Self.api)
        let choice = ServiceClient.MapCollectionOptions(collections: path == "/collections" ? ["a"] : [])
        let (layer, warnings) = try await client.ogcTilesLayer(named: "t", url: "http://h" + path, options: choice)
        #expect(warnings == [] && layer.tiles?.grid.crs == .webMercator)
        #expect(
            try Self.urls(layer) == [
                "http://h/t/4/7/7.png", "http://h/t/4/7/8.png", "http://h/t/4/8/7.png", "http://h/t/4/8/8.png",
            ])
        let result = try await World.renderer(transport).render([layer], in: World.view(), options: World.plain())
        #expect(result.report.complete && result.image[5, 5] == Pixel(.black))
    }

    @Test func `grid and format are chosen by name, and errors list the available ones`() async throws {
        let (client, _) = try Self.client(Self.api)
        var choice = ServiceClient.MapCollectionOptions(format: "image/jpeg")
        let (layer, _) = try await client.ogcTilesLayer(named: "t", url: "http://h/", options: choice)
        #expect(try Self.urls(layer).first == "http://h/t/4/7/7.jpg")
        choice = .init(matrixSet: "Nope")
        var error = await #expect(throws: MapError.self) {
            try await client.ogcTilesLayer(named: "t", url: "http://h/", options: choice)
        }
        #expect(error?.code == .notOffered && error?.message.contains("WorldCRS84Quad, WebMercatorQuad") == true)
        error = await #expect(throws: MapError.self) {
            try await client.ogcTilesLayer(named: "t", url: "http://h/", options: .init(collections: ["c"]))
        }
        #expect(error?.message.contains("did you mean 'a'? Available: a") == true)
    }

    /// GNOSIS and pygeoapi: the grid by its own document, the template beside the list, limits of the levels.
    @Test(arguments: [
        (#""pointOfOrigin": [90, -180]"#, ""), (#""pointOfOrigin": [-180, 90]"#, #""orderedAxes": ["Lon", "Lat"],"#),
        (#""pointOfOrigin": [-180, 90]"#, ""), (#""topLeftCorner": [90, -180]"#, ""),
        (#""pointOfOrigin": [-90, -180], "cornerOfOrigin": "bottomLeft""#, #""orderedAxes": ["Lat", "Lon"],"#),
    ])
    func `a custom grid is read from its document`(corner: String, axes: String) async throws {
        let size = #""tileWidth": 256, "tileHeight": 256"#
        let (client, _) = try Self.client([
            "/tiles": """
            {"tilesets": [{"dataType": "map", "tileMatrixSetURI": "http://h/tms/Own", "crs": {"uri":
             "http://www.opengis.net/def/crs/EPSG/0/4326"}, "links": [{"rel": "REL:tiling-scheme", "href": "/tms/Own"}],
             "tileMatrixSetLimits": [{"tileMatrix": "L0", "minTileRow": 0, "maxTileRow": 0, "minTileCol": 0, "maxTileCol": 1},
              {"tileMatrix": "L1", "minTileRow": 0, "maxTileRow": 1, "minTileCol": 2, "maxTileCol": 3}]}],
             "links": [{"rel": "item", "type": "image/png", "href": "http://h/tiles/{tileMatrixSetId}/{tileMatrix}/{tileRow}/{tileCol}"}]}
            """,
            "/tms/Own": """
            {"id": "Own", "crs": "http://www.opengis.net/def/crs/EPSG/0/4326", \(axes) "tileMatrices": [
             {"id": "L0", "cellSize": 0.703125, \(corner), \(size), "matrixWidth": 2, "matrixHeight": 1},
             {"id": "L1", "cellSize": 0.3515625, \(corner), \(size), "matrixWidth": 4, "matrixHeight": 2},
             {"id": "L2", "scaleDenominator": 69885283.0, \(corner), \(size), "matrixWidth": 8, "matrixHeight": 4}]}
            """,
        ])
        let (layer, _) = try await client.ogcTilesLayer(named: "t", url: "http://h/tiles", mapCRS: .epsg4326)
        let grid = try #require(layer.tiles?.grid)
        #expect(grid.matrices.map(\.id) == ["L0", "L1"] && grid.matrices[1].columns == 2...3)
        let view = try Viewport(
            center: Coordinate(x: 135, y: 45), resolution: #require(Resolution(unitsPerPixel: 0.3515625)),
            size: #require(ImageSize(width: 32, height: 32)), crs: .epsg4326)
        let row = corner.contains("bottomLeft") ? 1 : 0
        #expect(try Self.urls(layer, view) == ["http://h/tiles/Own/L1/\(row)/3"])
    }

    @Test func `vector tiles are used if there are no map tiles`() async throws {
        let (client, _) = try Self.client([
            "/tiles": #"""
            {"tileMatrixSetURI": "http://h/WebMercatorQuad", "dataType": "vector",
             "tileMatrixSetLimits": [{"tileMatrix": "3", "minTileRow": 0, "maxTileRow": 7, "minTileCol": 0, "maxTileCol": 7}],
             "links": [{"rel": "item", "type": "application/vnd.mapbox-vector-tile; charset=binary", "templated": true,
                        "href": "/{tileMatrix}/{tileRow}/{tileCol}"}]}
            """#
        ])
        let (layer, _) = try await client.ogcTilesLayer(named: "t", url: "http://h/tiles")
        let tiles = try #require(layer.vectorTiles?.tiles)
        #expect(tiles.grid.matrices.map(\.tileWidth) == [512])
        #expect(try Self.urls(layer).contains("http://h/3/3/4"))
    }

    @Test(arguments: [
        #"{"tilesets": [{"dataType": "vector", "links": []}]}"#, #"{"tilesets": []}"#,
        #"{"tileMatrixSetURI": "http://h/Own", "links": [{"rel": "item", "type": "image/png", "href": "/{tileMatrix}/{tileRow}/{tileCol}"}]}"#,
        #"{"tileMatrixSetURI": "http://h/WebMercatorQuad", "links": [{"rel": "item", "type": "image/png", "href": "/{nonsense}/{tileRow}/{tileCol}"}]}"#,
        #"{"hello": "world"}"#, "[]", "not JSON",
    ])
    func `tile sets that cannot be drawn are a typed error`(document: String) async throws {
        let (client, _) = try Self.client(["/tiles": document])
        await #expect(throws: MapError.self) { try await client.ogcTilesLayer(named: "t", url: "http://h/tiles") }
    }

    @Test(arguments: [
        (
            "/", [],
            "http://h/map?bbox=-626172.135712164,-626172.135712164,626172.135712164,626172.135712164&bbox-crs=http://www.opengis.net/def/crs/EPSG/0/3857&crs=http://www.opengis.net/def/crs/EPSG/0/3857&width=128&height=128&transparent=true"
        ),
        ("/", ["a", "b"], "collections=a,b"), ("/collections", ["a"], "http://h/collections/a/map?bbox="),
        ("/", ["b"], "http://h/collections/b/map?f=png&bbox="),
    ])
    func `a map is requested by its bounding box`(path: String, names: [String], part: String) async throws {
        let (client, transport) = try Self.client(Self.api)
        let (layer, warnings) = try await client.ogcMapLayer(
            named: "t", url: "http://h" + path, options: .init(collections: names))
        #expect(warnings == [] && layer.source.kind == "oam")
        let view = try World.view()
        let urls = try Self.urls(layer, view)
        #expect(urls.count == 1 && urls[0].contains(part), "\(urls)")
        let result = try await World.renderer(transport).render([layer], in: view, options: World.plain())
        #expect(result.report.complete && result.report.layers[0].kind == "oam")
    }

    @Test func `a map in degrees is requested in the axis order of its CRS`() async throws {
        let (client, _) = try Self.client(Self.api)
        for (name, part) in [
            ("EPSG:4326", "bbox=-10,-20,10,20&bbox-crs=http://www.opengis.net/def/crs/EPSG/0/4326"),
            ("CRS:84", "bbox=-20,-10,20,10&width="),
        ] {
            let crs = try CRS(name)
            let (layer, _) = try await client.ogcMapLayer(
                named: "t", url: "http://h/", options: .init(crsName: name), mapCRS: crs)
            let view = try Viewport(
                center: Coordinate(x: 0, y: 0), resolution: #require(Resolution(unitsPerPixel: 0.1)),
                size: #require(ImageSize(width: 400, height: 200)), crs: crs)
            let urls = try Self.urls(layer, view)
            #expect(urls.first?.contains(part) == true, "\(urls)")
        }
    }
}
