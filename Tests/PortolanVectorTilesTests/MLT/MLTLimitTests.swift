import PortolanVectorTiles
import TestHelpers
import Testing

@Suite struct MLTLimitTests {
    private static func refused(_ bytes: [UInt8], _ limits: VectorTileLimits = VectorTileLimits()) -> VectorTileError? {
        #expect(throws: VectorTileError.self) { try VectorTile(bytes, encoding: .mlt, limits: limits) }
    }

    /// A column of whole numbers, all of them 5.
    private static func numbers(_ count: Int, key: String = "k") -> (description: [UInt8], content: [UInt8]) {
        (
            [18] + TileBytes.varint(key.utf8.count) + Array(key.utf8),
            TileBytes.stream(0x10, 0x62, count: 2, more: [1, count], TileBytes.varint(count) + [5])
        )
    }

    @Test func `run-length encoded values are expanded`() throws {
        let tile = try VectorTile(
            TileBytes.maplibre(points: 40, columns: [Self.numbers(40)]), encoding: .mlt)
        #expect(tile.layers[0].featureCount == 40)
        #expect(tile.layers[0]["k"]?[39] == .uint(5))
        #expect(tile.layers[0].geometry.coordinates.allSatisfy { $0 == 1 })
    }

    @Test func `decoded feature and vertex counts are limited`() {
        // Of 2^31 features there would be 8 GB.
        #expect(Self.refused(TileBytes.maplibre(points: 2, columns: [Self.numbers(1 << 31)]))?.code == .limitExceeded)
        var limits = VectorTileLimits()
        limits.featureCount = 10
        #expect(Self.refused(TileBytes.maplibre(points: 20), limits)?.code == .limitExceeded)
        limits = VectorTileLimits()
        limits.vertexCount = 10
        #expect(Self.refused(TileBytes.maplibre(points: 20), limits)?.code == .limitExceeded)
    }

    @Test func `text expanded from a symbol table is limited`() {
        let symbol = [UInt8](repeating: 0x61, count: 100)
        let streams: [[UInt8]] = [
            TileBytes.stream(0x35, 2, count: 1, [100]), TileBytes.stream(0x15, 0, count: 100, symbol),
            TileBytes.stream(0x36, 2, count: 1, TileBytes.varint(10_000)),
            TileBytes.stream(0x11, 0, count: 100, [UInt8](repeating: 0, count: 100)),
        ]
        let content: [UInt8] = [4] + streams.joined()
        let column = (description: [28, 1, 0x6B] as [UInt8], content: content)
        let bytes = TileBytes.maplibre(points: 1, columns: [column])
        #expect(
            (try? VectorTile(bytes, encoding: .mlt))?.layers[0]["k"]?[0]
                == .string(String(repeating: "a", count: 10_000)))
        var limits = VectorTileLimits()
        limits.byteCount = 5000
        #expect(Self.refused(bytes, limits)?.code == .limitExceeded)
    }

    @Test func `a column must be as long as its layer`() {
        #expect(Self.refused(TileBytes.maplibre(points: 2, columns: [Self.numbers(3)]))?.code == .malformed)
        #expect(Self.refused(TileBytes.maplibre(points: 2, columns: [Self.numbers(1)]))?.code == .malformed)
    }

    @Test func `columns that are not selected are not decoded`() throws {
        let bytes = TileBytes.maplibre(points: 2, columns: [Self.numbers(1 << 31), Self.numbers(2, key: "m")])
        let tile = try VectorTile(bytes, encoding: .mlt, selection: .layers(["a": ["m"]]))
        #expect(tile.layers[0].columns.map(\.key) == ["m"])
    }

    @Test func `layers of unknown tags are skipped, and unknown columns refused`() throws {
        #expect(try VectorTile(TileBytes.maplibre(points: 1, tag: 5), encoding: .mlt).layers.isEmpty)
        let column = (description: [40] as [UInt8], content: [] as [UInt8])
        #expect(Self.refused(TileBytes.maplibre(points: 1, columns: [column]))?.code == .unsupported)
        // Nested columns are for layers of tag 2.
        let nested = (description: [31, 1, 0x6B, 0] as [UInt8], content: [0] as [UInt8])
        #expect(Self.refused(TileBytes.maplibre(points: 1, columns: [nested]))?.code == .unsupported)
        #expect(
            try VectorTile(TileBytes.maplibre(points: 1, columns: [nested], tag: 2), encoding: .mlt).layers.count == 1)
    }

    @Test func `a tile truncated anywhere is refused`() throws {
        let bytes = TileBytes.maplibre(points: 3, columns: [Self.numbers(3)])
        for count in 1..<bytes.count { #expect(Self.refused(Array(bytes.prefix(count)))?.code == .malformed) }
    }
}
