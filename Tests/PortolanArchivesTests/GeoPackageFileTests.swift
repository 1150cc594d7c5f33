#if Storage
import PortolanArchives
import PortolanSQLite
import PortolanWeb
import TestHelpers
import Testing

@Suite(.timeLimit(.minutes(20))) struct GeoPackageFileTests {
    static func file(_ folder: TemporaryFolder, _ statements: [String]) throws -> String {
        let path = folder.path + "/a.gpkg"
        let connection = try SQLiteConnection(path: path, access: .writing)
        // Nothing of it need outlive the test: the disk is not waited for.
        for statement in ["PRAGMA synchronous = OFF", "PRAGMA journal_mode = OFF"] + statements {
            try connection.run(statement)
        }
        return path
    }

    static let mark = "PRAGMA application_id = 1196444487"
    static let tables = [
        mark, "PRAGMA user_version = 10300",
        "CREATE TABLE gpkg_spatial_ref_sys (srs_name, srs_id, organization, organization_coordsys_id, definition)",
        "CREATE TABLE gpkg_contents (table_name, data_type, identifier, srs_id)",
        "CREATE TABLE gpkg_tile_matrix_set (table_name, srs_id, min_x, min_y, max_x, max_y)",
        "CREATE TABLE gpkg_tile_matrix (table_name, zoom_level, matrix_width, matrix_height, tile_width, tile_height, "
            + "pixel_x_size, pixel_y_size)",
        "INSERT INTO gpkg_spatial_ref_sys VALUES ('UTM', 77, 'epsg', 25830, 'undefined')",
    ]

    static func table(_ name: String, quoted: String, system: Int = 77) -> [String] {
        [
            "CREATE TABLE \(quoted) (zoom_level, tile_column, tile_row, tile_data)",
            "INSERT INTO gpkg_contents VALUES ('\(name)', 'tiles', 'Title of \(name)', \(system))",
            "INSERT INTO gpkg_tile_matrix_set VALUES ('\(name)', \(system), 100, 0, 700, 400)",
            "INSERT INTO gpkg_tile_matrix VALUES ('\(name)', 5, 3, 2, 20, 10, 10, 20), ('\(name)', 2, 1, 1, 20, 10, 30, 40)",
            "INSERT INTO \(quoted) VALUES (5, 1, 0, x'01'), (5, 2, 1, x'0203'), (9, 0, 0, x'09')",
        ]
    }

    @Test func `a described level has tiles, with rows counted from the top`() throws {
        let folder = try TemporaryFolder()
        let path = try Self.file(folder, Self.tables + Self.table("t", quoted: "t"))
        let file = try GeoPackageFile(path: path)
        #expect(file.tileTables == ["t"])
        #expect(file.warnings.isEmpty)
        let level = GeoPackageMatrix(
            level: 5, columnCount: 3, rowCount: 2, tileWidth: 20, tileHeight: 10, pixelWidth: 10, pixelHeight: 20,
            columns: 1...2, rows: 0...1)
        #expect(
            try file.pyramid()
                == GeoPackagePyramid(
                    table: "t", title: "Title of t", systemID: 77, organization: "epsg", organizationCode: 25830,
                    minX: 100, maxY: 400, matrices: [level]))
        #expect(try file.tile(of: "t", level: 5, column: 1, row: 0) == [1])
        #expect(try file.tile(of: "t", level: 5, column: 2, row: 1) == [2, 3])
        #expect(try file.tile(of: "t", level: 5, column: 1, row: 1) == nil && file.anyTile(of: "t") == [1])
        #expect(throws: ArchiveError.self) { _ = try file.tile(of: "gpkg_contents", level: 0, column: 0, row: 0) }
    }

    @Test(arguments: ["a b", "a\"; DROP TABLE x; --", "ñ'{z}%", "select", "[x]", "A.b", "\"\""])
    func `a tile table may have any name`(name: String) throws {
        let folder = try TemporaryFolder()
        let sql = name.replacing("'", with: "''")
        let quoted = "\"" + name.replacing("\"", with: "\"\"") + "\""
        let path = try Self.file(folder, Self.tables + Self.table(sql, quoted: quoted))
        let file = try GeoPackageFile(path: path)
        #expect(file.tileTables == [name])
        #expect(try file.pyramid(of: name).matrices.count == 1)
        #expect(try file.tile(of: name, level: 5, column: 2, row: 1) == [2, 3])
    }

    @Test func `a tile table may be a view, and its name is case-insensitive`() throws {
        let folder = try TemporaryFolder()
        let path = try Self.file(
            folder,
            Self.tables + Self.table("Town", quoted: "base") + [
                "CREATE VIEW town AS SELECT zoom_level, tile_column, tile_row, tile_data FROM base",
                "UPDATE gpkg_tile_matrix SET table_name = 'TOWN'",
            ])
        let file = try GeoPackageFile(path: path)
        #expect(try file.pyramid(of: "tOWN").table == "Town" && file.pyramid().matrices.count == 1)
        #expect(try file.tile(of: "Town", level: 5, column: 1, row: 0) == [1])
    }

    @Test func `several tile tables require a table name`() throws {
        let folder = try TemporaryFolder()
        let path = try Self.file(
            folder, Self.tables + Self.table("one", quoted: "one") + Self.table("two", quoted: "two"))
        let file = try GeoPackageFile(path: path)
        #expect(try file.pyramid(of: "two").table == "two")
        for wanted in [nil, "three"] {
            let error = #expect(throws: ArchiveError.self) { _ = try file.pyramid(of: wanted) }
            #expect(error?.code == .invalid && error?.detail.hasSuffix("'one', 'two'") == true, "\(error!)")
        }
    }

    static let marks: [(Int, Int, String?)] = [
        (0x4750_4B47, 10400, nil), (0x4750_3130, 0, nil), (0x4750_3131, 0, nil), (0, 0, "not marked as a GeoPackage"),
        (0x4750_4B47, 20100, "its version is 2.1"), (-1, 0, "application_id -1"),
    ]

    @Test(arguments: marks.indices) func `application IDs of all versions are recognised`(index: Int) throws {
        let (mark, version, warning) = Self.marks[index]
        let folder = try TemporaryFolder()
        let path = try Self.file(
            folder,
            Self.tables + Self.table("t", quoted: "t") + [
                "PRAGMA application_id = \(mark)", "PRAGMA user_version = \(version)",
            ])
        let warnings = try GeoPackageFile(path: path).warnings
        #expect(warnings.count == (warning == nil ? 0 : 1))
        if let warning { #expect(warnings[0].description.contains(warning)) }
    }

    static let hostile: [(statements: [String], words: String)] = [
        ([], "no such table: gpkg_contents"), (Array(tables.prefix(4)), "no tile table"),
        (tables + ["INSERT INTO gpkg_contents VALUES ('roads', 'features', '', 1)"], "it has 'roads'"),
        ([mark, "CREATE TABLE gpkg_contents (a)"], "no such column"),
        (tables + ["INSERT INTO gpkg_contents VALUES ('t', 'tiles', '', 1)"], "no row for the table 't'"),
        (tables + table("t", quoted: "t") + ["DROP TABLE t"], "no such table: t"),
        (tables + table("t", quoted: "t") + ["DROP TABLE gpkg_tile_matrix"], "no such table: gpkg_tile_matrix"),
        (tables + table("t", quoted: "t") + ["DELETE FROM t WHERE zoom_level = 5"], "no level with tiles"),
        (
            tables + table("t", quoted: "t") + ["UPDATE t SET tile_column = 'x', tile_row = x'00' WHERE tile_row = 1"],
            ""
        ),
        (
            tables + table("t", quoted: "t") + [
                "UPDATE gpkg_tile_matrix SET zoom_level = -1", "UPDATE t SET zoom_level = -1",
            ], "no level with tiles"
        ),
    ]

    @Test(arguments: hostile.indices) func `a file that is not a GeoPackage of tiles is rejected`(index: Int) throws {
        let folder = try TemporaryFolder()
        let path = try Self.file(folder, Self.hostile[index].statements)
        do {
            let file = try GeoPackageFile(path: path)
            let pyramid = try file.pyramid()
            #expect(Self.hostile[index].words.isEmpty)
            #expect(!pyramid.matrices.isEmpty)
        } catch {
            #expect(error.code == .wrongFormat)
            #expect(error.place == path)
            #expect(error.detail.contains(Self.hostile[index].words), "\(error)")
        }
    }

    @Test func `a missing file or a file that is not a database is rejected`() throws {
        let folder = try TemporaryFolder()
        let absent = #expect(throws: ArchiveError.self) { _ = try GeoPackageFile(path: folder.path + "/none") }
        #expect(absent?.code == .cannotOpen)
        try folder.write(Array("not a database at all, but long enough to be looked at".utf8), to: "text")
        let error = #expect(throws: ArchiveError.self) { _ = try GeoPackageFile(path: folder.path + "/text") }
        #expect(error?.code == .wrongFormat)
    }

    @Test(arguments: 0..<150) func `a damaged file yields a tile, nothing or an error`(seed: Int) throws {
        let folder = try TemporaryFolder()
        let path = try Self.file(
            folder,
            Self.tables + Self.table("t", quoted: "t")
                + (0..<16).map { "INSERT INTO t VALUES (2, \($0 / 4), \($0 % 4), zeroblob(\(500 * $0)))" })
        var bytes = try folder.bytes("a.gpkg")
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<[1, 10, 400][seed % 3] {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        if seed % 4 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
        try folder.write(bytes, to: "a.gpkg")
        do {
            let file = try GeoPackageFile(path: path)
            let table = try file.pyramid(of: file.tileTables.first).table
            for index in 0..<16 {
                let tile = try file.tile(of: table, level: 2, column: index / 4, row: index % 4)
                #expect(tile?.count ?? 0 <= bytes.count + 100_000)
            }
        } catch { #expect(!error.detail.isEmpty && error.place == path) }
    }
}
#endif
