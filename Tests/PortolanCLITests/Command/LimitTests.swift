import Foundation
import PortolanSQLite
import TestHelpers
import Testing

/// `--deadline` and `--memory-limit` hold in every subcommand, for files of this machine too.
@Suite struct LimitTests {
    private let portolan: BuiltCommand
    private static let view = ["--center", "0,0", "--zoom", "1", "--size", "80x80"]

    init() throws { portolan = try BuiltCommand() }

    private func write(feed name: String, stopTimes rows: Int) throws {
        var files = SampleFeed.files
        files["stop_times.txt", default: ""] += String(repeating: "t1,,,s1,9\n", count: rows)
        for (file, text) in files { try portolan.write(text, to: "\(name)/\(file)") }
    }

    // MARK: - Options

    private struct Dump: Decodable {
        struct Command: Decodable {
            struct Argument: Decodable {
                struct Name: Decodable { var name: String }
                var names: [Name]?
            }
            var commandName: String
            var subcommands: [Command]?
            var arguments: [Argument]?

            /// The commands without subcommands, with the arguments that run them.
            func leaves(_ words: [String] = []) -> [(words: [String], options: Set<String>)] {
                let beneath = (subcommands ?? []).filter { $0.commandName != "help" }
                guard beneath.isEmpty else { return beneath.flatMap { $0.leaves(words + [$0.commandName]) } }
                return [(words, Set((arguments ?? []).flatMap { ($0.names ?? []).map(\.name) }))]
            }
        }
        var command: Command
    }

    @Test func `every subcommand accepts a deadline and a memory limit`() async throws {
        let ended = try await portolan.run(["--experimental-dump-help"])
        let commands = try JSONDecoder().decode(Dump.self, from: Data(ended.output)).command.leaves()
        #expect(commands.count >= 28 && commands.contains { $0.words == ["transit", "validate"] })
        for (words, options) in commands {
            #expect(options.isSuperset(of: ["deadline", "memory-limit"]), "portolan \(words.joined(separator: " "))")
        }
    }

    // MARK: - Memory

    /// Commands with an input that is small as a file and has no room in 16 MiB.
    private static let large = [
        "info many.geojson", "info -", "measure many.geojson", "convert many.geojson o.gpx", "convert - o.gpx",
        "convert many.geojsonl o.geojsonl", "transit info feed", "transit validate feed",
        "transit stops feed --near 24.9,60.2", "transit departures feed s1", "transit plan feed s1 s2",
    ]

    @Test(arguments: large)
    func `input over the memory limit is rejected without being allocated`(line: String) async throws {
        let places = Array(repeating: "[1,1]", count: 2_000_000).joined(separator: ",")
        let document =
            #"{"type":"Feature","properties":{},"geometry":{"type":"MultiPoint","coordinates":[\#(places)]}}"#
        let name = line.contains("geojsonl") ? "many.geojsonl" : "many.geojson"
        try portolan.write(document + "\n" + (name.hasSuffix("l") ? document + "\n" : ""), to: name)
        try write(feed: "feed", stopTimes: 1_000_000)
        let input = line.contains(" -") ? FileHandle(forReadingAtPath: portolan.folder.path + "/" + name) : nil
        let words = line.split(separator: " ").map(String.init) + ["--memory-limit", "16"]
        // Of the data of the process, so that it ends with a signal where more is taken.
        let ended = try await portolan.run(words, after: "ulimit -d 400000", input: input)
        #expect(ended.status == 65 && ended.error.contains("16 MiB"), "\(ended.testDescription)")
        #expect(ended.error.contains("raise --memory-limit"))
    }

    /// Puts a GeoPackage into the folder whose only table is a view.
    private func write(view: String, to name: String) throws {
        let connection = try SQLiteConnection(path: portolan.folder.path + "/" + name, access: .writing)
        for statement in [
            "PRAGMA application_id=1196444487", "PRAGMA user_version=10300",
            "CREATE TABLE gpkg_spatial_ref_sys (srs_name, srs_id INTEGER PRIMARY KEY, organization, organization_coordsys_id, definition)",
            "INSERT INTO gpkg_spatial_ref_sys VALUES ('w', 4326, 'EPSG', 4326, '')",
            "CREATE TABLE gpkg_contents (table_name, data_type, identifier, description, last_change, min_x, min_y, max_x, max_y, srs_id)",
            "INSERT INTO gpkg_contents VALUES ('t', 'features', 't', '', '2020', -1, -1, 1, 1, 4326)",
            "CREATE TABLE gpkg_geometry_columns (table_name, column_name, geometry_type_name, srs_id, z, m)",
            "INSERT INTO gpkg_geometry_columns VALUES ('t', 'geom', 'GEOMETRY', 4326, 0, 0)",
            "CREATE VIEW t AS \(view)",
        ] { try connection.run(statement) }
    }

    private static let rows = "WITH RECURSIVE r(fid) AS (SELECT 1 UNION ALL SELECT fid + 1 FROM r)"

    #if Storage
    @Test(arguments: [
        // Each value may be as long as it is, and not all of a row together.
        rows + " SELECT fid, " + "abcd".map { "hex(zeroblob(60000000)) AS \($0), " }.joined() + "NULL AS geom FROM r",
        rows + " SELECT fid, hex(zeroblob(100000000)) AS geom FROM r",
        // Rows that are kept.
        rows + " SELECT fid, hex(zeroblob(1000000)) AS a, NULL AS geom FROM r",
    ])
    func `a database view with oversized rows is rejected without being allocated`(view: String) async throws {
        try write(view: view, to: "a.gpkg")
        for line in ["info a.gpkg", "convert a.gpkg o.geojson"] {
            let words = line.split(separator: " ").map(String.init) + ["--memory-limit", "64"]
            let ended = try await portolan.run(words, after: "ulimit -d 1000000")
            #expect(ended.status == 65, "\(ended.testDescription)")
        }
    }
    #endif

    // MARK: - Time

    #if Storage
    @Test(arguments: [
        "SELECT fid, NULL AS geom FROM r WHERE fid < 0", "SELECT count(*) AS fid, NULL AS geom FROM r",
        "SELECT fid, NULL AS geom FROM r WHERE length(hex(zeroblob(10000000 + fid))) = 1",
    ])
    func `a database view that never ends is stopped at the deadline`(view: String) async throws {
        try write(view: Self.rows + " " + view, to: "a.gpkg")
        for line in ["info a.gpkg", "convert a.gpkg o.geojson", "measure a.gpkg"] {
            let ended = try await portolan.run(line.split(separator: " ").map(String.init) + ["--deadline", "0.5"])
            #expect(ended.status == 69 && ended.error.contains("timed out"), "\(ended.testDescription)")
        }
        let drawn = try await portolan.run(["render", "-l", "a.gpkg", "-o", "a.png", "--deadline", "0.5"] + Self.view)
        #expect(drawn.status == 69 && drawn.error.contains("timed out after"), "\(drawn.testDescription)")
    }
    #endif

    /// Commands that read from standard input.
    private static let waiting = [
        "info -", "measure -", "convert - o.gpx", "identify -l - --lonlat 0,0", "plan -l -", "routes import - --book b",
    ]

    @Test(arguments: waiting)
    func `work that cannot be cancelled is ended at the deadline`(line: String) async throws {
        let words = line.split(separator: " ").map(String.init)
        let view = ["identify", "plan"].contains(words[0]) ? Self.view : []
        // The pipe has no writer and is never closed.
        let pipe = Pipe()
        let ended = try await portolan.run(words + view + ["--deadline", "0.5"], input: pipe)
        try pipe.fileHandleForWriting.close()
        #expect(ended.status == 69 && ended.error.contains("timed out after 0.5 s"), "\(ended.testDescription)")
        #expect(ended.error.contains("try a longer --deadline"))
    }

    @Test(arguments: ["0", "-1", "soon", "1e9"], ["info -", "transit info feed", "routes list"])
    func `an invalid deadline is rejected`(time: String, line: String) async throws {
        let words = line.split(separator: " ").map(String.init)
        let ended = try await portolan.run(words + ["--deadline", time])
        #expect(ended.status == 64, "\(ended.testDescription)")
    }
}
