import PortolanArchives
import Testing

@Suite struct PMTilesTileIDTests {
    /// The first examples are those of the specification.
    private static let known: [(level: Int, column: Int, row: Int, number: UInt64)] = [
        (0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 2), (1, 1, 1, 3), (1, 1, 0, 4), (2, 0, 0, 5),
        (12, 3423, 1763, 19_078_479),
    ]

    @Test(arguments: known) func `numbers follow a Hilbert curve`(
        level: Int, column: Int, row: Int, number: UInt64
    ) throws {
        #expect(PMTilesTileID(level: level, column: column, row: row)?.number == number)
        let index = try #require(PMTilesTileID(number: number).index)
        #expect(index == (level, column, row))
    }

    @Test func `each tile of the first levels has a number of its own, next to its neighbour`() throws {
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

    @Test(arguments: 0...31) func `the last tiles of each level come back`(level: Int) throws {
        let most = 1 << level - 1
        for (column, row) in [(0, most), (most, 0), (most, most), (most / 3, most / 2)] {
            let id = try #require(PMTilesTileID(level: level, column: column, row: row))
            let index = try #require(id.index)
            #expect(index == (level, column, row))
        }
    }

    @Test func `there are no tiles beyond the levels and their sides`() {
        for (level, column, row) in [(-1, 0, 0), (32, 0, 0), (3, 8, 0), (3, 0, 8), (3, -1, 0), (0, 0, 1)] {
            #expect(PMTilesTileID(level: level, column: column, row: row) == nil)
        }
        #expect(PMTilesTileID(number: .max).index == nil)
    }
}
