#if Server
import Foundation
import Portolan
import PortolanArchives
import PortolanCodecs
import PortolanFetch
import PortolanGeo
import PortolanRaster
import TestHelpers
import Testing

/// The program as scripts and service managers use it.
@Suite struct ServerProgramTests {
    private static let square = """
        {"type": "Feature", "properties": {"fill": "#ff0000", "fill-opacity": 1, "stroke-width": 0},
         "geometry": {"type": "Polygon", "coordinates": [[[-5, -5], [5, -5], [5, 5], [-5, 5], [-5, -5]]]}}
        """

    private func built() throws -> BuiltServer {
        let built = try BuiltServer()
        try built.folder.write(Array(Self.square.utf8), to: "square.geojson")
        return built
    }

    @Test func `the first line is the address, requests are answered, and SIGTERM exits with 0`() async throws {
        let running = try built().start(["-l", "square.geojson", "--port", "0"])
        let port = try await running.port()
        let answer = try await RawHTTP.get("/tiles/map/2/1/1.png", from: port)
        #expect(answer.status == 200)
        #expect(answer.headers["content-type"] == "image/png")
        #expect(answer.headers["content-length"] == "\(answer.body.count)")
        let pixels = try ImageDecoders.standard.decode(answer.body)
        #expect(pixels[255, 255] == Pixel(MapColor(red: 255, green: 0, blue: 0)))
        let tag = try #require(answer.headers["etag"])
        let again = try await RawHTTP.get("/tiles/map/2/1/1.png", from: port, headers: ["If-None-Match: \(tag)"])
        #expect(again.status == 304)
        #expect(again.body.isEmpty)
        let head = try await RawHTTP.get("/tiles/map/2/1/1.png", from: port, method: "HEAD")
        #expect(head.status == 200)
        #expect(head.body.isEmpty)
        #expect(head.headers["content-length"] == "\(answer.body.count)")
        let options = try await RawHTTP.get("/tiles/map/2/1/1.png", from: port, method: "OPTIONS")
        #expect(options.status == 204)
        running.process.terminate()
        #expect(await running.status() == 0)
        #expect(running.printed == "http://127.0.0.1:\(port)/\n")
        #expect(running.complaints.contains("GET /tiles/map/2/1/1.png 200"))
    }

    @Test func `a port in use gives a message and an exit code`() async throws {
        let (descriptor, port) = try LoopbackSocket.listen()
        defer { LoopbackSocket.end(descriptor) }
        let running = try built().start(["-l", "square.geojson", "--port", "\(port)"])
        #expect(await running.status() == 69)
        #expect(running.printed.isEmpty)
        #expect(running.complaints.contains("port \(port) of 127.0.0.1 is in use"))
    }

    @Test(arguments: [
        ([], 64, "nothing to serve"), (["--port", "99999", "-l", "square.geojson"], 64, "--port 99999"),
        (["none.json"], 66, "none.json"), (["none.geojson"], 66, "none.geojson: no such file"),
        (["-l", "none.geojson"], 66, "none.geojson"), (["empty"], 65, "no map to serve"),
        (["square.geojson", "maps.yaml"], 64, "maps.yaml defines its own maps"),
        (["square.geojson", "walk.gpx", "--name", "a"], 64, "--layer and --name are for a single file"),
        (["square.geojson", "--log-format", "xml"], 64, "must be text, json or combined"),
        (["square.geojson", "--log-file", "none/log"], 73, "none/log: the log cannot be written"),
        (["check", "cors.yaml"], 65, "cors.yaml, line 2: 'cors' must be true, false or a list of origins"),
        (["check", "open.yaml"], 65, "open.yaml, line 1: 'keys' must be strings of 16 bytes or more"),
        (["check", "reload.yaml"], 65, "'reload' must be on-signal or on-change"),
        (["words.txt"], 65, "'words.txt' is plain text"), (["broken.geojson"], 65, "broken.geojson: GeoJSON, line 1"),
        (["sheet.sld"], 65, "-l 'FEATURES;style=sheet.sld'"),
        (["empty.sqlite"], 65, "neither MBTiles nor a GeoPackage"),
        (["wms:https://127.0.0.1/wms", "--name", "a b"], 64, "a name must have 1 to 64"),
        (["-l", "square.geojson;colour=red"], 65, "colour"),
        (["--no-such"], 64, "--no-such"),
        (["square.geojson", "--prefix", "maps"], 64, "--prefix maps: must be a path like /maps"),
        (["none.yaml"], 66, "none.yaml"), (["check", "bad.yaml"], 65, "line 2"),
        (["check", "prefix.yaml"], 65, "prefix.yaml, line 2: 'prefix'"),
        (["check", "memory.yaml"], 65, "memory.yaml, line 2: 'memory-mib' must be a whole number from 8"),
        (["check", "icons.yaml"], 65, "icons.yaml, line 3: sprite 'signs' needs 'folder'"),
        (["check", "icon.yaml"], 65, "sprite 'none': "),
        (["check", "hosts.yaml"], 65, "hosts.yaml, line 2: 'hosts' must be a list"),
        (["check", "key.yaml"], 65, "line 3"), (["check", "cache.yaml"], 64, "redis://127.0.0.1"),
        (["check", "postgis.yaml"], 65, "postgis.yaml, line 4: unknown key 'tabel'"),
    ])
    func `an invalid configuration gives a message and an exit code`(
        arguments: [String], status: Int32, words: String
    ) async throws {
        let built = try built()
        try built.folder.write(Array("port: 8080\nmapps: {}\n".utf8), to: "bad.yaml")
        let key = "maps: {a: {layers: [square.geojson]}}\nroutes:\n  keys: {ana: short}\n"
        try built.folder.write(Array(key.utf8), to: "key.yaml")
        let icons = "maps: {a: {layers: [square.geojson]}}\nsprites:\n  signs: {sdf: true}\n"
        try built.folder.write(Array(icons.utf8), to: "icons.yaml")
        try built.folder.write(
            Array("maps: {a: {layers: [square.geojson]}}\nsprites: none\n".utf8), to: "icon.yaml")
        let postgis = "postgis:\n  url: postgresql://127.0.0.1/city\n  sources:\n    roads: {tabel: roads}\n"
        try built.folder.write(Array(postgis.utf8), to: "postgis.yaml")
        let memory = "maps: {a: {layers: [square.geojson]}}\nmemory-mib: 64k\n"
        try built.folder.write(Array(memory.utf8), to: "memory.yaml")
        let prefix = "maps: {a: {layers: [square.geojson]}}\nprefix: https://maps.example\n"
        try built.folder.write(Array(prefix.utf8), to: "prefix.yaml")
        let hosts = "maps: {a: {layers: [square.geojson]}}\nicons: {folder: icons, hosts: icons.example.org}\n"
        try built.folder.write(Array(hosts.utf8), to: "hosts.yaml")
        let cache = "maps: {a: {layers: [square.geojson]}}\ncache: redis://127.0.0.1:port\n"
        try built.folder.write(Array(cache.utf8), to: "cache.yaml")
        try FileManager.default.createDirectory(
            atPath: "\(built.folder.path)/empty", withIntermediateDirectories: true)
        for (name, text) in [
            ("maps.yaml", "maps: {a: {layers: [square.geojson]}}\n"),
            ("walk.gpx", "<gpx version=\"1.1\"><wpt lat=\"1\" lon=\"2\"/></gpx>"),
            ("cors.yaml", "maps: {a: {layers: [square.geojson]}}\ncors: [\"*\"]\n"),
            ("open.yaml", "maps: {a: {layers: [square.geojson], keys: {ana: short}}}\n"),
            ("reload.yaml", "maps: {a: {layers: [square.geojson]}}\nreload: always\n"),
        ] { try built.folder.write(Array(text.utf8), to: name) }
        try built.folder.write(Array("Some words.\n".utf8), to: "words.txt")
        try built.folder.write(Array("{\"type\": \"FeatureCollection\",".utf8), to: "broken.geojson")
        try built.folder.write(Array("<StyledLayerDescriptor version=\"1.0.0\"/>".utf8), to: "sheet.sld")
        try built.folder.write(Array("SQLite format 3\0".utf8), to: "empty.sqlite")
        let running = try built.start(arguments)
        #expect(await running.status() == status)
        #expect(running.complaints.contains(words), "\(running.complaints)")
    }

    private static let fixtures = String(#filePath.split(separator: "/Tests/PortolanServerTests/")[0]) + "/Fixtures"

    @Test(arguments: [
        ("square.geojson", "square: 1 layers"), ("Zürich & more.geojson", "Zurich-more: 1 layers"),
        ("semi;colon.geojson", "semi-colon: 1 layers"), ("style.json", "style: 1 layers"),
        ("map.json", "map: 2 layers"),
        ("town.mbtiles", "town: 1 layers"), ("\(fixtures)/geopackage/degrees.gpkg", "degrees: 1 layers"),
        ("\(fixtures)/world/cities.shp", "cities: 1 layers"), ("\(fixtures)/world/cities.csv", "cities: 1 layers"),
        ("walk.gpx", "walk: 1 layers"), ("xyz:http://127.0.0.1:9/{z}/{x}/{y}.png", "map: 1 layers"),
    ])
    func `a file argument is served by its kind, under its name`(file: String, printed: String) async throws {
        let built = try built(), folder = built.folder
        for name in ["Zürich & more.geojson", "semi;colon.geojson"] {
            try folder.write(Array(Self.square.utf8), to: name)
        }
        let style = #"""
            {"version": 8, "sources": {"a": {"type": "geojson", "data": "square.geojson"}},
             "layers": [{"id": "a", "type": "fill", "source": "a"}]}
            """#
        try folder.write(Array(style.utf8), to: "style.json")
        try folder.write(
            Array(#"{"layers": [{"source": "square.geojson"}, {"source": "square.geojson", "name": "b"}]}"#.utf8),
            to: "map.json")
        let track = #"<gpx version="1.1"><wpt lat="1" lon="2"/></gpx>"#
        try folder.write(Array(track.utf8), to: "walk.gpx")
        let tile = try PNGEncoder.encode(
            PixelBuffer(size: #require(ImageSize(width: 256, height: 256)), filledWith: Pixel(.black)))
        let writer = try MBTilesWriter(path: folder.path + "/town.mbtiles", job: "x")
        try writer.write([MBTile(level: 3, column: 4, row: 3, bytes: tile)])
        try writer.finish(MBTilesMetadata(name: "Town", format: "png", bounds: [1, 2, 3, 4], levels: 3...3))
        let check = try built.start(["check", file])
        #expect(await check.status() == 0, "\(check.complaints)")
        #expect(check.printed.hasPrefix(printed + ","))
    }

    @Test func `a file argument is shown whole in the browser`() async throws {
        let running = try built().start(["square.geojson", "--port", "0"]), port = try await running.port()
        let index = try await RawHTTP.get("/", from: port, headers: ["Accept: text/html"])
        #expect(index.status == 302)
        #expect(index.headers["location"] == "viewer/square")
        #expect(try await RawHTTP.get("/viewer/square", from: port).status == 200)
        let opened = try await RawHTTP.get(
            "/viewer/square", from: port, method: "POST", body: #"{"width": 200, "height": 200, "ratio": 1}"#)
        let session = try #require(String(decoding: opened.body, as: UTF8.self).firstMatch(of: /"session":"(\w+)"/)?.1)
        let frame = try await RawHTTP.get("/session/\(session)/frame", from: port)
        let zoom = try #require(frame.headers["portolan-frame"]?.firstMatch(of: /"zoom":([\d.]+)/)?.1)
        // The square is ten degrees wide: 120 of 200 pixels at this level.
        #expect(try abs(#require(Double(zoom)) - 4.07) < 0.05)
        running.process.terminate()
        #expect(await running.status() == 0)
    }

    @Test(arguments: [["--prefix", "/gis"], []])
    func `an archive is served under a prefix, its tiles as they are stored`(prefix: [String]) async throws {
        let built = try built(), path = prefix.last ?? ""
        try built.folder.write(
            Array(
                "port: 0\nprefix: /maps/\nmaps: {town: {layers: [\"mbtiles:\(Self.fixtures)/vector-tiles/helsinki.mbtiles\"]}}\n"
                    .utf8), to: "maps.yaml")
        let arguments =
            path.isEmpty
            ? ["maps.yaml"] : ["\(Self.fixtures)/vector-tiles/helsinki.mbtiles", "--name", "town"] + prefix
        let running = try built.start(arguments + ["--port", "0"])
        let ready = await eventually { running.printed.contains("\n") || !running.process.isRunning }
        try #require(ready, "\(running.complaints)")
        let found = try #require(try #/http:\/\/127\.0\.0\.1:(\d+)(.*)\/\n/#.wholeMatch(in: running.printed))
        let port = try #require(Int(found.1)), shown = String(found.2)
        #expect(shown == (path.isEmpty ? "/maps" : path))
        let document = try await RawHTTP.get("\(shown)/data/town.json", from: port, headers: ["Accept-Encoding: gzip"])
        #expect(document.status == 200)
        #expect(document.headers["content-encoding"] == "gzip")
        #expect(document.headers["content-length"] == "\(document.body.count)")
        let tile = try await RawHTTP.get(
            "\(shown)/data/town/8/145/74.pbf", from: port, headers: ["Accept-Encoding: gzip"])
        #expect(tile.status == 200)
        #expect(tile.headers["content-encoding"] == "gzip")
        #expect(
            tile.body
                == (try MBTilesFile(path: "\(Self.fixtures)/vector-tiles/helsinki.mbtiles").tile(
                    level: 8, column: 145, row: 74)))
        #expect(try await RawHTTP.get("\(shown)/data/town/8/0/0.pbf", from: port).status == 204)
        #expect(try await RawHTTP.get("/data/town.json", from: port).status == 404)
        running.process.terminate()
        #expect(await running.status() == 0)
    }

    @Test func `markers have the icons of the folder that the configuration names`() async throws {
        let built = try built()
        let icon = try PNGEncoder.encode(
            PixelBuffer(size: #require(ImageSize(width: 8, height: 8)), filledWith: Pixel(.black)))
        try built.folder.write(icon, to: "black.png")
        try built.folder.write(
            Array("port: 0\nicons: .\nmaps: {a: {layers: [square.geojson]}}\n".utf8), to: "maps.yaml")
        let running = try built.start(["maps.yaml"])
        let ready = await eventually { running.printed.contains("\n") || !running.process.isRunning }
        try #require(ready, "\(running.complaints)")
        let port = try #require(Int(running.printed.split(separator: ":")[2].prefix { $0.isNumber }))
        let start = "/styles/a/static/0,0,3/20x10.png?marker=0,0%7C"
        #expect(try await RawHTTP.get(start + "black.png", from: port).status == 200)
        #expect(try await RawHTTP.get(start + "none.png", from: port).status == 400)
        running.process.terminate()
        #expect(await running.status() == 0)
    }

    @Test(arguments: [["--help"], ["-h"], ["help"], ["serve", "--help"], ["maps.yaml", "--help"], ["help", "serve"]])
    func `the help of the command is that of serve`(arguments: [String]) async throws {
        let running = try built().start(arguments)
        #expect(await running.status() == 0)
        for words in [
            "--port", "--host", "--prefix", "--watch", "--log-format", "--log-file", "PMTiles", "-l, --layer", "--name",
            "--quiet", "portolan-server check",
            "EXIT CODES",
        ] {
            #expect(running.printed.contains(words), "\(words)")
        }
        // What is for serving stands before what is for the network.
        let port = try #require(running.printed.firstRange(of: "--port <port>"))
        let cache = try #require(running.printed.firstRange(of: "--cache <"))
        #expect(port.lowerBound < cache.lowerBound)
    }

    @Test(arguments: ["check", "seed"])
    func `other subcommands have their own help`(command: String) async throws {
        for arguments in [[command, "--help"], ["help", command]] {
            let running = try built().start(arguments)
            #expect(await running.status() == 0)
            #expect(
                running.printed.contains("portolan-server \(command)") && !running.printed.contains("--port <port>"))
        }
    }

    @Test(arguments: [
        ("count: 0", "line 2: 'count' must be a whole number from 1 to 10000"),
        ("concurrency: many", "'concurrency'"), ("memory-mib: 1", "'memory-mib'"), ("patience: 1", "'patience'"),
        ("patiense: 5", "did you mean 'patience'"),
    ])
    func `the limits of viewers are validated`(key: String, words: String) async throws {
        let built = try built()
        let text = "maps: {a: {layers: [square.geojson]}}\nviewer: {\(key)}\n"
        try built.folder.write(Array(text.utf8), to: "maps.yaml")
        let check = try built.start(["check", "maps.yaml"])
        #expect(await check.status() == 65)
        #expect(check.complaints.contains(words), "\(check.complaints)")
    }

    @Test func `the configuration limits the number of viewers`() async throws {
        let built = try built()
        let text = """
            port: 0
            maps: {a: {layers: [square.geojson]}}
            viewer: {count: 1, concurrency: 1, memory-mib: 64, patience: 5}

            """
        try built.folder.write(Array(text.utf8), to: "maps.yaml")
        let running = try built.start(["maps.yaml"]), port = try await running.port()
        @Sendable func open(_ side: Int) async throws -> Int {
            let body = #"{"width": \#(side), "height": \#(side), "ratio": 1}"#
            return try await RawHTTP.get("/viewer/a", from: port, method: "POST", body: body).status
        }
        #expect(try await open(2000) == 503, "its pictures take more than 64 MiB")
        #expect(try await open(200) == 201)
        #expect(try await open(200) == 503)
        // The page of the first is silent, and so another may open.
        #expect(await eventually { (try? await open(200)) == 201 })
        running.process.terminate()
        #expect(await running.status() == 0)
    }

    @Test func `a configuration is checked, served, and reloaded at SIGHUP completely or not at all`() async throws {
        let built = try built()
        func configure(_ text: String) throws { try built.folder.write(Array(text.utf8), to: "maps.yaml") }
        try configure("port: 0\nmaps:\n  one: {layers: [square.geojson], title: One, zooms: 0-5}\n")
        let check = try built.start(["check", "maps.yaml"])
        #expect(await check.status() == 0)
        #expect(check.printed == "one: 1 layers, EPSG:3857, levels 0 to 5\n")
        let running = try built.start(["maps.yaml", "--quiet"])
        let port = try await running.port()
        func status(_ map: String) async throws -> Int {
            try await RawHTTP.get("/tilejson/\(map).json", from: port).status
        }
        #expect(try await status("one") == 200)
        try configure("maps:\n  two: {layers: [none.geojson]}\n")
        kill(running.process.processIdentifier, SIGHUP)
        #expect(await eventually { running.complaints.contains("maps not reloaded") })
        #expect(try await status("one") == 200)
        try configure("maps:\n  two: {layers: [square.geojson]}\n")
        kill(running.process.processIdentifier, SIGHUP)
        #expect(await eventually { running.complaints.contains("maps reloaded: two") })
        #expect(try await status("one") == 404)
        #expect(try await status("two") == 200)
        // A timetable belongs to what is read.
        try configure("maps:\n  three: {layers: [square.geojson]}\nviewer: {transit: none.zip}\n")
        kill(running.process.processIdentifier, SIGHUP)
        #expect(await eventually { running.complaints.contains("maps not reloaded; 'transit'") })
        #expect(try await status("two") == 200)
        running.process.terminate()
        #expect(await running.status() == 0)
    }

    @Test func `a separate health port reports a pending shutdown while the server still runs`() async throws {
        let built = try built()
        let text = """
            port: 0
            health-port: 0
            shutdown: {notice: 3600}
            maps: {one: {layers: [square.geojson]}}

            """
        try built.folder.write(Array(text.utf8), to: "maps.yaml")
        let running = try built.start(["maps.yaml", "--quiet"])
        let port = try await running.port()
        #expect(await eventually { running.complaints.contains("health checks and metrics at") })
        let named = try #require(running.complaints.firstMatch(of: #/http:\/\/127\.0\.0\.1:(\d+)\//#))
        let health = try #require(Int(named.1))
        func status(_ target: String, _ port: Int) async throws -> Int {
            try await RawHTTP.get(target, from: port).status
        }
        for target in ["/health/live", "/health/ready", "/metrics"] {
            #expect(try await status(target, health) == 200)
            #expect(try await status(target, port) == 404)
        }
        for target in ["/", "/tilejson/one.json", "/viewer/one"] { #expect(try await status(target, health) == 404) }
        running.process.terminate()
        var ready = 200
        while ready == 200 { ready = try await status("/health/ready", health) }
        #expect(ready == 503)
        #expect(try await status("/tilejson/one.json", port) == 200)
        kill(running.process.processIdentifier, SIGKILL)
        #expect(await running.status() == 128 + SIGKILL)
    }
}
#endif
