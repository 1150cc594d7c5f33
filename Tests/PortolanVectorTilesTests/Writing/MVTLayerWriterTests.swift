import PortolanVectorTiles
import TestHelpers
import Testing

@Suite struct MVTLayerWriterTests {
    private static let values: [VectorTileValue] = [
        .string("Straße"), .string(""), .float(0.5), .double(0.1), .int(-7), .uint(.max), .bool(true), .bool(false),
        .uint(3), .int(.min), .double(-0.0), .double(0),
    ]

    private static func tile() throws -> [UInt8] {
        var vocabulary = MVTVocabulary(), tags: [[UInt32]] = []
        for (number, value) in values.enumerated() {
            let key = vocabulary.key("k\(number % 3)"), known = vocabulary.value(value)
            tags.append([key, try #require(known)])
        }
        var layer = MVTLayerWriter(name: "rivers", vocabulary: vocabulary), tile: [UInt8] = []
        for (number, tags) in tags.enumerated() {
            var writer = MVTGeometryWriter()
            writer.addPoints([MVTGeometryWriter.Vertex(x: Int32(number), y: -Int32(number))])
            let id: UInt64? = number == 1 ? nil : number == 2 ? .max : UInt64(number)
            layer.add(id: id, .points, tags: tags[...], geometry: writer.bytes[...])
        }
        layer.finish(into: &tile)
        return tile
    }

    @Test func `features come back with their identifiers, attributes and order`() throws {
        let tile = try VectorTile(Self.tile())
        #expect(tile.faultCount == 0)
        let layer = try #require(tile["rivers"])
        #expect(layer.version == 2)
        #expect(layer.extent == 4096)
        #expect(layer.featureCount == Self.values.count)
        for (number, value) in Self.values.enumerated() {
            #expect(layer.geometry.vertex(number) == (Int32(number), -Int32(number)))
            #expect(layer.ids[number] == (number == 1 ? nil : number == 2 ? .max : UInt64(number)))
            let read = layer["k\(number % 3)"]?[number]
            #expect(read == value)
            #expect(layer["k\((number + 1) % 3)"]?[number] == nil)
        }
    }

    @Test func `equal features give equal bytes, and the next tile of a layer is independent of the one before`() throws
    {
        #expect(try Self.tile() == Self.tile())
        var vocabulary = MVTVocabulary()
        let key = vocabulary.key("a"), one = vocabulary.value(.uint(1)) ?? 0, two = vocabulary.value(.uint(2)) ?? 0
        var again = MVTLayerWriter(name: "x", vocabulary: vocabulary), fresh = again
        var first: [UInt8] = [], second: [UInt8] = [], alone: [UInt8] = []
        again.add(id: nil, .points, tags: [key, one], geometry: [9, 0, 0])
        again.finish(into: &first)
        again.add(id: nil, .points, tags: [key, two], geometry: [9, 0, 0])
        again.finish(into: &second)
        fresh.add(id: nil, .points, tags: [key, two], geometry: [9, 0, 0])
        fresh.finish(into: &alone)
        #expect(second == alone)
        #expect(first != second)
    }

    @Test func `a tile has the keys and values that it uses, each once`() {
        var vocabulary = MVTVocabulary()
        let keys = ["a", "b", "c"].map { vocabulary.key($0) }
        let values = (0..<50).map { vocabulary.value(.uint($0)) ?? 0 }
        let again = (key: vocabulary.key("b"), value: vocabulary.value(.uint(7)), list: vocabulary.value(.list([])))
        #expect(again.key == keys[1])
        #expect(again.value == values[7])
        #expect(again.list == nil)
        var layer = MVTLayerWriter(name: "x", vocabulary: vocabulary), tile: [UInt8] = []
        for _ in 0..<3 { layer.add(id: nil, .points, tags: [keys[2], values[49]], geometry: [9, 0, 0]) }
        layer.finish(into: &tile)
        // Name, features, one key, one value, extent and version of a layer of 50 bytes.
        #expect(tile.count == 2 + 2 + 3 + 3 * 13 + 3 + 4 + 3)
        var empty: [UInt8] = []
        layer.finish(into: &empty)
        #expect(empty.isEmpty)
    }

    @Test func `texts that are only canonically equal stay different`() {
        var vocabulary = MVTVocabulary()
        let composed = (vocabulary.key("é"), vocabulary.value(.string("é")))
        let decomposed = (vocabulary.key("e\u{301}"), vocabulary.value(.string("e\u{301}")))
        #expect(composed.0 != decomposed.0)
        #expect(composed.1 != decomposed.1)
    }

    @Test func `packed tiles are gzip streams of the tile`() throws {
        let tile = try Self.tile(), packer = try VectorTilePacker()
        let packed = try packer.pack(tile)
        #expect(packed.starts(with: [0x1F, 0x8B]))
        #expect(try packer.pack(tile) == packed)
        #expect(try VectorTile.unpacked(packed, encoding: .mvt) == tile)
    }
}
