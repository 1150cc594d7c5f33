/// Points in square cells, for finding what lies within a cell's side of one.
///
/// They are numbered cell by cell, so that what lies beside each other on the ground does so in memory.
struct PointGrid {
    /// The places by the numbers of the grid.
    let points: [SIMD2<Double>]
    /// The number of each point, as the points were given.
    let numbers: [Int32]
    private let side: Double
    private let perSide: Double
    /// Where the cells of a hash value begin.
    private let starts: [Int32]
    private let shift: UInt64

    /// How many cells there are for a point, so that few share one.
    private static let cellsPerPoint = 2

    init(_ x: [Double], _ y: [Double], side: Double) {
        self.side = side
        let perSide = 1 / side
        var bits = 1
        while 64 << bits < Self.cellsPerPoint * x.count { bits += 1 }
        let shift = UInt64(64 - bits)
        var starts = [Int32](repeating: 0, count: 64 << bits + 1)
        var numbers = [Int32](repeating: 0, count: x.count)
        var points = [SIMD2<Double>](repeating: .zero, count: x.count)
        for place in x.indices {
            let slot = Self.slot(Self.cell(x[place], perSide), Self.cell(y[place], perSide), shift)
            numbers[place] = Int32(truncatingIfNeeded: slot)
            starts[slot] += 1
        }
        var sum: Int32 = 0
        for slot in starts.indices {
            sum += starts[slot]
            starts[slot] = sum
        }
        // Each end moves to the start of its cell.
        for place in x.indices.reversed() {
            let slot = Int(numbers[place]), number = starts[slot] - 1
            starts[slot] = number
            numbers[place] = number
            points[Int(number)] = SIMD2(x[place], y[place])
        }
        (self.points, self.numbers, self.starts, self.shift, self.perSide) = (points, numbers, starts, shift, perSide)
    }

    /// Values by the numbers of the grid.
    func sorted(_ values: [Int32]) -> [Int32] {
        var result = [Int32](repeating: 0, count: values.count)
        for place in values.indices { result[Int(numbers[place])] = values[place] }
        return result
    }

    /// Beyond the last cells all lie in them.
    @inline(__always)
    private static func cell(_ value: Double, _ perSide: Double) -> Int64 {
        Int64(min(max(value * perSide, -0x1p60), 0x1p60))
    }

    /// Blocks of 16 columns and 4 rows of cells lie together, at a place that their hash value says.
    @inline(__always)
    private static func slot(_ column: Int64, _ row: Int64, _ shift: UInt64) -> Int {
        let hash = (UInt64(bitPattern: column >> 4) &* 0xC2B2_AE3D_27D4_EB4F) ^ UInt64(bitPattern: row >> 2)
        let block = Int(truncatingIfNeeded: (hash &* 0x9E37_79B9_7F4A_7C15) &>> shift)
        return block &<< 6 | Int(truncatingIfNeeded: row & 3) &<< 4 | Int(truncatingIfNeeded: column & 15)
    }

    /// Calls `body` with ranges of numbers in which all points within a side of one are.
    @inline(__always)
    private func forEachRun(around point: SIMD2<Double>, _ starts: Span<Int32>, _ body: (Int, Int) -> Void) {
        let column = Self.cell(point.x, perSide) &- 1, middle = Self.cell(point.y, perSide)
        // How many of three columns lie in the block of the first.
        let together = min(Int(truncatingIfNeeded: 16 &- (column & 15)), 3)
        for row in middle &- 1...middle &+ 1 {
            let first = Self.slot(column, row, shift)
            body(Int(starts[first]), Int(starts[first &+ together]))
            if together < 3 {
                let next = Self.slot(column &+ Int64(together), row, shift)
                body(Int(starts[next]), Int(starts[next &+ 3 &- together]))
            }
        }
    }

    /// Writes the numbers of those within a side of one, it among them, one after the other.
    ///
    /// - Parameter near: as long as there are points.
    /// - Returns: how many there are.
    @inline(__always)
    func neighbors(of number: Int, _ near: inout MutableSpan<Int32>) -> Int {
        let points = points.span, starts = starts.span
        let point = points[number], limit = side * side
        var count = 0
        forEachRun(around: point, starts) { start, end in
            var next = start
            while next < end {
                let way = points[next] - point
                near[count] = Int32(truncatingIfNeeded: next)
                count &+= way.x * way.x + way.y * way.y <= limit ? 1 : 0
                next &+= 1
            }
        }
        return count
    }

    /// The square of the way to the point that is nearest to one, infinity where none is within a side; `nil` where more are to be
    /// looked at than some.
    @inline(__always)
    func nearest(_ number: Int, among most: Int) -> Double? {
        let points = points.span, starts = starts.span
        let point = points[number]
        var least = Double.infinity, count = 0
        forEachRun(around: point, starts) { start, end in
            count &+= end &- start
            var next = start
            let last = count > most ? start : end
            while next < last {
                let way = points[next] - point, square = way.x * way.x + way.y * way.y
                least = next != number && square < least ? square : least
                next &+= 1
            }
        }
        return count > most ? nil : least
    }
}
