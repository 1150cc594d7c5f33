import PortolanArchives
import TestHelpers
import Testing

@Suite struct ArchiveErrorTests {
    @Test func `text from a file is printed on one line without control characters`() {
        let error = ArchiveError(.damaged, place: "a", detail: "no table 'x\u{1B}[2J\n\u{7F}\u{9B}\u{2028}é'")
        #expect(error.detail == "no table 'x [2J é'")
        #expect(error.description == "a: " + error.detail)
        #expect(ArchiveError(.damaged, place: "a", detail: String(repeating: "x", count: 100_000)).detail.count <= 2003)
    }

    #if Storage
    @Test func `the kind of an archive is detected from its tables`() throws {
        let folder = try TemporaryFolder()
        _ = try MBTilesFileTests.file(folder, MBTilesFileTests.tables)
        _ = try GeoPackageFileTests.file(folder, GeoPackageFileTests.tables)
        #expect(try TileArchiveKind(path: folder.path + "/a.mbtiles") == .mbtiles)
        #expect(try TileArchiveKind(path: folder.path + "/a.gpkg") == .geoPackage)
        try folder.write([], to: "empty")
        #expect(try TileArchiveKind(path: folder.path + "/empty") == nil)
        let error = #expect(throws: ArchiveError.self) { _ = try TileArchiveKind(path: folder.path + "/none") }
        #expect(error?.code == .cannotOpen)
        #expect(error?.place == folder.path + "/none")
    }
    #else
    @Test func `without the Storage trait, an SQLite file is an error with the trait and the package`() throws {
        let folder = try TemporaryFolder(), path = folder.path + "/a.mbtiles"
        try folder.write([], to: "a.mbtiles")
        func check(_ use: () throws -> Void) {
            let error = #expect(throws: ArchiveError.self) { try use() }
            #expect(error?.code == .notBuiltIn && error?.place == path)
            #expect(error?.detail.contains("--traits Storage") == true)
            #expect(error?.detail.contains("libsqlite3-dev") == true)
        }
        check { _ = try TileArchiveKind(path: path) }
        check { _ = try MBTilesFile(path: path) }
        check { _ = try GeoPackageFile(path: path) }
    }
    #endif
}
