#if Storage
import Foundation
import PortolanArchives
import PortolanFeatures
import PortolanServices
import TestHelpers
import Testing

@Suite(.timeLimit(.minutes(20))) struct PMTilesWriterTests {
    private static let metadata = MBTilesMetadata(
        name: "Town", format: "png", bounds: [-1.5, 40, 2, 42.25], levels: 0...9, attribution: "© us")

    private static func names(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test func `tiles are read as written, and equal tiles are stored once`() throws {
        let folder = try TemporaryFolder(), path = folder.path + "/a.pmtiles"
        let sea: [UInt8] = [1, 2, 3]
        do {
            let writer = try PMTilesWriter(path: path, job: "j")
            #expect(writer.isFinished == false)
            // In the order of a seed, which is not that of the archive.
            var tiles = [MBTile(level: 2, column: 3, row: 3, bytes: [9])]
            for row in 0..<4 {
                for column in 0..<4 where (column, row) != (3, 3) {
                    tiles.append(MBTile(level: 2, column: column, row: row, bytes: sea))
                }
            }
            tiles.append(MBTile(level: 0, column: 0, row: 0, bytes: [7, 7]))
            tiles.append(MBTile(level: 1, column: 1, row: 0, bytes: nil))
            try writer.write(tiles)
            #expect(try writer.columnsDone(level: 1, row: 0) == [1])
            #expect(try Self.names(folder).contains("a.pmtiles") == false)
            try writer.finish(Self.metadata)
        }
        #expect(try Self.names(folder) == ["a.pmtiles"])
        let file = try PMTilesFile(path: path)
        var expected = Self.metadata
        expected.levels = 0...2
        #expect(file.metadata == expected)
        #expect(file.header.isClustered)
        #expect(file.header.tileKind == .png)
        #expect(file.header.tileCount == 17)
        // The sea is kept once.
        #expect(file.header.tiles.upperBound - file.header.tiles.lowerBound == 6)
        #expect(try file.tile(level: 0, column: 0, row: 0) == [7, 7])
        #expect(try file.tile(level: 2, column: 3, row: 3) == [9])
        #expect(try file.tile(level: 2, column: 1, row: 2) == sea)
        #expect(try file.tile(level: 1, column: 1, row: 0) == nil)
        #expect(try file.tileCounts().map(\.count) == [1, 16])
        #expect(try PMTilesWriter(path: path, job: "j").isFinished)
        let other = #expect(throws: ArchiveError.self) { try PMTilesWriter(path: path, job: "k") }
        #expect(other?.code == .otherJob)
    }

    @Test func `a stopped job is resumed`() throws {
        let folder = try TemporaryFolder(), path = folder.path + "/a.pmtiles"
        try PMTilesWriter(path: path, job: "j").write([MBTile(level: 0, column: 0, row: 0, bytes: [1])])
        let again = try PMTilesWriter(path: path, job: "j")
        #expect(try again.columnsDone(level: 0, row: 0) == [0])
        #expect(try again.anyTile() == [1])
        try again.finish(Self.metadata)
        #expect(try PMTilesFile(path: path).tile(level: 0, column: 0, row: 0) == [1])
    }

    @Test func `many tiles are written with leaf directories and a root within 16 KiB`() throws {
        let folder = try TemporaryFolder(), path = folder.path + "/a.pmtiles"
        let writer = try PMTilesWriter(path: path, job: "j")
        func content(_ column: Int, _ row: Int) -> [UInt8] {
            // Lengths that do not compress well.
            let number = UInt32(truncatingIfNeeded: (column * 7919 + row * 104_729) &* 2_654_435_761)
            return [UInt8(column), UInt8(row)] + [UInt8](repeating: 1, count: Int(number >> 20) % 97)
        }
        for row in 0..<128 {
            try writer.write((0..<256).map { MBTile(level: 8, column: $0, row: row, bytes: content($0, row)) })
        }
        try writer.finish(Self.metadata)
        let file = try PMTilesFile(path: path)
        #expect(file.header.leaves.isEmpty == false)
        #expect(file.header.root.upperBound <= 16_384)
        #expect(try file.tileCounts().map(\.count) == [256 * 128])
        for (column, row) in [(0, 0), (255, 127), (17, 99), (128, 64)] {
            #expect(try file.tile(level: 8, column: column, row: row) == content(column, row))
        }
        #expect(try file.tile(level: 8, column: 0, row: 128) == nil)
    }

    @Test func `descriptions of vector layers survive writing and reading`() throws {
        let folder = try TemporaryFolder(), path = folder.path + "/a.pmtiles"
        let layers = VectorLayerDescription.read(
            .array([
                .object([
                    "id": .string("roads"), "minzoom": .integer(3), "fields": .object(["class": .string("String")]),
                ])
            ]))
        let writer = try PMTilesWriter(path: path, job: "j")
        try writer.write([MBTile(level: 3, column: 1, row: 1, bytes: [0x1F, 0x8B, 0])])
        try writer.finish(MBTilesMetadata(name: "", format: "pbf", levels: 3...3, vectorLayers: layers))
        let file = try PMTilesFile(path: path)
        #expect(file.header.tileKind == .mvt)
        #expect(file.header.tileCompression == .gzip)
        #expect(file.metadata.vectorLayers == layers)
        #expect(layers.first?.fields.map(\.name) == ["class"])
        #expect(layers.first?.minimumLevel == 3)
        #expect(layers.first?.maximumLevel == nil)
    }

    @Test func `an archive without tiles is not written`() throws {
        let folder = try TemporaryFolder(), path = folder.path + "/a.pmtiles"
        let writer = try PMTilesWriter(path: path, job: "j")
        let error = #expect(throws: ArchiveError.self) { try writer.finish(Self.metadata) }
        #expect(error?.code == .invalid)
        #expect(try Self.names(folder).contains("a.pmtiles") == false)
    }
}
#endif
