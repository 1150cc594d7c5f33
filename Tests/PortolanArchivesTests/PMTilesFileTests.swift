import Foundation
import PortolanArchives
import PortolanServices
import TestHelpers
import Testing

@Suite struct PMTilesFileTests {
    private typealias Entry = PMTilesBytes.Entry

    private static func file(_ archive: PMTilesBytes, _ folder: TemporaryFolder) throws -> PMTilesFile {
        let path = folder.path + "/a.pmtiles"
        try Data(archive.bytes).write(to: URL(filePath: path))
        return try PMTilesFile(path: path)
    }

    private static func error(_ archive: PMTilesBytes, _ work: (PMTilesFile) throws -> Void) -> ArchiveError? {
        do {
            let folder = try TemporaryFolder()
            try work(try file(archive, folder))
            return nil
        } catch { return error as? ArchiveError }
    }

    @Test func `tiles and metadata are read from a file`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let file = try PMTilesFile(path: folder.appending(path: "Fixtures/test_fixture_1.pmtiles").path)
        #expect(file.metadata.format == "pbf")
        #expect(file.metadata.isVector)
        #expect(file.metadata.levels == 0...0)
        #expect(file.metadata.vectorLayers.map(\.id) == ["test_fixture_1pmtiles"])
        let tile = try #require(try file.tile(level: 0, column: 0, row: 0))
        #expect(tile.count == 69)
        #expect(tile.starts(with: [0x1F, 0x8B]))
        #expect(try file.anyTile() == tile)
        #expect(try file.tile(level: 1, column: 0, row: 0) == nil)
        #expect(try file.tileCounts().map(\.count) == [1])
    }

    @Test func `tiles in a run are counted on their levels`() throws {
        let folder = try TemporaryFolder()
        let leaf = PMTilesBytes.directory([Entry(tile: 2, run: 4, length: 3, position: 1)])
        let file = try Self.file(
            PMTilesBytes(
                root: PMTilesBytes.directory([
                    Entry(tile: 0, run: 1, length: 3, position: 1),
                    Entry(tile: 2, run: 0, length: UInt64(leaf.count), position: 1),
                ]), leaves: leaf, tiles: [1, 2, 3]), folder)
        let counts = try file.tileCounts()
        #expect(counts.map(\.level) == [0, 1, 2])
        #expect(counts.map(\.count) == [1, 3, 1])
        #expect(try file.anyTile() == [1, 2, 3])
    }

    @Test func `a directory referenced by many entries is read once`() throws {
        let folder = try TemporaryFolder()
        let leaf = PMTilesBytes.directory([Entry(tile: 1, run: 1, length: 3, position: 1)])
        let entries = (0..<500).map { Entry(tile: UInt64($0), run: 0, length: UInt64(leaf.count), position: 1) }
        let file = try Self.file(
            PMTilesBytes(root: PMTilesBytes.directory(entries), leaves: leaf, tiles: [1, 2, 3]), folder)
        #expect(try file.tileCounts().map(\.count) == [1])
    }

    @Test func `damaged archives are errors`() throws {
        let leaf = PMTilesBytes.directory([Entry(tile: 0, run: 0, length: 5, position: 1)])
        // A directory that leads to itself.
        let circle = Self.error(PMTilesBytes(root: leaf, leaves: leaf)) { _ = try $0.tile(level: 0, column: 0, row: 0) }
        #expect(circle?.code == .damaged)
        // A tile beyond the end of the file, with a length that no memory would hold.
        var far = PMTilesBytes(
            root: PMTilesBytes.directory([Entry(tile: 0, run: 1, length: 1 << 25, position: 1)]), tiles: [1])
        far.tileLength = 1 << 40
        #expect(Self.error(far) { _ = try $0.tile(level: 0, column: 0, row: 0) }?.code == .damaged)
        // A root directory beyond 16 KiB, and other files.
        var root = PMTilesBytes(root: PMTilesBytes.directory([Entry(tile: 0, length: 1, position: 1)]), tiles: [1])
        root.rootLength = 16_300
        #expect(Self.error(root) { _ in }?.code == .damaged)
        let folder = try TemporaryFolder()
        let other = folder.path + "/b.pmtiles"
        try Data("SQLite format 3".utf8).write(to: URL(filePath: other))
        let wrong = #expect(throws: ArchiveError.self) { try PMTilesFile(path: other) }
        #expect(wrong?.code == .wrongFormat)
        let absent = #expect(throws: ArchiveError.self) { try PMTilesFile(path: folder.path + "/c.pmtiles") }
        #expect(absent?.code == .cannotOpen)
    }
}
