#if Storage
import Portolan
import PortolanFeatures
import PortolanServerCore
import TestHelpers
import Testing

/// Maps that are open to clients with a key alone.
@Suite struct MapKeyTests {
    private static let anaKey = "ana-ana-ana-ana-ana", benKey = "ben-ben-ben-ben-ben"

    /// A server of an open map, and of one for each of two clients; the first of them has an archive.
    private func guarded(_ change: (inout MapServer.Settings) -> Void = { _ in }) async throws -> SampleServer {
        let sample = try await SampleServer(change)
        let file = "\(sample.folder.path)/square.geojson"
        var ana = MapSource(
            name: "ana", layers: [file, "mbtiles:\(SampleServer.fixtures)/vector-tiles/helsinki.mbtiles;name=town"])
        ana.keys = AccessKeys([(name: "Ana", key: Self.anaKey)])
        var ben = MapSource(name: "ben", layers: [file])
        ben.keys = AccessKeys([(name: "Ben", key: Self.benKey)])
        let open = MapSource(name: "open", layers: [file])
        sample.server.replace(try await MapBook.open([open, ana, ben], configuration: RendererConfiguration()))
        return sample
    }

    /// Addresses of the map `ana` in every protocol.
    private static let addresses = [
        "/tiles/ana/0/0/0.png", "/tms/1.0.0/ana/0/0/0.png", "/tilejson/ana.json", "/data/ana.json",
        "/data/ana/8/145/74.pbf", "/data/ana:town.json", "/maps/ana/static/0,0,3/20x10.png", "/styles/ana.json",
        "/styles/512/ana.json", "/styles/ana/style.json", "/styles/ana/wmts.xml", "/styles/ana/0/0/0.png",
        "/styles/ana/static/0,0,3/20x10.png", "/styles/v1/u/ana/static/0,0,3/20x10",
        "/staticmap?map=ana&size=20x10&center=0,0&zoom=3", "/viewer/ana", "/overview/ana.png",
        "/wms?service=WMS&version=1.3.0&request=GetMap&layers=ana&styles=&crs=CRS:84&bbox=-5,-5,5,5&width=9&height=9&format=image/png",
        "/wms?service=WMS&version=1.3.0&request=GetMap&layers=open,ana:town&styles=&crs=CRS:84&bbox=-5,-5,5,5&width=9&height=9&format=image/png&exceptions=INIMAGE",
        "/wms?service=WMS&version=1.3.0&request=GetLegendGraphic&layer=ana&format=image/png",
        "/wmts/ana/default/WebMercatorQuad/0/0/0.png",
        "/wmts?service=WMTS&request=GetTile&layer=ana&style=default&tilematrixset=WebMercatorQuad&tilematrix=0&tilerow=0&tilecol=0&format=image/png",
        "/ogc/collections/ana", "/ogc/collections/ana/map?width=9&height=9", "/ogc/collections/ana/map/tiles",
        "/ogc/collections/ana/map/tiles/WebMercatorQuad/0/0/0", "/ogc/map?collections=ana&width=9&height=9",
    ]

    @Test(arguments: addresses, [false, true])
    func `a map with keys needs one of them in every protocol`(target: String, isOldWMS: Bool) async throws {
        let sample = try await guarded { $0.exceptionsAreSuccesses = isOldWMS }
        let without = await sample.get(target)
        #expect(without.status == 401, "\(target)")
        #expect(without[header: "WWW-Authenticate"] == "Bearer")
        #expect(without[header: "Cache-Control"] == "no-store")
        #expect(await sample.get(target, [("Authorization", "Bearer wrong-wrong-wrong")]).status == 401)
        #expect(await sample.get(target, [("Authorization", "Bearer \(Self.benKey)")]).status == 403)
        let start = target.contains("?") ? "&" : "?"
        #expect(await sample.get("\(target)\(start)key=\(Self.benKey)").status == 403)
        for (target, headers) in [
            (target, [("Authorization", "Bearer \(Self.anaKey)")]), ("\(target)\(start)key=\(Self.anaKey)", []),
            ("/key/\(Self.anaKey)\(target)", []), ("/%6Bey/\(Self.anaKey)\(target)", []),
        ] {
            let response = await sample.get(target, headers)
            // A legend of a map without one, and a tile that the archive has in one form alone.
            #expect([200, 204].contains(response.status), "\(target)")
            #expect(response[header: "Cache-Control"]?.contains("public") != true, "\(target)")
            #expect(response[header: "Vary"]?.contains("Authorization") == true)
        }
    }

    @Test func `glyph files and sprites of a style need the key of its map, whoever asked before`() async throws {
        let sample = try await SampleServer()
        let style = """
            {"version": 8, "sources": {}, "glyphs": "{fontstack} {range}.pbf", "sprite": "icons", "layers": [
            {"id": "ground", "type": "background", "layout": {}, "paint": {"background-color": "#fff"}}]}
            """
        let glyphs: [UInt8] = [10, 5, 10, 3] + Array("Ink".utf8)
        for (name, bytes) in [
            ("town.json", Array(style.utf8)), ("Ink 0-255.pbf", glyphs), ("icons.json", Array("{}".utf8)),
        ] { try sample.folder.write(bytes, to: name) }
        var town = MapSource(name: "town", layers: ["style:\(sample.folder.path)/town.json"])
        town.keys = AccessKeys([(name: "Ana", key: Self.anaKey)])
        sample.server.replace(try await MapBook.open([town], configuration: RendererConfiguration()))
        let key = [("Authorization", "Bearer \(Self.anaKey)")]
        for (target, refused) in [("/fonts/Ink/0-255.pbf", 404), ("/styles/town/sprite.json", 401)] {
            #expect(await sample.get(target).status == refused)
            #expect(await sample.get(target, key).status == 200, "\(target)")
            #expect(await sample.get(target).status == refused)
        }
    }

    @Test func `a viewer of a map with keys is opened with a key`() async throws {
        let sample = try await guarded(), body = #"{"width": 20, "height": 20, "ratio": 1}"#
        #expect(await sample.answer("POST", "/viewer/ana", body: body).status == 401)
        #expect(await sample.answer("POST", "/key/\(Self.benKey)/viewer/ana", body: body).status == 403)
        #expect(await sample.answer("POST", "/key/\(Self.anaKey)/viewer/ana", body: body).status == 201)
    }

    @Test(arguments: [
        "/", "/index.json", "/styles.json", "/data.json", "/ogc/collections", "/ogc/api", "/openapi.json",
        "/wms?service=WMS&request=GetCapabilities", "/wmts/1.0.0/WMTSCapabilities.xml", "/viewer",
    ])
    func `lists have a map with keys for clients with one of them`(target: String) async throws {
        let sample = try await guarded()
        func names(_ response: ServerResponse) -> Set<String> {
            let text = String(decoding: response.body, as: UTF8.self)
            return Set(["ana", "ben"].filter { text.contains(try! Regex("[/\"=>]\($0)[\":/<.]")) })
        }
        let accept = target == "/viewer" ? [("Accept", "text/html")] : []
        #expect(names(await sample.get(target, accept)) == [])
        let key = [("Authorization", "Bearer \(Self.anaKey)")] + accept
        #expect(names(await sample.get(target, key)) == ["ana"])
    }

    @Test func `a key in the address is in the addresses of documents, and one in the header is not`() async throws {
        let sample = try await guarded(), host = [("Host", "h")]
        func tiles(_ target: String, _ headers: [(String, String)] = []) async throws -> String? {
            try JSONReader.value(bytes: await sample.get(target, headers + host).body).objectValue?["tiles"]?
                .arrayValue?.first?.stringValue
        }
        let shown = "http://h/key/\(Self.anaKey)/tiles/ana/{z}/{x}/{y}.png"
        #expect(try await tiles("/tilejson/ana.json?key=\(Self.anaKey)") == shown)
        #expect(try await tiles("/key/\(Self.anaKey)/tilejson/ana.json") == shown)
        #expect(
            try await tiles("/tilejson/ana.json", [("Authorization", "Bearer \(Self.anaKey)")])
                == "http://h/tiles/ana/{z}/{x}/{y}.png")
        // An unknown key is not repeated.
        #expect(
            try await tiles("/tilejson/open.json?key=unknown-unknown") == "http://h/tiles/open/{z}/{x}/{y}.png")
    }

    @Test(arguments: [
        ("/viewer/ana?key=K", "../key/K/viewer/ana"), ("/?key=K", "key/K/"), ("/viewer?key=K", "key/K/viewer"),
    ])
    func `a browser is led to the address with the key in the path`(target: String, location: String) async throws {
        let sample = try await guarded()
        let response = await sample.get(target.replacing("K", with: Self.anaKey), [("Accept", "text/html")])
        #expect(response.status == 302)
        #expect(response[header: "Location"] == location.replacing("K", with: Self.anaKey))
    }

    @Test func `without maps that have keys the path of keys is not found`() async throws {
        #expect(try await SampleServer().get("/key/\(Self.anaKey)/tilejson/square.json").status == 404)
    }

    @Test func `signatures are of the path without the key`() async throws {
        let signature = try #require(URLSignature(keys: [[UInt8](repeating: 1, count: 16)]))
        let sample = try await guarded { $0.signature = signature }
        let target = signature.signing("/maps/ana/static/0,0,3/20x10.png", expiry: 4_000_000_000)
        #expect(await sample.get("/key/\(Self.anaKey)\(target)").status == 200)
        #expect(await sample.get("/key/\(Self.anaKey)/maps/ana/static/0,0,3/20x10.png").status == 401)
    }
}
#endif
