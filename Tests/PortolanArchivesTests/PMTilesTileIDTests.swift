import PortolanArchives
import Testing

@Suite struct PMTilesTileIDTests {
    /// The first examples are those of the specification.
    private static let known: [(level: Int, column: Int, row: Int, number: UInt64)] = [
        (0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 2), (1, 1, 1, 3), (1, 1, 0, 4), (2, 0, 0, 5),
        (12, 3423, 1763, 19_078_479),
    ]

    @Test(arguments: known) func `tile IDs follow a Hilbert curve`(
        level: Int, column: Int, row: Int, number: UInt64
    ) throws {
        #expect(PMTilesTileID(level: level, column: column, row: row)?.number == number)
        let index = try #require(PMTilesTileID(number: number).index)
        #expect(index == (level, column, row))
    }

    @Test func `tile IDs of the first levels are unique, and successive tiles are adjacent`() throws {
        var last: (level: Int, column: Int, row: Int)?
        for number in 0..<UInt64(1 + 4 + 16 + 64 + 256 + 1024) {
            let index = try #require(PMTilesTileID(number: number).index)
            #expect(PMTilesTileID(level: index.level, column: index.column, row: index.row)?.number == number)
            if let last, last.level == index.level {
                #expect(abs(last.column - index.column) + abs(last.row - index.row) == 1)
            }
            last = index
        }
    }

    @Test(arguments: 0...31) func `tile IDs at the ends of each level convert back`(level: Int) throws {
        let most = 1 << level - 1
        for (column, row) in [(0, most), (most, 0), (most, most), (most / 3, most / 2)] {
            let id = try #require(PMTilesTileID(level: level, column: column, row: row))
            let index = try #require(id.index)
            #expect(index == (level, column, row))
        }
    }

    @Test func `coordinates outside the levels have no tile ID`() {
        for (level, column, row) in [(-1, 0, 0), (32, 0, 0), (3, 8, 0), (3, 0, 8), (3, -1, 0), (0, 0, 1)] {
            #expect(PMTilesTileID(level: level, column: column, row: row) == nil)
        }
        #expect(PMTilesTileID(number: .max).index == nil)
    }
}
