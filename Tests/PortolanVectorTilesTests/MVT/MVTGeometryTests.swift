import PortolanVectorTiles
import TestHelpers
import Testing

@Suite struct MVTGeometryTests {
    private static func geometry(type: Int, _ commands: [Int]) throws -> VectorTileGeometry {
        try VectorTile(TileBytes.layer("a", [TileBytes.feature(type: type, commands)])).layers[0].geometry
    }

    @Test func `each MoveTo in a line geometry begins a new line, as in MapLibre`() throws {
        let geometry = try Self.geometry(type: 2, [TileBytes.command(1, 2), 2, 2, 2, 2, 10, 2, 2])
        #expect(geometry.vertexOffsets == [0, 1, 3])
        #expect(geometry.coordinates == [1, 1, 2, 2, 3, 3])
    }

    @Test func `points in several commands are one part`() throws {
        let geometry = try Self.geometry(type: 1, [9, 2, 2, TileBytes.command(1, 2), 2, 2, 2, 2])
        #expect(geometry.vertexOffsets == [0, 3])
        #expect(geometry.partOffsets == [0, 1])
    }

    private static let invalid: [(Int, [Int])] = [
        (1, [10, 2, 2]), (1, [15]), (2, [10, 2, 2]), (2, [9, 2, 2, 15]), (3, [10, 2, 2]), (3, [15]),
        (3, [9, 2, 2, 10, 4, 4, 15, 15]), (3, [9, 2, 2, 12]), (2, [TileBytes.command(1, 1 << 28), 2, 2]),
        (2, [9, 2, 2, TileBytes.command(2, 1 << 28), 2]), (1, [9, 2]),
    ]

    @Test(arguments: invalid) func `invalid commands are refused`(type: Int, commands: [Int]) {
        let error = #expect(throws: VectorTileError.self) { try Self.geometry(type: type, commands) }
        #expect(error?.code == .malformed)
    }
}
