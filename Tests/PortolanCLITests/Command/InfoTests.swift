import Foundation
import Testing

@Suite struct InfoTests {
    private let portolan: BuiltCommand

    init() throws { portolan = try BuiltCommand() }

    private func text(_ ended: BuiltCommand.Ended) -> String { String(decoding: ended.output, as: UTF8.self) }

    @Test func `a capabilities document is shown as a table`() async throws {
        try portolan.write(MapServer.capture("mapserver/caps-1.3.0.xml"), to: "caps.xml")
        let ended = try await portolan.run(["info", "caps.xml"])
        #expect(ended.status == 0 && ended.errors.isEmpty, "\(ended.testDescription)")
        let lines = text(ended).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.prefix(2) == ["Portolan test world (MapServer)", "WMS 1.3.0"])
        #expect(lines.contains("Largest   2048x2048 pixels"))
        #expect(lines.contains { $0.hasPrefix("CRS       EPSG:4326, CRS:84, EPSG:3857, EPSG:25830") })
        // Of the document: three levels deep, visible from 1:10 000 to 1:2 000 000.
        #expect(lines.contains { $0.hasPrefix("    cities_detail ") && $0.hasSuffix("1:10000 – 1:2000000") })
        // A heading stands over its column.
        let heading = try #require(lines.first { $0.hasPrefix("LAYER") })
        let row = try #require(lines.first { $0.hasPrefix("world") })
        let column = try #require(heading.range(of: "TITLE")).lowerBound
        #expect(row[column...].hasPrefix("World"))
        #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
    }

    @Test func `a WFS is shown with its feature types and page size`() async throws {
        try portolan.write(MapServer.capture("features/wfs-caps-2.0.0.xml"), to: "caps.xml")
        let lines = text(try await portolan.run(["info", "caps.xml"])).split(separator: "\n").map(String.init)
        #expect(lines.prefix(2) == ["Natural Earth", "WFS 2.0.0"])
        #expect(
            lines.contains("Features  300 per response by default") && lines.contains("Pages     yes"))
        let row = try #require(lines.first { $0.hasPrefix("ms:cities") })
        #expect(row.contains("Cities") && row.contains("-157.8583") && row.contains("EPSG:4326, EPSG:3857, "))
    }

    @Test(arguments: [
        "<WMS_Capabilities version=\"1.3.0\">\n<Service><Title>t</Service></WMS_Capabilities>",
        "<Capabilities xmlns=\"http://www.opengis.net/wmts/1.0\" version=\"1.0.0\">\n<Contents></Layer></Contents></Capabilities>",
        "<TileMap version=\"1.0.0\">\n<Title>t</Titel></TileMap>",
        "<WFS_Capabilities version=\"2.0.0\">\n<FeatureTypeList></FeatureType></FeatureTypeList></WFS_Capabilities>",
    ])
    func `a malformed document is reported with the line of the error`(text: String) async throws {
        try portolan.write(text, to: "broken.xml")
        for kind in ["", "wms:", "wmts:", "tms:", "wfs:"] {
            let ended = try await portolan.run(["info", kind + "broken.xml"])
            #expect(
                ended.status == 65 && ended.error.contains("line 2") && ended.error.contains("mismatch"), "\(ended)")
            #expect(!ended.error.contains("write "))
        }
    }

    @Test func `dimensions are shown with their units, defaults and values, inherited ones too`() async throws {
        try portolan.write(
            """
            <WMS_Capabilities version="1.3.0"><Service><Title>t</Title></Service><Capability><Request><GetMap>
            <Format>image/png</Format></GetMap></Request><Layer><Title>all</Title><CRS>EPSG:3857</CRS>
            <Dimension name="time" units="ISO8601" default="2024-03-28">2024-01-01/2024-03-28/P1D</Dimension>
            <Layer><Name>a</Name><Dimension name="elevation" units="CRS:88" unitSymbol="m" default="0">0, 100,500</Dimension>
            </Layer><Layer><Name>b</Name><Dimension name="wavelength" units="um" default="4">1,2,3,4,5,6</Dimension></Layer>
            </Layer></Capability></WMS_Capabilities>
            """, to: "caps.xml")
        let table = text(try await portolan.run(["info", "caps.xml"]))
        let rows = table.split(separator: "\n").drop { !$0.hasPrefix("DIMENSION") }.prefix(4)
            .map { $0.split(separator: " ").joined(separator: " ") }
        #expect(
            rows == [
                "DIMENSION UNIT DEFAULT VALUES LAYERS", "time ISO8601 2024-03-28 2024-01-01/2024-03-28/P1D a, b",
                "elevation CRS:88 0 0, 100, 500 a", "wavelength um 4 1, 2, … (6) … 6 b",
            ], "\(table)")
        struct Document: Decodable {
            struct Dimension: Decodable, Equatable {
                var name: String, parameter: String, units: String, unitSymbol: String?, `default`: String?,
                    values: [String]
            }
            struct Layer: Decodable { var name: String?, dimensions: [Dimension] }
            var layers: [Layer]
        }
        let json = try JSONDecoder().decode(
            Document.self, from: Data(try await portolan.run(["info", "caps.xml", "--json"]).output))
        let time = Document.Dimension(
            name: "time", parameter: "TIME", units: "ISO8601", unitSymbol: nil, default: "2024-03-28",
            values: ["2024-01-01/2024-03-28/P1D"])
        #expect(
            json.layers.map(\.dimensions.count) == [1, 2, 2] && json.layers.allSatisfy { $0.dimensions.first == time })
        #expect(
            json.layers[1].dimensions.last
                == .init(
                    name: "elevation", parameter: "ELEVATION", units: "CRS:88", unitSymbol: "m", default: "0",
                    values: ["0", "100", "500"]))
        #expect(json.layers[2].dimensions.last?.parameter == "DIM_WAVELENGTH")
    }

    @Test func `CRSs that all layers have are listed once, wherever the document lists them`() async throws {
        // As MapCache does: none for the topmost, and each of the others' several times.
        try portolan.write(
            """
            <WMT_MS_Capabilities version="1.1.1"><Service><Title>t</Title></Service><Capability><Request><GetMap>
            <Format>image/png</Format></GetMap></Request><Layer><Title>all</Title>
            <Layer><Name>a</Name><SRS>EPSG:25830</SRS><SRS>EPSG:3857</SRS><SRS>EPSG:3857</SRS><SRS>EPSG:4326</SRS></Layer>
            <Layer><Name>b</Name><SRS>EPSG:4326</SRS><SRS>EPSG:3857</SRS></Layer></Layer></Capability></WMT_MS_Capabilities>
            """, to: "caps.xml")
        let lines = text(try await portolan.run(["info", "caps.xml"])).split(separator: "\n")
        #expect(lines.contains("CRS       EPSG:3857, EPSG:4326"))
    }

    @Test func `a capabilities document is shown as JSON`() async throws {
        try portolan.write(MapServer.capture("mapserver/caps-1.3.0.xml"), to: "caps.xml")
        let ended = try await portolan.run(["info", "caps.xml", "--json"])
        let info = try #require(try JSONSerialization.jsonObject(with: Data(ended.output)) as? [String: Any])
        #expect(info["type"] as? String == "WMS")
        #expect(info["version"] as? String == "1.3.0")
        #expect(info["maxWidth"] as? Int == 2048)
        #expect((info["formats"] as? [String])?.first == "image/png")
        let layers = try #require(info["layers"] as? [[String: Any]])
        let cities = try #require(layers.first { $0["name"] as? String == "cities_detail" })
        #expect(cities["depth"] as? Int == 2)
        #expect(cities["minScaleDenominator"] as? Double == 10_000)
        #expect(cities["geographicBox"] as? [Double] == [-180, -55, 180, 79])
    }

    /// GeoServer lists its seven thousand systems at the root, and each layer inherits them.
    @Test func `inherited CRSs are listed once`() async throws {
        let systems = (2000..<8900).map { "<CRS>EPSG:\($0)</CRS>" }.joined()
        let layers = (0..<400).map { number in
            "<Layer><Name>l\(number)</Name><Title>t</Title>\(number % 2 == 0 ? "<CRS>EPSG:900913</CRS>" : "")</Layer>"
        }.joined()
        let document = """
            <WMS_Capabilities version="1.3.0"><Capability><Request><GetMap><Format>image/png</Format></GetMap></Request>
            <Layer><Title>root</Title>\(systems)\(layers)</Layer></Capability></WMS_Capabilities>
            """
        try portolan.write(document, to: "caps.xml")
        let ended = try await portolan.run(["info", "caps.xml", "--json"])
        // Each layer has a line for each of its keys.
        #expect(ended.output.count < 4 * document.utf8.count, "\(ended.output.count) of \(document.utf8.count)")
        let info = try #require(try JSONSerialization.jsonObject(with: Data(ended.output)) as? [String: Any])
        let found = try #require(info["layers"] as? [[String: Any]])
        #expect((info["crs"] as? [String])?.count == 6900 && found.count == 401)
        #expect((found[0]["crs"] as? [String])?.count == 6900)
        #expect(found[1]["crs"] as? [String] == ["EPSG:900913"] && found[2]["crs"] as? [String] == [])
        let lines = text(try await portolan.run(["info", "caps.xml"])).split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("CRS       EPSG:2000, EPSG:2001") && $0.hasSuffix("and 6888 more") })
    }

    /// The arguments that messages recommend.
    @Test func `a source may be given in layer syntax`() async throws {
        let server = try LoopbackServer(MapServer.wms())
        defer { server.stop() }
        for source in ["wms:\(server.url)/wms?map=x", "wms:\(server.url)/wms?map=x;layers=cities"] {
            let ended = try await portolan.run(["info", source])
            #expect(ended.status == 0, "\(ended.testDescription)")
            #expect(text(ended).hasPrefix("Portolan test world (MapServer)\nWMS 1.3.0\n"))
        }
        #expect(server.log.allSatisfy { $0.target.hasPrefix("/wms?map=x&") })
        try portolan.write(#"{"type":"Point","coordinates":[1,2]}"#, to: "a.geojson")
        #expect(text(try await portolan.run(["info", "a.geojson"])).hasPrefix("GeoJSON, 1 features"))
        let doctor = try await portolan.run(["doctor", "wms:\(server.url)/wms?map=x;layers=nowhere", "--quiet"])
        #expect(doctor.status == 64 && doctor.errors.contains("'nowhere'"), "\(doctor.testDescription)")
        let template = try await portolan.run(["doctor", "xyz:http://127.0.0.1:1/{z}/{x}/{y}.png"])
        #expect(
            template.status == 64
                && template.errors.contains("wms:, wmts:, tms:, wfs:, oaf:, tilejson:, pmtiles: and geotiff:"),
            "\(template.testDescription)")
    }

    /// TileCache answers as a WMS there too, once it is asked as one.
    @Test(arguments: [("", "TMS"), ("wms:", "WMS")]) func `the root document of a TMS is recognised`(
        kind: String, shown: String
    ) async throws {
        let capabilities = try MapServer.capture("mapserver/caps-1.1.1.xml")
        let server = try LoopbackServer { request in
            if request.target.contains("GetCapabilities") { return .init(type: "text/xml", body: capabilities) }
            let text = "<TileMapService version='1.0.0' services='x'><Title>T</Title><TileMaps/></TileMapService>"
            return .init(type: "text/xml", body: Array(text.utf8))
        }
        defer { server.stop() }
        let ended = try await portolan.run(["info", "\(kind)\(server.url)/tilecache.cgi/1.0.0/"])
        #expect(ended.status == 0 && text(ended).contains("\n\(shown) "), "\(ended.testDescription)")
    }

    @Test func `tile sets are listed, with significant digits for fine resolutions`() async throws {
        try portolan.write(MapServer.capture("mapproxy/wmsc-caps-1.1.1.xml"), to: "caps")
        let lines = text(try await portolan.run(["info", "caps"])).split(separator: "\n")
        // 0.703125 degrees a pixel, halved eighteen times.
        #expect(lines.contains { $0.hasPrefix("political") && $0.hasSuffix("19      0.7031 – 0.000002682") })
        #expect(lines.contains { $0.hasPrefix("relief") && $0.contains("512x512  7 ") })
    }

    @Test func `features are counted, and their properties listed`() async throws {
        try portolan.write(
            """
            {"type":"FeatureCollection","features":[
             {"type":"Feature","properties":{"name":"A\\u001b[31m","height":3},
              "geometry":{"type":"Point","coordinates":[1,2]}},
             {"type":"Feature","properties":{"name":"B"},
              "geometry":{"type":"LineString","coordinates":[[3,4],[5,6]]}}]}
            """, to: "a.geojson")
        let table = try await portolan.run(["info", "a.geojson"])
        #expect(text(table).contains("GeoJSON, 2 features, 3 coordinates"))
        #expect(text(table).contains("Extent      1 2 5 6"))
        #expect(!text(table).contains("\u{1B}"))
        let json = try await portolan.run(["info", "a.geojson", "--json"])
        let info = try #require(try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any])
        #expect(info["features"] as? Int == 2)
        #expect(info["boundingBox"] as? [Double] == [1, 2, 5, 6])
    }

    @Test func `the capabilities of a service URL are requested`() async throws {
        let server = try LoopbackServer(MapServer.wms())
        defer { server.stop() }
        let ended = try await portolan.run(["info", "\(server.url)/wms?map=x"])
        #expect(ended.status == 0, "\(ended.testDescription)")
        #expect(text(ended).hasPrefix("Portolan test world (MapServer)\nWMS 1.3.0\n"))
        #expect(server.log.allSatisfy { $0.target.hasPrefix("/wms?map=x&") && $0.target.contains("GetCapabilities") })
    }

    @Test func `features are recognised by content if their URL does not show the format`() async throws {
        let server = try LoopbackServer { _ in
            .init(type: "application/json", body: Array(#"{"type":"Point","coordinates":[1,2]}"#.utf8))
        }
        defer { server.stop() }
        let ended = try await portolan.run(["info", "\(server.url)/features/7"])
        #expect(ended.status == 0, "\(ended.testDescription)")
        #expect(text(ended).hasPrefix("GeoJSON, 1 features"))
    }

    @Test func `an unreachable service and an invalid response have their own exit codes`() async throws {
        #expect(try await portolan.run(["info", "http://127.0.0.1:1/wms"]).status == 69)
        let server = try LoopbackServer { _ in .init(type: "text/html", body: Array("<html>Hi</html>".utf8)) }
        defer { server.stop() }
        let ended = try await portolan.run(["info", "\(server.url)/wms"])
        #expect(ended.status == 65, "\(ended.testDescription)")
    }
}
