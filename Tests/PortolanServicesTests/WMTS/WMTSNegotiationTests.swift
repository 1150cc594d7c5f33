import PortolanGeo
import PortolanServices
import PortolanWeb
import Testing

@Suite struct WMTSNegotiationTests {
    private func request(
        _ file: String, _ choice: WMTSOptions, mapCRS: CRS = .webMercator, base: BaseURL = "http://127.0.0.1:18081/wmts"
    ) throws -> WMTSTileRequest {
        let offered = try WMTSCapabilitiesReader.read(Fixture.bytes("mapproxy/\(file)"))
        return try WMTSNegotiation.request(for: choice, of: offered, baseURL: base, mapCRS: mapCRS)
    }

    private func url(_ request: WMTSTileRequest, level: Int, column: Int, row: Int) throws -> String {
        let tile = try #require(request.grid.tile(level: level, column: column, row: row))
        return try #require(request.url(for: tile))
    }

    /// The addresses with which the tiles of the captures were fetched.
    @Test func `tile requests by KVP and REST equal the captured ones`() throws {
        let byParameters = try request("wmts-kvp-caps.xml", WMTSOptions(layer: "relief"))
        #expect(byParameters.encoding == .parameters)
        #expect(
            try url(byParameters, level: 5, column: 15, row: 12)
                == "http://127.0.0.1:18081/service?SERVICE=WMTS&REQUEST=GetTile&VERSION=1.0.0&LAYER=relief&STYLE=default"
                + "&FORMAT=image/jpeg&TILEMATRIXSET=webmercator&TILEMATRIX=05&TILEROW=12&TILECOL=15")
        let byPath = try request("wmts-rest-caps.xml", WMTSOptions(layer: "relief"))
        #expect(byPath.encoding == .path)
        #expect(
            try url(byPath, level: 5, column: 15, row: 12)
                == "http://127.0.0.1:18081/wmts/relief/webmercator/05/15/12.jpeg")
        #expect(byParameters.grid == byPath.grid)
    }

    @Test(arguments: [
        ("EPSG:3857", "webmercator"), ("EPSG:4326", "geodetic_nw"), ("CRS:84", "geodetic_nw"),
        ("EPSG:4258", "geodetic_nw"), ("EPSG:25830", "es_utm30_nw"),
    ])
    func `the matrix set in the map's CRS or an equivalent one is chosen`(crs: String, set: String) throws {
        let request = try request("wmts-rest-caps.xml", WMTSOptions(layer: "relief"), mapCRS: CRS(crs))
        #expect(request.matrixSet == set)
    }

    @Test func `without a matching CRS the matrix set with the least distortion is chosen`() throws {
        // In Spain a neighbouring zone of UTM is bent less than web mercator, and that less than degrees.
        let spain = try request("wmts-rest-caps.xml", WMTSOptions(layer: "spain"), mapCRS: CRS("EPSG:25829"))
        #expect(spain.matrixSet == "es_utm30_nw")
        let mixed = try request("wmts-rest-caps.xml", WMTSOptions(layer: "mixed"), mapCRS: CRS("EPSG:25830"))
        #expect(mixed.matrixSet == "webmercator")
        let offered = try WMTSCapabilitiesReader.read(Fixture.bytes("mapproxy/wmts-rest-caps.xml"))
        let north = try WMTSNegotiation.request(
            for: WMTSOptions(layer: "mixed"), of: offered, baseURL: "http://h/", mapCRS: CRS("EPSG:25830"),
            around: Extent(minX: 400_000, minY: 7_000_000, maxX: 600_000, maxY: 7_100_000))
        #expect(north.matrixSet == "webmercator")
    }

    /// Two sets in web mercator, the first of Iberia alone and with more levels, and one in degrees.
    @Test(
        arguments: [
            ((-400_000, 4_900_000, -350_000, 4_950_000), ["region", "world"], "region"),
            ((1_000_000, 6_000_000, 2_000_000, 7_000_000), ["region", "world"], "world"),
            ((1_000_000, 6_000_000, 2_000_000, 7_000_000), ["region", "degrees"], "degrees"),
            ((1_000_000, 6_000_000, 2_000_000, 7_000_000), ["region"], "region"),
            // A world and more about it.
            ((-60_000_000, -40_000_000, 60_000_000, 40_000_000), ["world", "degrees"], "world"),
        ] as [((Double, Double, Double, Double), [String], String)])
    func `a matrix set without tiles in the view is not preferred`(
        place: (Double, Double, Double, Double), sets: [String], wanted: String
    ) throws {
        func set(
            _ name: String, _ crs: Int, _ corner: String, _ denominator: Double, columns: Int = 1, levels: Int = 7
        ) -> String {
            let matrices = (0..<levels).map { level in
                """
                <TileMatrix><ows:Identifier>\(level)</ows:Identifier>
                <ScaleDenominator>\(denominator / Double(1 << level))</ScaleDenominator>
                <TopLeftCorner>\(corner)</TopLeftCorner><TileWidth>256</TileWidth><TileHeight>256</TileHeight>
                <MatrixWidth>\(columns << level)</MatrixWidth><MatrixHeight>\(1 << level)</MatrixHeight></TileMatrix>
                """
            }
            return "<TileMatrixSet><ows:Identifier>\(name)</ows:Identifier>"
                + "<ows:SupportedCRS>urn:ogc:def:crs:EPSG::\(crs)</ows:SupportedCRS>" + matrices.joined()
                + "</TileMatrixSet>"
        }
        let world = 559_082_264.0287178
        let text = """
            <Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1" version="1.0.0">
            <Contents><Layer><ows:Identifier>l</ows:Identifier><Format>image/png</Format>
            \(sets.map { "<TileMatrixSetLink><TileMatrixSet>\($0)</TileMatrixSet></TileMatrixSetLink>" }.joined())
            </Layer>\(set("region", 3857, "-1200000 5600000", world / 16, levels: 9))
            \(set("world", 3857, "-20037508.3427892 20037508.3427892", world))
            \(set("degrees", 4326, "90 -180", world / 2, columns: 2))</Contents></Capabilities>
            """
        let request = try WMTSNegotiation.request(
            for: WMTSOptions(), of: WMTSCapabilitiesReader.read(Array(text.utf8)), baseURL: "http://h/wmts?",
            mapCRS: .webMercator, around: Extent(minX: place.0, minY: place.1, maxX: place.2, maxY: place.3))
        #expect(request.matrixSet == wanted)
    }

    @Test func `an unknown layer, style, format, set or dimension is an error`() throws {
        func error(_ choice: WMTSOptions) -> WMTSError? {
            #expect(throws: WMTSError.self) { try request("wmts-rest-caps.xml", choice) }
        }
        #expect(
            error(WMTSOptions()).map { "\($0)".hasPrefix("no layer given; available: relief, ") } == true)
        #expect("\(error(WMTSOptions(layer: "releif")) ?? .noAddress(unusable: []))".contains("did you mean 'relief'?"))
        #expect(
            "\(error(WMTSOptions(layer: "Coast, lakes and rivers")) ?? .noAddress(unusable: []))".contains(
                "mean 'water'?"))
        #expect(
            error(WMTSOptions(layer: "relief", style: "x"))
                == .styleNotFound("x", layer: "relief", offers: ["default"]))
        #expect(
            error(WMTSOptions(layer: "relief", format: "png")) == .formatNotOffered("png", offers: ["image/jpeg"]))
        guard case .matrixSetNotOffered("x", let offers)? = error(WMTSOptions(layer: "relief", matrixSet: "x")) else {
            Issue.record("the matrix set was taken")
            return
        }
        #expect(offers.first == "webmercator (urn:ogc:def:crs:EPSG:3857)")
        #expect(
            error(WMTSOptions(layer: "relief", dimensions: ["time": "1"]))
                == .dimensionNotFound("time", layer: "relief", offers: []))
    }

    /// Quirk 13.
    @Test func `a template placeholder without a matching dimension is sent as 'default'`() throws {
        let undated = try request("dims-wmts-rest-caps.xml", WMTSOptions(layer: "undated"))
        #expect(
            try url(undated, level: 2, column: 1, row: 1)
                == "http://127.0.0.1:18082/wmts/undated/GLOBAL_WEBMERCATOR/default/02/1/1.jpeg")
        #expect(
            undated.warnings.contains {
                $0.description.contains("Time") && $0.description.contains("sending 'default'")
            })
    }

    @Test func `dimensions use their default or a given value, names in any case`() throws {
        let dated = try request("dims-wmts-rest-caps.xml", WMTSOptions(layer: "dated"))
        #expect(try url(dated, level: 2, column: 1, row: 1).contains("/GLOBAL_WEBMERCATOR/2026-01-01/02/1/1.jpeg"))
        let older = try request(
            "dims-wmts-rest-caps.xml", WMTSOptions(layer: "dated", dimensions: ["time": "2024-01-01"]))
        #expect(try url(older, level: 2, column: 1, row: 1).contains("/GLOBAL_WEBMERCATOR/2024-01-01/02/1/1.jpeg"))
        let none = try request("dims-wmts-rest-caps.xml", WMTSOptions(layer: "dated", dimensions: ["TIME": "1999"]))
        #expect(none.warnings.contains { $0.description.contains("'1999' is not a value of dimension") })
        let byParameters = try request(
            "dims-wmts-rest-caps.xml", WMTSOptions(layer: "dated", encoding: .parameters))
        #expect(
            try url(byParameters, level: 0, column: 0, row: 0).contains(
                "&FORMAT=image/jpeg&Time=2026-01-01&TILEMATRIXSET="))
    }

    @Test(arguments: [WMTSOptions.Encoding.path, .parameters])
    func `dimensions are changed after the negotiation as by options`(encoding: WMTSOptions.Encoding) throws {
        let file = "dims-wmts-rest-caps.xml"
        let usual = try request(file, WMTSOptions(layer: "dated", encoding: encoding))
        let older = try request(
            file, WMTSOptions(layer: "dated", dimensions: ["time": "2024-01-01"], encoding: encoding))
        let changed = usual.choosing(["time": "2024-01-01", "elevation": "5"])
        #expect(changed.dimensions == older.dimensions)
        #expect(
            try url(changed, level: 2, column: 1, row: 1) == url(older, level: 2, column: 1, row: 1))
        // A value stays within its path segment or parameter.
        let odd = try url(usual.choosing(["time": "a/../b?c&d#e"]), level: 2, column: 1, row: 1)
        #expect(!odd.contains("&d") && !odd.contains("#"))
        if encoding == .path { #expect(!odd.contains("a/..") && !odd.contains("b?")) }
    }

    @Test func `a template whose host depends on a dimension is unusable`() throws {
        var text = WMTSText.world()
        text.layer = """
            <Format>image/png</Format>
            <Dimension><ows:Identifier>Time</ows:Identifier><Default>a</Default></Dimension>
            <TileMatrixSetLink><TileMatrixSet>m</TileMatrixSet></TileMatrixSetLink>
            <ResourceURL format="image/png" resourceType="tile" template=
             "http://{Time}.example/{TileMatrix}/{TileRow}/{TileCol}.png"/>
            """
        #expect(throws: WMTSError.self) { try text.request() }
    }

    @Test func `template placeholders match in any case, and values are percent-encoded`() throws {
        var text = WMTSText.world()
        text.layer = """
            <Style isDefault="true"><ows:Identifier>a/b ñ?</ows:Identifier></Style><Format>image/png</Format>
            <Dimension><ows:Identifier>Time</ows:Identifier><Default>2024-01-01T00:00:00Z</Default></Dimension>
            <TileMatrixSetLink><TileMatrixSet>m</TileMatrixSet></TileMatrixSetLink>
            <ResourceURL format="image/png" resourceType="FeatureInfo" template="http://h/no"/>
            <ResourceURL format="image/png" resourceType="tile" template=
             "http://h/x y/{LAYER}/{style}/{tileMatrixSet}/{TIME}/%7BTileMatrix%7D/{tilerow}/{TILECOL}.png?a=1"/>
            """
        let request = try text.request()
        #expect(
            try url(request, level: 1, column: 1, row: 0)
                == "http://h/x%20y/l/a%2Fb%20%C3%B1%3F/m/2024-01-01T00:00:00Z/1/0/1.png?a=1&key=k")
    }

    @Test func `a warning about a template is one line of bounded length`() throws {
        var text = WMTSText.world()
        let name = "a&#10;" + String(repeating: "b", count: 5000)
        let template = "http://h/{\(name)}/{TileMatrix}/{TileCol}/{TileRow}"
        text.layer += "<ResourceURL format=\"image/png\" resourceType=\"tile\" template=\"\(template)\"/>"
        let warning = try #require(
            try text.request().warnings.first { $0.description.contains("the template needs") })
        #expect(warning.message.count <= 501)
        #expect(!warning.message.contains("\n"))
    }

    @Test func `a template without tile placeholders or a valid host is skipped`() throws {
        for template in [
            "http://{TileMatrix}.h/{TileCol}/{TileRow}", "http://h:9x/{TileMatrix}/{TileCol}/{TileRow}",
            "http://h/{TileMatrix}/{TileCol}", "http://h/{TileMatrix", "mailto:{TileMatrix}/{TileCol}/{TileRow}",
        ] {
            var text = WMTSText.world()
            text.layer += "<ResourceURL format=\"image/png\" resourceType=\"tile\" template=\"\(template)\"/>"
            text.operations = """
                <ows:Operation name="GetTile"><ows:DCP><ows:HTTP><ows:Get xlink:href="http://h/kvp"/></ows:HTTP></ows:DCP>
                </ows:Operation>
                """
            let request = try text.request()
            #expect(
                request.encoding == .parameters
                    && request.warnings.contains { $0.description.contains("invalid template") })
            #expect(try url(request, level: 0, column: 0, row: 0).hasPrefix("http://h/kvp?key=k&SERVICE=WMTS&"))
        }
    }

    @Test func `the user's query parameters are sent only to the same host, and https is kept`() throws {
        var text = WMTSText.world()
        text.layer +=
            "<ResourceURL format='image/png' resourceType='tile' template='http://h/{TileMatrix}/{TileCol}/{TileRow}'/>"
        let own = try WMTSNegotiation.request(
            for: WMTSOptions(), of: text.capabilities(), baseURL: "https://h/wmts?SERVICE=WMTS&key=k&layer=x",
            mapCRS: .webMercator)
        #expect(try url(own, level: 0, column: 0, row: 0) == "https://h/0/0/0?key=k")
        let other = try WMTSNegotiation.request(
            for: WMTSOptions(), of: text.capabilities(), baseURL: "https://other/wmts?key=k", mapCRS: .webMercator)
        #expect(try url(other, level: 0, column: 0, row: 0) == "http://h/0/0/0")
        #expect(other.warnings.contains { $0.description.contains("go to h,") })
    }

    @Test(
        arguments: [WMTSOptions.Encoding.path, .parameters],
        [
            (
                "http://localhost:8080", "https://u:p@maps.example",
                "a document from maps.example may not refer to"
            ),
            (
                "http://10.0.0.7", "https://u:p@maps.example",
                "a document from maps.example may not refer to"
            ),
            ("http://maps.example", "https://u:p@maps.example", nil),
            ("https://maps.example:8443", "https://maps.example:8443", nil),
            ("http://other.example", "http://other.example", "go to other.example,"),
        ] as [(String, String, String?)])
    func `internal addresses of a proxied service are replaced by the one it was found at`(
        encoding: WMTSOptions.Encoding, hosts: (advertised: String, asked: String, note: String?)
    ) throws {
        var text = WMTSText.world()
        text.layer += """
            <ResourceURL format='image/png' resourceType='tile' template='\(hosts.advertised)/a/{TileMatrix}/{TileCol}/\
            {TileRow}'/>
            """
        text.operations = """
            <ows:Operation name="GetTile"><ows:DCP><ows:HTTP><ows:Get xlink:href="\(hosts.advertised)/wmts"/></ows:HTTP>\
            </ows:DCP></ows:Operation>
            """
        let request = try WMTSNegotiation.request(
            for: WMTSOptions(encoding: encoding), of: text.capabilities(),
            baseURL: "https://u:p@maps.example/wmts?key=k",
            mapCRS: .webMercator)
        let key = hosts.asked.hasPrefix("http://other") ? "" : "key=k"
        let expected =
            encoding == .path
            ? hosts.asked + "/a/0/0/0" + (key.isEmpty ? "" : "?" + key)
            : hosts.asked + "/wmts?" + (key.isEmpty ? "" : key + "&") + "SERVICE=WMTS&"
        let asked = try url(request, level: 0, column: 0, row: 0)
        #expect(encoding == .path ? asked == expected : asked.hasPrefix(expected))
        #expect(request.warnings.contains { $0.description.contains(hosts.note ?? "go to") } == (hosts.note != nil))
    }

    @Test(
        arguments: [
            (["image/jpeg", "image/png"], nil, "image/png"), (["image/jpeg", "image/png"], "jpg", "image/jpeg"),
            (["image/jpeg", "image/png8"], nil, "image/png8"), (["image/jpgpng", "image/webp"], nil, "image/jpgpng"),
            (["image/gif", "image/webp"], nil, "image/webp"), (["image/tiff", "image/gif"], nil, "image/gif"),
            (["image/png; mode=24bit"], "image/png", "image/png; mode=24bit"), ([], nil, "image/png"),
        ] as [([String], String?, String)])
    func `PNG is preferred to JPEG unless JPEG is requested`(offers: [String], wanted: String?, format: String) throws {
        var text = WMTSText.world()
        text.layer =
            "<TileMatrixSetLink><TileMatrixSet>m</TileMatrixSet></TileMatrixSetLink>"
            + offers.map { "<Format>\($0)</Format>" }.joined()
        #expect(try text.request(WMTSOptions(format: wanted)).format == format)
    }

    @Test func `formats that cannot be read are refused`() throws {
        var text = WMTSText.world()
        text.layer = text.layer.replacing("image/png", with: "application/vnd.mapbox-vector-tile")
        #expect(throws: WMTSError.formatNotOffered(nil, offers: ["application/vnd.mapbox-vector-tile"])) {
            try text.request()
        }
    }

    @Test func `requests are limited to the layer's box`() throws {
        let spain = try request("wmts-rest-caps.xml", WMTSOptions(layer: "spain"))
        let extent = try #require(spain.extent)
        // 9.5° W and 43.9° N by the formula of the spherical Mercator.
        #expect(abs(extent.minX + 1_057_535.16) < 0.01)
        #expect(abs(extent.maxY - 5_449_820.85) < 1000)
        let world = try request("wmts-rest-caps.xml", WMTSOptions(layer: "relief"))
        #expect(world.extent.map { abs($0.maxY - 20_037_508.34) < 0.01 } == true)
    }
}
