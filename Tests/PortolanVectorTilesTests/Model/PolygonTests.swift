import PortolanVectorTiles
import TestHelpers
import Testing

@Suite struct PolygonTests {
    /// A square that runs clockwise on a screen.
    private static func square(_ x: Int, _ side: Int) -> [(Int, Int)] {
        [(x, x), (x + side, x), (x + side, x + side), (x, x + side)]
    }

    private static func polygons(version: Int, _ rings: [[(Int, Int)]]) throws -> [Range<Int>] {
        let feature = TileBytes.feature(type: 3, TileBytes.rings(rings))
        return try VectorTile(TileBytes.layer("a", version: version, [feature])).layers[0].polygons(of: 0)
    }

    @Test func `in version 2 the winding order separates polygons`() throws {
        let rings = [Self.square(0, 90), Self.square(10, 20).reversed(), Self.square(100, 50)]
        #expect(try Self.polygons(version: 2, rings) == [0..<2, 2..<3])
        // Some encoders wind all rings the other direction.
        #expect(try Self.polygons(version: 2, rings.map { $0.reversed() }) == [0..<2, 2..<3])
    }

    @Test func `in version 1 a ring within the one before is a hole`() throws {
        let rings = [Self.square(0, 90), Self.square(10, 20), Self.square(100, 50)]
        #expect(try Self.polygons(version: 1, rings) == [0..<2, 2..<3])
        #expect(try Self.polygons(version: 2, rings) == [0..<1, 1..<2, 2..<3])
    }

    @Test func `rings without area belong to the preceding polygon`() throws {
        let rings = [Self.square(0, 9), [(3, 3), (4, 4)], Self.square(20, 9)]
        #expect(try Self.polygons(version: 2, rings) == [0..<2, 2..<3])
        #expect(try Self.polygons(version: 2, [[(3, 3), (4, 4)]]) == [0..<1])
    }

    @Test func `lines have no polygons`() throws {
        let feature = TileBytes.feature(type: 2, [9, 0, 0, 10, 2, 2])
        #expect(try VectorTile(TileBytes.layer("a", [feature])).layers[0].polygons(of: 0).isEmpty)
    }
}
