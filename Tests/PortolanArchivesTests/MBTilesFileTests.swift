#if Storage
import PortolanArchives
import PortolanSQLite
import PortolanServices
import TestHelpers
import Testing

@Suite(.timeLimit(.minutes(20))) struct MBTilesFileTests {
    static func file(_ folder: TemporaryFolder, _ statements: [String]) throws -> String {
        let path = folder.path + "/a.mbtiles"
        let connection = try SQLiteConnection(path: path, access: .writing)
        for statement in statements { try connection.run(statement) }
        return path
    }

    static let tables = [
        "CREATE TABLE metadata (name text, value text)",
        "CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob)",
    ]

    @Test func `metadata and tiles are read, with rows counted from the bottom`() throws {
        let folder = try TemporaryFolder()
        let path = try Self.file(
            folder,
            Self.tables + [
                "INSERT INTO metadata VALUES ('name','Town'), ('format','PNG'), ('bounds',' -1.5,40, 2,42.25 '), "
                    + "('minzoom','1'), ('maxzoom','3'), ('attribution','© us')",
                "INSERT INTO tiles VALUES (2, 1, 3, x'0102'), (2, 1, 0, x'03')",
            ])
        let file = try MBTilesFile(path: path)
        #expect(
            file.metadata
                == MBTilesMetadata(
                    name: "Town", format: "png", bounds: [-1.5, 40, 2, 42.25], levels: 1...3, attribution: "© us"))
        #expect(try file.tile(level: 2, column: 1, row: 0) == [1, 2] && file.tile(level: 2, column: 1, row: 3) == [3])
        #expect(try file.tile(level: 2, column: 0, row: 0) == nil && file.tile(level: 2, column: 4, row: 0) == nil)
        #expect(try file.tile(level: -1, column: 0, row: 0) == nil && file.tile(level: 62, column: 0, row: 0) == nil)
    }

    @Test func `missing metadata is derived from the tiles, in views as well`() throws {
        let folder = try TemporaryFolder()
        let path = try Self.file(
            folder,
            [
                "CREATE TABLE metadata (name text, value text)", "CREATE TABLE map (z, x, y, id)",
                "CREATE TABLE images (id, data)", "INSERT INTO images VALUES ('a', x'07')",
                "INSERT INTO map VALUES (4, 0, 15, 'a'), (6, 1, 1, 'a'), (77, 1, 1, 'a')",
                "INSERT INTO metadata VALUES ('bounds','1,2,x,4'), ('minzoom','9'), ('maxzoom','2')",
                "CREATE VIEW tiles AS SELECT z AS zoom_level, x AS tile_column, y AS tile_row, data AS tile_data "
                    + "FROM map JOIN images USING (id)",
            ])
        let file = try MBTilesFile(path: path)
        #expect(file.metadata.levels == 4...6)
        #expect(file.metadata.bounds == nil)
        #expect(file.metadata.attribution == nil)
        #expect(try file.tile(level: 4, column: 0, row: 0) == [7] && file.anyTile() == [7])
    }

    @Test func `the layers of vector tiles are read from the JSON metadata`() throws {
        let folder = try TemporaryFolder()
        let path = try Self.file(
            folder,
            Self.tables + [
                "INSERT INTO metadata VALUES ('format','pbf'), ('json', "
                    + #"'{"vector_layers": [{"id": "roads", "fields": {"class": "String"}}, {"id": 7}]}')"#,
                "INSERT INTO tiles VALUES (3, 1, 3, x'1f8b'), (3, 2, 3, x'1f8b'), (3, 2, 9, x'1f8b')",
            ])
        let file = try MBTilesFile(path: path)
        #expect(file.metadata.isVector)
        #expect(file.metadata.isMLT == false)
        #expect(file.metadata.vectorLayers.map(\.id) == ["roads"])
        #expect(try file.places(ofLevel: 3, count: 2).map(\.row) == [4, 4])
        #expect(try file.places(ofLevel: 4, count: 2).isEmpty)
        #expect(try file.places(ofLevel: 31, count: 2).isEmpty)
    }

    static let hostile: [([String], ArchiveError.Code)] = [
        ([], .wrongFormat), (["CREATE TABLE metadata (name text, value text)"], .wrongFormat),
        (tables, .wrongFormat), (["CREATE TABLE metadata (a)", tables[1]], .wrongFormat),
        ([tables[0], "CREATE TABLE tiles (a)"], .wrongFormat),
        (tables + ["INSERT INTO tiles VALUES (-5,0,0,x'00'), (31,0,0,x'00'), ('x',0,0,x'00')"], .wrongFormat),
    ]

    @Test(arguments: hostile.indices) func `a file that is not MBTiles is rejected`(index: Int) throws {
        let folder = try TemporaryFolder()
        let path = try Self.file(folder, Self.hostile[index].0)
        let error = #expect(throws: ArchiveError.self) { _ = try MBTilesFile(path: path) }
        #expect(error?.code == Self.hostile[index].1)
        #expect(error?.place == path)
    }

    @Test func `a missing file or a file that is not a database is rejected`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: ArchiveError.self) { _ = try MBTilesFile(path: folder.path + "/none") }
        #expect(throws: ArchiveError.self) { _ = try MBTilesFile(path: folder.path) }
        try folder.write(Array("not a database at all, but long enough to be looked at".utf8), to: "text")
        let error = #expect(throws: ArchiveError.self) { _ = try MBTilesFile(path: folder.path + "/text") }
        #expect(error?.code == .wrongFormat)
    }

    @Test(arguments: 0..<150) func `a damaged file yields a tile, nothing or an error`(seed: Int) throws {
        let folder = try TemporaryFolder()
        let path = try Self.file(
            folder,
            Self.tables + ["INSERT INTO metadata VALUES ('format','png'), ('minzoom','0'), ('maxzoom','4')"]
                + (0..<16).map { "INSERT INTO tiles VALUES (2, \($0 / 4), \($0 % 4), zeroblob(\(500 * $0)))" })
        var bytes = try folder.bytes("a.mbtiles")
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<[1, 10, 400][seed % 3] {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        if seed % 4 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
        try folder.write(bytes, to: "a.mbtiles")
        do {
            let file = try MBTilesFile(path: path)
            for index in 0..<16 {
                let tile = try file.tile(level: 2, column: index / 4, row: 3 - index % 4)
                #expect(tile?.count ?? 0 <= bytes.count + 100_000)
            }
        } catch { #expect(!error.detail.isEmpty && error.place == path) }
    }
}
#endif
