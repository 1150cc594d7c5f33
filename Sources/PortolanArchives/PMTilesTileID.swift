/// The number of a tile in a PMTiles archive: its position on a Hilbert curve through its level, after all lower levels.
package struct PMTilesTileID: Hashable, Comparable, Sendable {
    /// The levels that numbers of 64 bits can count.
    package static let levels = 0...31

    package let number: UInt64

    package init(number: UInt64) { self.number = number }

    /// The number of a tile, rows from the top; `nil` if there is no such tile.
    package init?(level: Int, column: Int, row: Int) {
        guard Self.levels.contains(level), (0..<(1 << level)).contains(column), (0..<(1 << level)).contains(row) else {
            return nil
        }
        var x = UInt64(column), y = UInt64(row), distance: UInt64 = 0
        for bit in stride(from: level - 1, through: 0, by: -1) {
            let side: UInt64 = 1 << UInt64(bit)
            let right = x >> UInt64(bit) & 1, lower = y >> UInt64(bit) & 1
            distance += side * side * (3 * right ^ lower)
            Self.turn(&x, &y, in: side, right: right, lower: lower)
        }
        number = Self.first(of: level) + distance
    }

    /// The level, column and row, rows from the top; `nil` if the number is greater than those of all levels.
    package var index: (level: Int, column: Int, row: Int)? {
        guard let level = Self.levels.last(where: { Self.first(of: $0) <= number }) else { return nil }
        var rest = number - Self.first(of: level)
        guard level < Self.levels.upperBound || rest >> UInt64(2 * level) == 0 else { return nil }
        var x: UInt64 = 0, y: UInt64 = 0
        for bit in 0..<level {
            let side: UInt64 = 1 << UInt64(bit)
            let right = rest >> 1 & 1, lower = (rest ^ right) & 1
            Self.turn(&x, &y, in: side, right: right, lower: lower)
            x = (x & (side - 1)) + side * right
            y = (y & (side - 1)) + side * lower
            rest >>= 2
        }
        return (level, Int(x), Int(y))
    }

    package static func < (first: PMTilesTileID, second: PMTilesTileID) -> Bool { first.number < second.number }

    /// The number of the first tile of a level.
    static func first(of level: Int) -> UInt64 { (1 << UInt64(2 * level) - 1) / 3 }

    /// Turns a quarter of the curve.
    ///
    /// The bits above the side have no meaning afterwards.
    private static func turn(_ x: inout UInt64, _ y: inout UInt64, in side: UInt64, right: UInt64, lower: UInt64) {
        guard lower == 0 else { return }
        if right == 1 { (x, y) = (side &- 1 &- x, side &- 1 &- y) }
        swap(&x, &y)
    }
}
