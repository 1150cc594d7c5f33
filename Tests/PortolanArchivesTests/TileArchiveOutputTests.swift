#if Storage
import PortolanArchives
import PortolanFeatures
import PortolanServices
import TestHelpers
import Testing

/// Archives that are written from tiles in order.
@Suite struct TileArchiveOutputTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func output(_ name: String) throws -> any TileArchiveOutput {
        let path = "\(folder.path)/\(name)"
        if name.hasSuffix(".mbtiles") { return try MBTilesOutput(path: path) }
        return try PMTilesOutput(path: path)
    }

    private static let tiles: [(level: Int, column: Int, row: Int, bytes: [UInt8])] = [
        (0, 0, 0, [1, 2, 3]), (1, 0, 0, [4]), (1, 1, 1, [4]), (2, 3, 0, [1, 2, 3]),
    ]

    private func write(_ name: String) throws {
        let archive = try output(name)
        let numbered = try Self.tiles.map {
            (id: try #require(PMTilesTileID(level: $0.level, column: $0.column, row: $0.row)), bytes: $0.bytes)
        }
        for tile in numbered.sorted(by: { $0.id < $1.id }) { try archive.add(tile.id, tile.bytes) }
        var metadata = MBTilesMetadata(
            name: "N", format: "pbf", bounds: [-10, -20, 10, 20], levels: 0...2, attribution: "© us",
            vectorLayers: [VectorLayerDescription(id: "roads")])
        metadata.others["generator"] = "a test"
        try archive.finish(metadata)
    }

    @Test(arguments: ["a.pmtiles", "a.mbtiles"])
    func `tiles and metadata come back, and equal tiles are stored once`(name: String) throws {
        try write(name)
        let path = "\(folder.path)/\(name)"
        let metadata: MBTilesMetadata, read: (Int, Int, Int) throws -> [UInt8]?
        if name.hasSuffix(".mbtiles") {
            let file = try MBTilesFile(path: path)
            (metadata, read) = (file.metadata, { try file.tile(level: $0, column: $1, row: $2) })
        } else {
            let file = try PMTilesFile(path: path)
            (metadata, read) = (file.metadata, { try file.tile(level: $0, column: $1, row: $2) })
        }
        for tile in Self.tiles { #expect(try read(tile.level, tile.column, tile.row) == tile.bytes) }
        #expect(try read(1, 0, 1) == nil)
        #expect(metadata.name == "N")
        #expect(metadata.levels == 0...2)
        #expect(metadata.bounds == [-10, -20, 10, 20])
        #expect(metadata.vectorLayers.map(\.id) == ["roads"])
        #expect(metadata.attribution == "© us")
    }

    @Test(arguments: ["a.pmtiles", "a.mbtiles"])
    func `another file stays until the archive is complete, and after one that is not finished`(name: String) throws {
        try folder.write([7], to: name)
        do {
            let archive = try output(name)
            try archive.add(PMTilesTileID(number: 0), [1])
        }
        #expect(try folder.bytes(name) == [7])
        #expect(throws: ArchiveError.self) { try output(name).finish(MBTilesMetadata(name: "", format: "pbf")) }
        #expect(try folder.bytes(name) == [7])
        try write(name)
        #expect(try folder.bytes(name).count > 7)
        #expect((try? folder.bytes(name + ".new")) == nil)
    }
}
#endif
