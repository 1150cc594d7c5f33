#if Server
import Foundation
import PortolanFeatures
import TestHelpers
import Testing

/// Folders as maps, and files that change while the server runs.
@Suite struct ServedFolderTests {
    private static func square(_ color: String) -> String {
        """
        {"type": "Feature", "properties": {"fill": "\(color)", "fill-opacity": 1, "stroke-width": 0},
         "geometry": {"type": "Polygon", "coordinates": [[[-5, -5], [5, -5], [5, 5], [-5, 5], [-5, -5]]]}}
        """
    }

    /// A program with a folder `maps` of files.
    private func built(_ files: [String: String]) throws -> BuiltServer {
        let built = try BuiltServer()
        for (path, text) in files { try Self.write(text, to: path, of: built) }
        return built
    }

    private static func write(_ text: String, to path: String, of built: BuiltServer) throws {
        let url = URL(filePath: "\(built.folder.path)/\(path)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url, options: .atomic)
    }

    private static let fixtures = String(#filePath.split(separator: "/Tests/PortolanServerTests/")[0]) + "/Fixtures"

    private func names(_ port: Int) async throws -> [String] {
        let answer = try await RawHTTP.get("/", from: port)
        let maps = try JSONReader.value(bytes: answer.body).objectValue?["maps"]?.arrayValue ?? []
        return maps.compactMap { $0.objectValue?["name"]?.stringValue }
    }

    @Test func `each servable file of a folder is a map, and others are named in the log`() async throws {
        let built = try built([
            "maps/roads.geojson": Self.square("#ff0000"), "maps/roads.json": Self.square("#00ff00"),
            "maps/deep/roads.geojson": Self.square("#0000ff"), "maps/notes.txt": "words", "maps/.hidden.geojson": "{",
            "maps/broken.geojson": "{\"type\": ",
            "maps/walk.gpx": "<gpx version=\"1.1\"><wpt lat=\"1\" lon=\"2\"/></gpx>",
            "outside.geojson": Self.square("#ffffff"),
        ])
        let manager = FileManager.default, folder = built.folder.path
        for name in ["cities.shp", "cities.dbf", "cities.shx", "cities.prj"] {
            try manager.copyItem(atPath: "\(Self.fixtures)/world/\(name)", toPath: "\(folder)/maps/\(name)")
        }
        try manager.copyItem(
            atPath: "\(Self.fixtures)/vector-tiles/helsinki.mbtiles", toPath: "\(folder)/maps/helsinki.mbtiles")
        for (name, target) in [
            ("leak.geojson", "../outside.geojson"), ("again.geojson", "walk.gpx"), ("loop", "."),
            ("gone.kml", "none.kml"),
        ] { try manager.createSymbolicLink(atPath: "\(folder)/maps/\(name)", withDestinationPath: target) }
        let running = try built.start(["maps", "--port", "0"]), port = try await running.port()
        // Files come before folders.
        #expect(
            try await names(port) == ["again", "cities", "helsinki", "roads", "roads-json", "walk", "deep-roads"])
        for words in [
            "maps/notes.txt: not a map by its name", "maps/leak.geojson: the link leads out of the folder",
            "maps/loop: not a file", "map 'broken':", "maps/gone.kml",
        ] { #expect(running.complaints.contains("left out: \(words)"), "\(words): \(running.complaints)") }
        for words in ["hidden", "cities.dbf", "cities.shx", "outside"] {
            #expect(!running.complaints.contains("left out: maps/\(words)"))
        }
        #expect(try await RawHTTP.get("/data/helsinki.json", from: port).status == 200)
        running.process.terminate()
        #expect(await running.status() == 0)
    }

    @Test func `several files are maps, and a configuration may name folders`() async throws {
        let built = try built([
            "a.geojson": Self.square("#ff0000"), "b/a.geojson": Self.square("#00ff00"),
            "maps.yaml": "port: 0\nfolders: [b]\nmaps: {x: {layers: [a.geojson]}}\n",
        ])
        let files = try built.start(["check", "a.geojson", "b/a.geojson"])
        #expect(await files.status() == 0)
        #expect(files.printed.split(separator: "\n").map { $0.prefix { $0 != ":" } } == ["a", "a-2"])
        let folder = try built.start(["check", "maps.yaml"])
        #expect(await folder.status() == 0)
        #expect(folder.printed.split(separator: "\n").map { $0.prefix { $0 != ":" } } == ["x", "a"])
    }

    @Test(arguments: [["maps", "--watch"], ["maps.yaml"]])
    func `changed, new and removed files reload the maps, and an error keeps them`(arguments: [String]) async throws {
        let built = try built([
            "maps/a.geojson": Self.square("#ff0000"), "maps.yaml": "folders: [maps]\nreload: on-change\n",
        ])
        let running = try built.start(arguments + ["--port", "0", "--quiet"]), port = try await running.port()
        func tag() async throws -> String? {
            try await RawHTTP.get("/tiles/a/2/1/1.png", from: port).headers["etag"]
        }
        @Sendable func reloads() -> Int { running.complaints.components(separatedBy: "note: maps reloaded").count - 1 }
        let first = try await tag()
        try Self.write(Self.square("#00ff00"), to: "maps/a.geojson", of: built)
        #expect(await eventually { reloads() == 1 })
        let second = try await tag()
        #expect(first != nil && second != nil && first != second)
        try Self.write("{\"type\": \"Feature", to: "maps/a.geojson", of: built)
        #expect(await eventually { running.complaints.contains("maps not reloaded; map 'a'") })
        #expect(try await tag() == second)
        try Self.write(Self.square("#00ff00"), to: "maps/a.geojson", of: built)
        try Self.write(Self.square("#0000ff"), to: "maps/deep/b.geojson", of: built)
        #expect(await eventually { running.complaints.contains("maps reloaded: a, b") })
        #expect(try await names(port) == ["a", "b"])
        // The same content has the same tag.
        #expect(try await tag() == second)
        try FileManager.default.removeItem(atPath: "\(built.folder.path)/maps/deep/b.geojson")
        #expect(await eventually { (try? await names(port)) == ["a"] })
        running.process.terminate()
        #expect(await running.status() == 0)
    }

    @Test func `without being asked the server reads no changed file`() async throws {
        let built = try built(["maps/a.geojson": Self.square("#ff0000")])
        let running = try built.start(["maps", "--port", "0", "--quiet"]), port = try await running.port()
        try Self.write("{", to: "maps/a.geojson", of: built)
        kill(running.process.processIdentifier, SIGHUP)
        #expect(await eventually { running.complaints.contains("maps not reloaded") })
        #expect(try await RawHTTP.get("/tiles/a/2/1/1.png", from: port).status == 200)
        running.process.terminate()
        #expect(await running.status() == 0)
    }

    @Test(arguments: ["json", "combined", "text"])
    func `the log is written to a file, which SIGHUP opens again`(format: String) async throws {
        let built = try built(["a.geojson": Self.square("#ff0000")]), path = "\(built.folder.path)/access.log"
        let running = try built.start(["a.geojson", "--port", "0", "--log-format", format, "--log-file", "access.log"])
        let port = try await running.port()
        @Sendable func lines(_ path: String) -> [Substring] {
            ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n")
        }
        #expect(try await RawHTTP.get("/tilejson/a.json?key=secret-secret", from: port).status == 200)
        #expect(await eventually { lines(path).count == 1 })
        let line = try #require(lines(path).first)
        #expect(line.contains("/tilejson/a.json") && !line.contains("secret"))
        switch format {
        case "json": #expect(try JSONReader.value(bytes: Array(line.utf8)).objectValue?["status"]?.integerValue == 200)
        case "combined": #expect(line.contains("\"GET /tilejson/a.json?key=*** HTTP/1.1\" 200 "))
        default: #expect(line.contains("GET /tilejson/a.json?key=*** 200 "))
        }
        try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
        kill(running.process.processIdentifier, SIGHUP)
        #expect(await eventually { running.complaints.contains("maps reloaded") })
        #expect(try await RawHTTP.get("/health/live", from: port).status == 200)
        #expect(await eventually { lines(path).count == 1 && lines(path + ".1").count == 1 })
        #expect(!running.complaints.contains("GET "))
        running.process.terminate()
        #expect(await running.status() == 0)
    }

    @Test func `keys of a configuration open its maps, and a reload replaces them`() async throws {
        let built = try built([
            "a.geojson": Self.square("#ff0000"),
            "maps.yaml": "port: 0\nmaps: {a: {layers: [a.geojson], keys: {ana: ana-ana-ana-ana-ana}}}\n",
        ])
        let running = try built.start(["maps.yaml"]), port = try await running.port()
        func status(_ key: String?) async throws -> Int {
            try await RawHTTP.get(
                "/tiles/a/2/1/1.png", from: port, headers: key.map { ["Authorization: Bearer \($0)"] } ?? []
            ).status
        }
        #expect(try await status(nil) == 401)
        #expect(try await status("ana-ana-ana-ana-ana") == 200)
        #expect(await eventually { running.complaints.contains("key=ana") })
        #expect(!running.complaints.contains("ana-ana"))
        try Self.write(
            "maps: {a: {layers: [a.geojson], keys: {ben: ben-ben-ben-ben-ben}}}\n", to: "maps.yaml", of: built)
        kill(running.process.processIdentifier, SIGHUP)
        #expect(await eventually { running.complaints.contains("maps reloaded: a") })
        #expect(try await status("ana-ana-ana-ana-ana") == 401)
        #expect(try await status("ben-ben-ben-ben-ben") == 200)
        running.process.terminate()
        #expect(await running.status() == 0)
    }
}
#endif
