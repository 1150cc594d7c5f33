import Foundation
import PortolanArchives
import TestHelpers
import Testing

@Suite struct PMTilesIndexTests {
    private typealias Entry = PMTilesBytes.Entry

    private static func fixture(_ name: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        return [UInt8](try Data(contentsOf: folder.appending(path: "Fixtures/\(name).pmtiles")))
    }

    /// Follows the needs of a tile in an archive, and counts them.
    private static func find(
        _ bytes: [UInt8], _ level: Int, _ column: Int, _ row: Int, _ index: inout PMTilesIndex
    ) throws(PMTilesError) -> (need: PMTilesIndex.Need, reads: Int) {
        var reads = 0
        while true {
            let need = try index.need(level: level, column: column, row: row)
            guard case .bytes(let range) = need, reads < 10 else { return (need, reads) }
            reads += 1
            let whole = UInt64(bytes.count)
            let part = Int(min(range.lowerBound, whole))..<Int(min(range.upperBound, whole))
            try index.add(Array(bytes[part]), at: range)
        }
    }

    private static func find(
        _ archive: PMTilesBytes, level: Int = 0, _ column: Int = 0, _ row: Int = 0
    ) throws(PMTilesError) -> PMTilesIndex.Need {
        var index = PMTilesIndex()
        return try find(archive.bytes, level, column, row, &index).need
    }

    private static func refused(_ archive: PMTilesBytes, level: Int = 0) -> PMTilesError? {
        #expect(throws: PMTilesError.self) { try find(archive, level: level) }
    }

    @Test func `published archives are read`() throws {
        for (name, kind, length) in [
            ("test_fixture_1", PMTilesHeader.TileKind.mvt, 69), ("test_fixture_2", .mvt, 67),
        ] {
            let bytes = try Self.fixture(name)
            var index = PMTilesIndex()
            let found = try Self.find(bytes, 0, 0, 0, &index)
            #expect(found.need == .tile(399..<UInt64(399 + length)))
            #expect(found.reads == 1)
            #expect(try Self.find(bytes, 1, 0, 0, &index).need == .absent)
            let header = try #require(index.header)
            #expect(header.tileKind == kind)
            #expect(header.tileCompression == .gzip)
            #expect(header.levels == 0...0)
            #expect(header.isClustered == false)
            #expect(abs(header.bounds.east - 1) < 1e-6)
            let metadata = bytes[Int(header.metadata.lowerBound)..<Int(header.metadata.upperBound)]
            let text = try header.directoryCompression.unpack(
                metadata, byteLimit: 1 << 20, at: header.metadata.lowerBound)
            #expect(text.first == UInt8(ascii: "{"))
        }
        var index = PMTilesIndex()
        #expect(try Self.find(try Self.fixture("test_fixture_mlt"), 0, 0, 0, &index).need == .absent)
        #expect(index.header?.tileKind == .mlt)
        // Tiles that are not in order of their numbers.
        index = PMTilesIndex()
        #expect(try Self.find(try Self.fixture("unclustered"), 1, 0, 0, &index).need == .tile(208..<278))
        #expect(try Self.find(try Self.fixture("unclustered"), 1, 0, 1, &index).need == .tile(138..<208))
    }

    @Test func `other formats and versions are rejected`() throws {
        let version = #expect(throws: PMTilesError.self) {
            var index = PMTilesIndex()
            _ = try Self.find(try Self.fixture("invalid_v4"), 0, 0, 0, &index)
        }
        #expect(version?.code == .unsupported)
        for bytes in [[], Array("PMTile".utf8), Array("SQLite format 3".utf8), Array("PMTiles\u{3}".utf8)] {
            let error = #expect(throws: PMTilesError.self) { try PMTilesHeader(bytes) }
            #expect(error?.code == (bytes.count == 8 ? .malformed : .wrongFormat))
        }
    }

    @Test func `a run of equal tiles has one entry`() throws {
        let archive = PMTilesBytes(
            root: PMTilesBytes.directory([
                Entry(tile: 0, run: 3, length: 4, position: 1), Entry(tile: 4, length: 2, position: 0),
            ]), tiles: [1, 2, 3, 4, 5, 6])
        let start = UInt64(archive.bytes.count - 6)
        #expect(try Self.find(archive) == .tile(start..<(start + 4)))
        #expect(try Self.find(archive, level: 1, 0, 1) == .tile(start..<(start + 4)))
        #expect(try Self.find(archive, level: 1, 1, 1) == .absent)
        // The position of the second entry is the end of the first.
        #expect(try Self.find(archive, level: 1, 1, 0) == .tile((start + 4)..<(start + 6)))
        #expect(try Self.find(archive, level: 5) == .absent)
    }

    @Test func `a leaf directory is requested once`() throws {
        let leaf = PMTilesBytes.directory([Entry(tile: 5, run: 16, length: 3, position: 1)])
        let archive = PMTilesBytes(
            root: PMTilesBytes.directory([Entry(tile: 1, run: 0, length: UInt64(leaf.count), position: 1)]),
            leaves: leaf,
            tiles: [1, 2, 3])
        var index = PMTilesIndex()
        let first = try Self.find(archive.bytes, 2, 0, 0, &index)
        let start = UInt64(archive.bytes.count - 3)
        #expect(first.need == .tile(start..<(start + 3)))
        #expect(first.reads == 2)
        let second = try Self.find(archive.bytes, 2, 1, 1, &index)
        #expect(second.need == first.need)
        #expect(second.reads == 0)
        #expect(try Self.find(archive.bytes, 1, 0, 0, &index).need == .absent)
        #expect(try Self.find(archive.bytes, 0, 0, 0, &index).need == .absent)
    }

    @Test func `circular directories are rejected`() {
        // The leaf leads to itself.
        let leaf = PMTilesBytes.directory([Entry(tile: 0, run: 0, length: 5, position: 1)])
        #expect(leaf.count == 5)
        let error = Self.refused(PMTilesBytes(root: leaf, leaves: leaf))
        #expect(error?.code == .malformed)
        #expect(error?.reason == "directories lead in a circle")
    }

    @Test func `a directory that decompresses beyond the limit is rejected`() {
        // 6.5 kB of gzip, a megabyte of zeros, which states no entries: then 32 times as many in members.
        let bomb = (0..<2).flatMap { _ in GzipBytes.zeros.bytes }
        #expect(bomb.count < 16_000)
        #expect(throws: PMTilesError.self) {
            try PMTilesHeader.Compression.gzip.unpack(bomb[...], byteLimit: GzipBytes.zeros.count, at: 0)
        }
        var archive = PMTilesBytes(root: PMTilesBytes.varint(1 << 40))
        #expect(Self.refused(archive)?.code == .limitExceeded)
        archive.root = PMTilesBytes.varint(1000) + [1, 1, 1]
        #expect(Self.refused(archive)?.code == .malformed)
    }

    private static let overflows: [[PMTilesBytes.Entry]] = [
        // Numbers of tiles, positions and lengths beyond 64 bits.
        [.init(tile: .max, length: 1, position: 1), .init(tile: 3, length: 1, position: 1)],
        [.init(tile: 0, length: .max, position: 5)],
        [.init(tile: 0, length: 1, position: .max), .init(tile: 1, length: .max, position: 0)],
        // Entries without content, without a position, and twice the same.
        [.init(tile: 0, length: 0, position: 1)], [.init(tile: 0, length: 1, position: 0)],
        [.init(tile: 2, length: 1, position: 1), .init(tile: 2, length: 1, position: 1)],
    ]

    @Test(arguments: overflows.indices) func `entries with overflowing numbers are rejected`(index: Int) {
        let archive = PMTilesBytes(root: PMTilesBytes.directory(Self.overflows[index]), tiles: [1])
        #expect(Self.refused(archive)?.code == .malformed)
    }

    @Test func `a number of more than 64 bits is refused`() {
        let archive = PMTilesBytes(root: [1] + [UInt8](repeating: 0xFF, count: 10) + [1, 1, 1])
        #expect(Self.refused(archive)?.code == .malformed)
    }

    @Test func `a root directory outside the first 16 KiB is rejected`() {
        var archive = PMTilesBytes(root: [0] + [UInt8](repeating: 0, count: 20_000))
        #expect(Self.refused(archive)?.code == .malformed)
        archive.root = [0]
        archive.rootLength = 20_000
        #expect(Self.refused(archive)?.code == .malformed)
        archive.rootLength = 1
        archive.rootStart = 100
        #expect(Self.refused(archive)?.code == .malformed)
        archive.rootStart = .max
        #expect(Self.refused(archive)?.code == .malformed)
        // It is stated and missing.
        archive.rootStart = 127
        archive.rootLength = 50
        #expect(Self.refused(archive)?.code == .malformed)
    }

    @Test func `entries that point outside their section are rejected`() {
        var archive = PMTilesBytes(
            root: PMTilesBytes.directory([Entry(tile: 0, length: 10, position: 1)]), tiles: [1, 2, 3])
        #expect(Self.refused(archive)?.code == .malformed)
        archive.root = PMTilesBytes.directory([Entry(tile: 0, run: 0, length: 10, position: 1)])
        #expect(Self.refused(archive)?.code == .malformed)
        // Tiles and directories that are too large.
        archive.leafLength = 1 << 40
        archive.root = PMTilesBytes.directory([Entry(tile: 0, run: 0, length: 1 << 30, position: 1)])
        #expect(Self.refused(archive)?.code == .limitExceeded)
        archive.tileLength = 1 << 40
        archive.root = PMTilesBytes.directory([Entry(tile: 0, length: 1 << 30, position: 1)])
        #expect(Self.refused(archive)?.code == .limitExceeded)
        archive.tileLength = .max
        #expect(Self.refused(archive)?.code == .malformed)
    }

    @Test func `impossible levels and unknown compressions are rejected`() {
        var archive = PMTilesBytes(root: [0])
        archive.levels = (5, 4)
        #expect(Self.refused(archive)?.code == .malformed)
        archive.levels = (0, 32)
        #expect(Self.refused(archive)?.code == .malformed)
        archive.levels = (0, 4)
        for compression: UInt8 in [3, 9] {
            archive.directoryCompression = compression
            #expect(Self.refused(archive)?.code == .unsupported)
        }
        archive.directoryCompression = 2
        #expect(Self.refused(archive)?.code == .malformed)
        archive.directoryCompression = 4
        #if Images
        #expect(Self.refused(archive)?.code == .malformed)
        #else
        #expect(Self.refused(archive)?.code == .unsupported)
        #endif
    }

    #if Images
    @Test func `directories may be compressed by Zstandard`() throws {
        let directory = PMTilesBytes.directory([Entry(tile: 0, length: 1, position: 1)])
        var archive = PMTilesBytes(root: ZstandardBytes.stored(directory))
        archive.tiles = [7]
        archive.directoryCompression = 4
        guard case .tile(let range) = try Self.find(archive) else {
            Issue.record("no tile")
            return
        }
        #expect(archive.bytes[Int(range.lowerBound)..<Int(range.upperBound)] == [7])
    }
    #endif
}
