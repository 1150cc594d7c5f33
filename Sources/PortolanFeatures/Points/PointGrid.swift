/// Points in square cells, for finding what lies within a cell's side of one.
struct PointGrid {
    private let x: [Double]
    private let y: [Double]
    private let side: Double
    private let perSide: Double
    /// The points cell by cell, and where the cells of a hash value begin.
    private var items: [Int32]
    private var starts: [Int32]
    private let mask: UInt64

    init(_ x: [Double], _ y: [Double], side: Double) {
        self.x = x
        self.y = y
        self.side = side
        perSide = 1 / side
        var size: UInt64 = 16
        while size < UInt64(x.count) { size *= 2 }
        mask = size - 1
        starts = [Int32](repeating: 0, count: Int(size) + 1)
        items = [Int32](repeating: 0, count: x.count)
        var slots = [Int32](repeating: 0, count: x.count)
        for place in x.indices {
            let slot = slot(cell(x[place]), cell(y[place]))
            slots[place] = Int32(slot)
            starts[slot + 1] += 1
        }
        for slot in 0..<Int(size) { starts[slot + 1] += starts[slot] }
        // Each start moves to the end of its cell, which is where the next begins.
        for place in x.indices.reversed() {
            let slot = Int(slots[place])
            starts[slot + 1] -= 1
            items[Int(starts[slot + 1])] = Int32(place)
        }
        starts.removeFirst()
        starts.append(Int32(x.count))
    }

    /// Beyond the last cells all lie in them.
    private func cell(_ value: Double) -> Int64 { Int64(min(max(value * perSide, -0x1p60), 0x1p60)) }

    private func slot(_ column: Int64, _ row: Int64) -> Int {
        // Columns beside each other lie beside each other, so that three of them are one look.
        let hash = UInt64(bitPattern: row) &* 0x9E37_79B9_7F4A_7C15
        return Int((UInt64(bitPattern: column) &+ (hash >> 20)) & mask)
    }

    /// Calls `body` with what lies in the cells of three columns of a row, and perhaps with others, until it says that it is enough.
    @inline(__always)
    private func isFound(_ column: Int64, _ row: Int64, _ body: (Int) -> Bool) -> Bool {
        let first = slot(column - 1, row)
        if first + 2 <= Int(mask) {
            for index in Int(starts[first])..<Int(starts[first + 3]) where body(Int(items[index])) { return true }
            return false
        }
        for offset in 0...2 {
            let slot = (first + offset) & Int(mask)
            for index in Int(starts[slot])..<Int(starts[slot + 1]) where body(Int(items[index])) { return true }
        }
        return false
    }

    /// Whether another point lies within a side of one.
    func hasNeighbor(_ place: Int) -> Bool {
        let x0 = x[place], y0 = y[place], limit = side * side, column = cell(x0), row = cell(y0)
        for row in row - 1...row + 1 {
            let isNear = isFound(column, row) { other in
                let dx = x[other] - x0, dy = y[other] - y0
                return dx * dx + dy * dy <= limit && other != place
            }
            if isNear { return true }
        }
        return false
    }

    /// Calls `body` with each other point within a side of one.
    func forEachNeighbor(of place: Int, _ body: (Int) -> Void) {
        let x0 = x[place], y0 = y[place], limit = side * side, column = cell(x0), row = cell(y0)
        for row in row - 1...row + 1 {
            _ = isFound(column, row) { other in
                let dx = x[other] - x0, dy = y[other] - y0
                // Those of other rows that share cells come in their own.
                if dx * dx + dy * dy <= limit, other != place, cell(y[other]) == row { body(other) }
                return false
            }
        }
    }
}
