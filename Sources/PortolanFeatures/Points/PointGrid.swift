/// Points in square cells, to find all points within a cell size of one.
///
/// They are numbered cell by cell, so that neighbours on the ground are also close in memory.
struct PointGrid {
    /// The positions by their numbers in the grid.
    let points: [SIMD2<Double>]
    /// The grid number of each point, in input order.
    let numbers: [Int32]
    private let side: Double
    private let perSide: Double
    /// The start index of the cells for each hash value.
    private let starts: [Int32]
    private let shift: UInt64

    /// The number of hash slots per point, so that few cells share one.
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
        // Each end index is moved to the start of its cell.
        for place in x.indices.reversed() {
            let slot = Int(numbers[place]), number = starts[slot] - 1
            starts[slot] = number
            numbers[place] = number
            points[Int(number)] = SIMD2(x[place], y[place])
        }
        (self.points, self.numbers, self.starts, self.shift, self.perSide) = (points, numbers, starts, shift, perSide)
    }

    /// Returns values sorted by grid number.
    func sorted(_ values: [Int32]) -> [Int32] {
        var result = [Int32](repeating: 0, count: values.count)
        for place in values.indices { result[Int(numbers[place])] = values[place] }
        return result
    }

    /// Values out of range are clamped.
    @inline(__always)
    private static func cell(_ value: Double, _ perSide: Double) -> Int64 {
        Int64(min(max(value * perSide, -0x1p60), 0x1p60))
    }

    /// Returns the index of a cell in `starts`.
    ///
    /// Blocks of 16 columns and 4 rows of cells are stored together, and so are regions of 16 × 16 blocks, at the index
    /// of their hash value. Regions may share an index, so the hash value also permutes the blocks of a region.
    @inline(__always)
    private static func slot(_ column: Int64, _ row: Int64, _ shift: UInt64) -> Int {
        let region = (UInt64(bitPattern: column >> 8) &* 0xC2B2_AE3D_27D4_EB4F) ^ UInt64(bitPattern: row >> 6)
        let hash = region &* 0x9E37_79B9_7F4A_7C15
        let inRegion = UInt64(bitPattern: (row &>> 2 & 15) &<< 4 | column &>> 4 & 15)
        let index = ((hash ^ hash &<< 24) &>> shift ^ inRegion) & (~0 &>> shift)
        let block = Int(truncatingIfNeeded: index)
        return block &<< 6 | Int(truncatingIfNeeded: row & 3) &<< 4 | Int(truncatingIfNeeded: column & 15)
    }

    /// Calls `body` with ranges of numbers that contain all points within a cell size of one.
    @inline(__always)
    private func forEachRun(around point: SIMD2<Double>, _ starts: Span<Int32>, _ body: (Int, Int) -> Void) {
        let column = Self.cell(point.x, perSide) &- 1, middle = Self.cell(point.y, perSide)
        // The number of the three columns in the block of the first.
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

    /// Writes the numbers of all points within a cell size of one, including itself.
    ///
    /// - Parameter near: a buffer with a capacity of all points.
    /// - Returns: the number of points.
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

    /// Returns the squared distance to the nearest point, infinity if none is within a cell size, or `nil` if more than
    /// a maximum number of points would have to be searched.
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
