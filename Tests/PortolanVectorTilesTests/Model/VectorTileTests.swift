import PortolanVectorTiles
import TestHelpers
import Testing

@Suite struct VectorTileTests {
    private static let point = [9, 4, 4]
    private static let tile =
        TileBytes.layer(
            "roads", keys: ["class", "name", "ref"], values: ["path", "Ada", "A 1"],
            [
                TileBytes.feature(id: 7, tags: [0, 0, 1, 1], point), TileBytes.feature(tags: [0, 0], point),
                TileBytes.feature(id: 9, tags: [2, 2, 0, 2], point),
            ]) + TileBytes.layer("places", extent: 512, [TileBytes.feature(point)])

    @Test func `all layers and attributes are decoded`() throws {
        let tile = try VectorTile(Self.tile)
        #expect(tile.layers.map(\.name) == ["roads", "places"])
        let roads = try #require(tile["roads"])
        #expect(roads.columns.map(\.key) == ["class", "name", "ref"])
        #expect((0..<3).map { roads["class"]?[$0] } == [.string("path"), .string("path"), .string("A 1")])
        #expect((0..<3).map { roads["name"]?[$0] } == [.string("Ada"), nil, nil])
        #expect((0..<3).map { roads.ids[$0] } == [7, nil, 9])
        #expect(tile["places"]?.extent == 512)
        #expect(tile["places"]?.ids.isEmpty == true)
        #expect(tile["rivers"] == nil)
    }

    @Test func `only the selected layers and attributes are decoded`() throws {
        let named = try VectorTile(Self.tile, selection: .layers(["roads": ["ref"], "rivers": nil]))
        #expect(named.layers.map(\.name) == ["roads"])
        #expect(named.layers[0].columns.map(\.key) == ["ref"])
        #expect(named.layers[0]["ref"]?[2] == .string("A 1"))
        let whole = try VectorTile(Self.tile, selection: .layers(["places"]))
        #expect(whole.layers.map(\.name) == ["places"])
    }

    @Test func `damage in an unselected layer is ignored`() throws {
        let bytes = Self.tile + TileBytes.layer("x", version: 99, [])
        #expect(throws: VectorTileError.self) { try VectorTile(bytes) }
        #expect(try VectorTile(bytes, selection: .layers(["roads"])).layers.count == 1)
    }

    @Test func `a sparse attribute is found by feature index`() throws {
        let features = (0..<100).map { number in
            TileBytes.feature(tags: number.isMultiple(of: 40) ? [0, number / 40] : [], Self.point)
        }
        let bytes = TileBytes.layer("a", keys: ["k"], values: ["0", "1", "2"], features)
        let column = try #require(try VectorTile(bytes).layers.first?.columns.first)
        #expect((0..<100).filter { column.valueIndex(of: $0) != nil } == [0, 40, 80])
        #expect(column[80] == .string("2"))
    }

    @Test func `repeated keys of version 1 count once, with the last value`() throws {
        let bytes = TileBytes.layer(
            "a", version: 1, keys: ["k", "k"], values: ["1", "2", "3"],
            [TileBytes.feature(tags: [0, 0, 1, 1], Self.point), TileBytes.feature(tags: [1, 2], Self.point)])
        let layer = try #require(try VectorTile(bytes).layers.first)
        #expect(layer.columns.map(\.key) == ["k"])
        #expect((0..<2).map { layer["k"]?[$0] } == [.string("2"), .string("3")])
    }

    @Test(arguments: [0, 1, 3]) func `version 3 is read like version 2`(version: Int) throws {
        let bytes = TileBytes.layer("a", version: version, [])
        guard version > 0 else {
            #expect(throws: VectorTileError.self) { try VectorTile(bytes) }
            return
        }
        #expect(try VectorTile(bytes).layers.map(\.version) == [min(version, 2)])
    }

    @Test func `unknown fields are skipped, and layers of 0 units are refused`() throws {
        let known = TileBytes.layer("a", [TileBytes.feature(Self.point)])
        let inner = TileBytes.field(99, "x") + [0x9D, 0x06, 1, 2, 3, 4] + TileBytes.field(12, 3)
        let bytes =
            TileBytes.field(7, 1) + TileBytes.varint(3 << 3 | 2) + TileBytes.varint(known.count - 2 + inner.count)
        #expect(try VectorTile(bytes + known.dropFirst(2) + inner).layers.first?.featureCount == 1)
        let error = #expect(throws: VectorTileError.self) { try VectorTile(TileBytes.layer("a", extent: 0, [])) }
        #expect(error?.layer == "a")
        #expect(error?.description == "layer \"a\", byte 2: the extent is 0")
    }

    @Test func `compressed tiles are unpacked`() throws {
        let gzip = GzipBytes.stored(Self.tile), zlib = GzipBytes.zlib(Self.tile)
        #expect(try VectorTile(gzip).layers.count == 2)
        #expect(try VectorTile(zlib).layers.count == 2)
        let zstd = ZstandardBytes.stored(TileBytes.layer("a", [TileBytes.feature(Self.point)]))
        #if Images
        #expect(try VectorTile(zstd).layers.map(\.featureCount) == [1])
        #else
        let error = #expect(throws: VectorTileError.self) { try VectorTile(zstd) }
        #expect(error?.code == .unsupported)
        #endif
        let damaged = #expect(throws: VectorTileError.self) { try VectorTile(Array(gzip.dropLast(9))) }
        #expect(damaged?.code == .damaged)
    }

    private static let limits: [(any WritableKeyPath<VectorTileLimits, Int> & Sendable, Int)] = [
        (\.byteCount, 50), (\.layerCount, 1), (\.featureCount, 2), (\.vertexCount, 3), (\.partCount, 3),
        (\.attributeCount, 4),
    ]

    @Test(arguments: limits.indices) func `each limit is enforced`(index: Int) throws {
        let (limit, value) = Self.limits[index]
        var limits = VectorTileLimits()
        limits[keyPath: limit] = value
        for bytes in [Self.tile, GzipBytes.stored(Self.tile)] {
            let error = #expect(throws: VectorTileError.self) { try VectorTile(bytes, limits: limits) }
            #expect(error?.code == .limitExceeded)
        }
    }
}
