import CAllocations
import Foundation
import Portolan
import PortolanArchives
import PortolanPlan
import PortolanSQLite
import TestHelpers
import Testing

/// Files of tiles that somebody else has made: whatever their schema says, opening and reading them ends with a tile, with none, or
/// with a typed error, and runs nothing, writes nothing and takes no memory for what they claim.
@Suite struct ArchiveAttacks {
    struct Archive: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let statements: [String]
        /// Errors that are in order; none where a layer is made and its tile is had or is not there.
        let codes: Set<ArchiveError.Code>
    }

    private static let metadata = [
        "CREATE TABLE metadata (name TEXT, value TEXT)",
        "INSERT INTO metadata VALUES ('name', 'a'), ('format', 'png'), ('minzoom', '0'), ('maxzoom', '0')",
    ]
    private static let tiles =
        "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)"

    private static func archive(_ name: String, _ statements: [String], _ codes: ArchiveError.Code...) -> Archive {
        Archive(testDescription: name, statements: metadata + statements, codes: Set(codes))
    }

    static let archives = [
        archive(
            "a tile of a gigabyte that is not there",
            [
                "CREATE VIEW tiles AS SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row, zeroblob(900000000) AS tile_data"
            ], .limitExceeded, .damaged, .failed, .invalid, .wrongFormat),
        archive(
            "a tile that grows as it is read",
            [
                "CREATE VIEW tiles AS SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row, hex(zeroblob(400000000)) AS tile_data"
            ], .limitExceeded, .damaged, .failed, .invalid, .wrongFormat),
        archive(
            "a tile of text without an end",
            [
                "CREATE VIEW tiles AS SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row, printf('%.900000000c', 'x') AS tile_data"
            ], .damaged, .failed, .invalid, .wrongFormat),
        archive(
            "tiles that never end",
            [
                "CREATE VIEW tiles AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT i AS zoom_level, i AS tile_column, i AS tile_row, x'00' AS tile_data FROM n LIMIT 300000"
            ], .damaged, .failed, .invalid, .wrongFormat),
        archive(
            "a view of itself", ["CREATE VIEW tiles AS SELECT * FROM more", "CREATE VIEW more AS SELECT * FROM tiles"],
            .damaged, .failed, .invalid, .wrongFormat),
        archive(
            "a view of a file beside it",
            [
                "CREATE VIEW tiles AS SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row, readfile('/etc/hostname') AS tile_data"
            ], .damaged, .failed, .invalid, .wrongFormat),
        archive(
            "a view that loads a library",
            [
                "CREATE VIEW tiles AS SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row, load_extension('x') AS tile_data"
            ], .damaged, .failed, .invalid, .wrongFormat),
        archive(
            "a trigger on reading",
            [
                tiles, "CREATE TRIGGER t AFTER INSERT ON tiles BEGIN DELETE FROM metadata; END",
                "INSERT INTO tiles VALUES (0, 0, 0, x'89504E47')",
            ], .wrongFormat, .invalid),
        archive(
            "tiles far outside",
            [
                tiles,
                "INSERT INTO tiles VALUES (0, 9223372036854775807, -9223372036854775808, x'00'), (99999, 1, 1, x'00'), (-5, 0, 0, x'00')",
            ], .wrongFormat, .invalid, .damaged),
        archive(
            "tiles of texts and numbers",
            [tiles, "INSERT INTO tiles VALUES ('zero', 'x', 'y', 3.5), (0, 0, 0, 'text'), (NULL, NULL, NULL, NULL)"],
            .wrongFormat, .invalid, .damaged),
        archive(
            "a table without the columns", ["CREATE TABLE tiles (a, b)"], .wrongFormat, .damaged, .failed, .invalid),
        archive(
            "columns that are computed",
            [
                "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB GENERATED ALWAYS AS (zeroblob(1000000)))",
                "INSERT INTO tiles VALUES (0, 0, 0)",
            ], .wrongFormat, .damaged, .failed, .invalid),
        archive("no tile", [tiles], .wrongFormat, .invalid),
        archive(
            "levels without an end",
            [
                tiles, "INSERT INTO tiles VALUES (0, 0, 0, x'00')",
                "UPDATE metadata SET value = '99999999999999999999' WHERE name = 'maxzoom'",
            ], .wrongFormat, .invalid),
        archive(
            "bounds that are none",
            [
                tiles, "INSERT INTO tiles VALUES (0, 0, 0, x'00')",
                "INSERT INTO metadata VALUES ('bounds', 'nan,inf,-1e400,'), ('center', ',,,')",
            ], .wrongFormat, .invalid),
        archive(
            "a description of twenty megabytes",
            [
                tiles, "INSERT INTO tiles VALUES (0, 0, 0, x'00')",
                "INSERT INTO metadata VALUES ('json', printf('%.20000000c', '['))",
            ], .wrongFormat, .invalid, .damaged, .failed),
        archive(
            "a hundred thousand descriptions",
            [
                tiles, "INSERT INTO tiles VALUES (0, 0, 0, x'00')",
                "INSERT INTO metadata WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT 100000) SELECT 'k' || i, 'v' FROM n",
            ], .wrongFormat, .invalid),
        archive(
            "a name with an end of line",
            [
                tiles, "INSERT INTO tiles VALUES (0, 0, 0, x'00')",
                "UPDATE metadata SET value = char(27) || '[2J' || char(10) || char(8238) WHERE name = 'name'",
            ], .wrongFormat, .invalid),
        archive(
            "a format that is no picture's",
            [
                tiles, "INSERT INTO tiles VALUES (0, 0, 0, x'00')",
                "UPDATE metadata SET value = '../../etc' WHERE name = 'format'",
            ], .wrongFormat, .invalid),
    ]

    #if Storage
    @Test(arguments: archives)
    func `a file with a hostile schema is read or refused`(archive: Archive) throws {
        let folder = try TemporaryFolder(), path = folder.path + "/a.mbtiles"
        do {
            let database = try SQLiteConnection(path: path, access: .writing)
            for statement in archive.statements { try database.run(statement) }
        }
        let before = try folder.bytes("a.mbtiles")
        let held = portolan_allocations_begin_here()
        do {
            _ = try MapLayer.openMBTiles(named: "a", path: path)
            let file = try MBTilesFile(path: path)
            _ = try file.levels()
            _ = try file.tile(level: 0, column: 0, row: 0)
        } catch {
            #expect(archive.codes.contains(error.code), "\(error)")
            #expect(!error.description.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
        }
        // The largest memory of a tile, and a copy of it.
        #expect(portolan_allocations_peak_here() - held < 160 << 20)
        // Nothing was written, here or beside it.
        #expect(try folder.bytes("a.mbtiles") == before)
        #expect(folder.files == ["a.mbtiles"])
    }
    #endif

    @Test(arguments: ["a folder", "a pipe", "a device", "a link to itself", "an empty name", "a file of zero bytes"])
    func `paths that are not files are reported`(kind: String) throws {
        let folder = try TemporaryFolder(), path = folder.path + "/a.mbtiles"
        switch kind {
        case "a folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        case "a pipe": #expect(unsafe mkfifo(path, 0o600) == 0)
        case "a device": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
        case "a link to itself": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
        case "a file of zero bytes": try folder.write([], to: "a.mbtiles")
        default: break
        }
        let place = kind == "an empty name" ? "" : path
        #expect(throws: MapError.self) { try MapLayer.mbtiles(named: "a", path: place) }
        #expect(throws: MapError.self) { try MapLayer.geoPackage(named: "a", path: place) }
    }
}
