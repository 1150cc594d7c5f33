import CPrefetch

/// The signed areas that edges enclose in a few pixel rows.
///
/// A cell holds the difference between the signed covered areas of its pixel and of the pixel to its left, in units of
/// 2⁻³², so the running sum from the left is each pixel's area. Integers cancel exactly and in any order. A byte per
/// block of four cells, its flag, marks whether an edge touched it; only touched blocks are visited and cleared. The
/// flags of a row precede its cells.
///
/// Cells and flags are accessed by pointer, without bounds checks. Memory safety: the ends of edges passed to `add(_:)`
/// have an x in the columns passed to `prepare` and a y in the band's rows or below, and every computed x is between
/// those of the two ends. So the last cell written in a row is two beyond the last column's, and a row has that many.
struct CoverageBand: Sendable {
    /// The memory in bytes for which the height of a band is chosen: part of a core's cache.
    private static let memory = 160 << 10

    /// The rows' flags and cells; zero between two paintings, so that any shape can use them for its rows.
    private var cells: [Int64] = []
    /// The column of a row's first cell, at the start of a block.
    private var firstColumn = 0
    /// The number of elements for the flags of a row, which are read 32 at a time.
    private var flagCount = 0
    /// The number of elements per row, with its flags and its cells in whole blocks.
    private var stride = 0
    /// The number of rows, as a power of two.
    private(set) var heightBits = 4

    /// Creates a band without memory.
    init() {}

    /// Creates a band with all rows for edges in a range of columns.
    init(columns: ClosedRange<Int>, rowCount: Int) {
        layOut(columns)
        cells = [Int64](repeating: 0, count: stride * rowCount)
    }

    private mutating func layOut(_ columns: ClosedRange<Int>) {
        firstColumn = columns.lowerBound & ~3
        let cellCount = (columns.upperBound &+ 3 &- firstColumn &+ 3) & ~3
        flagCount = (cellCount / 4 + 31) / 32 * 4
        stride = flagCount + cellCount
    }

    /// Lays out rows for edges in a range of columns: narrow shapes fit in the nearest cache with higher bands.
    mutating func prepare(columns: ClosedRange<Int>) {
        layOut(columns)
        heightBits = 6
        while heightBits > 2, stride * 8 << heightBits > Self.memory { heightBits -= 1 }
        let count = stride << heightBits
        if cells.count < count { cells = [Int64](repeating: 0, count: max(count, Self.memory / 8)) }
    }

    /// Adds edges that begin and end within a range of rows, which are all rows of the band.
    mutating func add(_ edges: inout [Edge], _ range: Range<Int>) {
        withRows { rows in
            var edges = edges.mutableSpan
            for index in edges.indices { rows.add(&edges[index], in: range) }
        }
    }

    /// Calls `body` with the cells.
    mutating func withRows<Result>(_ body: (Rows) -> Result) -> Result {
        let stride = stride, flagCount = flagCount, firstColumn = firstColumn
        return unsafe cells.withUnsafeMutableBufferPointer { cells in
            guard let cells = cells.baseAddress else { preconditionFailure("a band is prepared before it is used") }
            return unsafe body(Rows(start: cells, firstColumn: firstColumn, stride: stride, flagCount: flagCount))
        }
    }

    /// The borrowed rows of the band.
    @safe struct Rows {
        /// The first row's flags.
        let start: UnsafeMutablePointer<Int64>
        let firstColumn: Int
        let stride: Int
        let flagCount: Int
        /// The bytes from the cell of column 0 to its block's flag.
        let flagOffset: Int

        init(start: UnsafeMutablePointer<Int64>, firstColumn: Int, stride: Int, flagCount: Int) {
            unsafe self.start = start
            self.firstColumn = firstColumn
            self.stride = stride
            self.flagCount = flagCount
            flagOffset = (firstColumn &- flagCount) &* 8 &- firstColumn / 4
        }
    }
}

extension CoverageBand.Rows {
    /// Adds the part of an edge above `bottom`, and returns whether a part remains below.
    ///
    /// - Parameters:
    ///   - edge: an edge that begins in the band; its upper end moves to where the rest begins.
    ///   - top: the band's first row.
    ///   - bottom: the y below the band's last row.
    ///   - pixels: the picture's pixels of those rows, which are prefetched while edges are added.
    @inline(__always)
    func add(_ edge: inout Edge, top: Int, bottom: Int64, _ pixels: PixelRows) -> Bool {
        unsafe add(&edge, top: top, bottom: bottom, pixels.row(top), width: pixels.size.width)
    }

    /// Adds the part of an edge within a range of rows in which it begins, which are all rows of the band.
    @inline(__always)
    func add(_ edge: inout Edge, in rows: Range<Int>) {
        let bottom = Int64(rows.upperBound) &<< Edge.yBits
        // Here the cells themselves are prefetched: a row of them has two 32-bit words per cell.
        let fetched = unsafe UnsafeMutableRawPointer(start).assumingMemoryBound(to: UInt32.self)
        _ = unsafe add(&edge, top: rows.lowerBound, bottom: bottom, fetched, width: 2 &* stride)
    }

    @inline(__always)
    private func add(
        _ edge: inout Edge, top: Int, bottom: Int64, _ pixels: UnsafeMutablePointer<UInt32>, width: Int
    ) -> Bool {
        let direction = Int64(edge.direction), height = (edge.y1 &- edge.y0) &* direction
        let row = Int(truncatingIfNeeded: edge.y0 &>> Edge.yBits)
        var boundary = (Int64(truncatingIfNeeded: row) &+ 1) &<< Edge.yBits
        var cursor = unsafe Cursor(
            cells: start + ((row &- top) &* stride &+ flagCount &- firstColumn),
            pixels: pixels + (row &- top) &* width)
        if edge.y1 <= boundary {
            let isInOneColumn = edge.x0 &>> Edge.xBits == edge.x1 &>> Edge.xBits
            unsafe addPiece(cursor, edge.x0, edge.x1, height, isInOneColumn ? 0 : edge.slope)
            return false
        }
        let slope = edge.slope
        var x = edge.x0
        if !edge.isEntered {
            x = edge.enter(boundary)
            unsafe addPiece(cursor, edge.x0, x, (boundary &- edge.y0) &* direction, slope)
            unsafe advance(&cursor, width)
        } else {
            boundary = edge.y0
        }
        let last = min(bottom, edge.y1 & ~(Edge.rowHeight - 1))
        if boundary < last {
            let step = edge.step, count = (last &- boundary) &>> Edge.yBits, end = x &+ step &* count
            if abs(step) <= Edge.pixelWidth {
                unsafe addNarrowRows(&cursor, min(x, x &+ step), step, direction, slope, count, width)
            } else {
                unsafe addWideRows(&cursor, min(x, x &+ step), step, direction, slope, count, width)
            }
            x = end
            boundary = last
        }
        if boundary == bottom, edge.y1 > bottom {
            edge.x0 = x
            edge.y0 = bottom
            return true
        }
        if edge.y1 > boundary {
            unsafe addPiece(cursor, x, edge.x1, (edge.y1 &- boundary) &* direction, slope)
        }
        return false
    }

    /// The memory position of a row.
    @unsafe private struct Cursor {
        /// The cell of column 0, which may be outside of the row.
        var cells: UnsafeMutablePointer<Int64>
        var pixels: UnsafeMutablePointer<UInt32>
    }

    @inline(__always)
    private func advance(_ cursor: inout Cursor, _ width: Int) {
        unsafe cursor.cells += stride
        unsafe cursor.pixels += width
    }

    /// Adds the part of an edge in a number of whole rows if it is at most one pixel wide in each.
    ///
    /// - Parameters:
    ///   - left: the smaller x of the ends in the first row.
    ///   - step: the change of x per row.
    ///   - direction: 1 for a downward edge, and -1 for an upward one.
    ///   - slope: the edge's slope.
    @inline(__always)
    private func addNarrowRows(
        _ cursor: inout Cursor, _ left: Int64, _ step: Int64, _ direction: Int64, _ slope: Double, _ count: Int64,
        _ width: Int
    ) {
        let height = Edge.rowHeight &* direction, run = abs(step)
        var left = left, rest = count
        while rest > 0 {
            unsafe addNarrowPiece(cursor, left, run, height, slope)
            left = left &+ step
            unsafe advance(&cursor, width)
            rest = rest &- 1
        }
    }

    /// Adds the part of an edge in a number of whole rows if it is more than one pixel wide in each.
    @inline(__always)
    private func addWideRows(
        _ cursor: inout Cursor, _ left: Int64, _ step: Int64, _ direction: Int64, _ slope: Double, _ count: Int64,
        _ width: Int
    ) {
        let height = Edge.rowHeight &* direction, run = abs(step), areas = WideAreas(slope)
        var left = left, rest = count
        while rest > 0 {
            unsafe addWidePiece(cursor, left, left &+ run, height, areas)
            left = left &+ step
            unsafe advance(&cursor, width)
            rest = rest &- 1
        }
    }

    /// Adds the part of an edge in one row if it is at most one pixel wide.
    ///
    /// The mean distance from the left of the first cell gives the sum of the areas in both cells, and the part beyond
    /// their border that of the second, so it does not matter whether the piece crosses it.
    ///
    /// - Parameters:
    ///   - row: the row's memory.
    ///   - left: the smaller x of the ends.
    ///   - width: the distance of their x.
    ///   - height: the part of the row's height that the piece crosses, negative for an upward edge.
    ///   - slope: the edge's slope.
    @inline(__always)
    private func addNarrowPiece(_ row: Cursor, _ left: Int64, _ width: Int64, _ height: Int64, _ slope: Double) {
        let first = Int(truncatingIfNeeded: left &>> Edge.xBits)
        unsafe prefetch_to_write(row.pixels + first)
        let cell = unsafe row.cells + first
        let start = left & (Edge.pixelWidth &- 1)
        // Twice the mean distance, to 2⁻³¹ of a pixel.
        let beyond = (height &* ((2 &* start &+ width) &>> 11)) &>> 30
        let over = Double(max(start &+ width &- Edge.pixelWidth, 0))
        let second = whole_part(slope * over * over)
        unsafe cell[0] &+= height &- beyond &+ second
        unsafe cell[1] &+= beyond &- 2 &* second
        unsafe cell[2] &+= second
        unsafe touch(row, left)
        unsafe touch(row, left &+ width &+ Edge.pixelWidth)
    }

    /// Adds the part of an edge in one row.
    ///
    /// - Parameters:
    ///   - row: the row's memory.
    ///   - xa: one end's x.
    ///   - xb: the other end's x.
    ///   - height: the part of the row's height that the piece crosses, negative for an upward edge.
    ///   - slope: the edge's slope, needed only if the piece crosses a border of columns.
    @inline(__always)
    private func addPiece(_ row: Cursor, _ xa: Int64, _ xb: Int64, _ height: Int64, _ slope: Double) {
        let left = min(xa, xb), right = max(xa, xb)
        if right &- left <= Edge.pixelWidth {
            unsafe addNarrowPiece(row, left, right &- left, height, slope)
        } else {
            unsafe addWidePiece(row, left, right, height, WideAreas(slope))
        }
    }

    /// The areas that depend only on an edge's slope.
    private struct WideAreas {
        let slope: Double
        /// The slope times the width of a pixel.
        let pixelSlope: Double
        /// The growth of the area from one pixel to the next, if the edge crosses both completely.
        let each: Int64

        @inline(__always)
        init(_ slope: Double) {
            self.slope = slope
            pixelSlope = slope * Double(Edge.pixelWidth)
            each = whole_part(pixelSlope * Double(2 &* Edge.pixelWidth))
        }
    }

    /// Adds the part of an edge in one row if it is more than one pixel wide.
    @inline(__always)
    private func addWidePiece(_ row: Cursor, _ left: Int64, _ right: Int64, _ height: Int64, _ areas: WideAreas) {
        let first = Int(truncatingIfNeeded: left &>> Edge.xBits), last = Int(truncatingIfNeeded: right &>> Edge.xBits)
        unsafe prefetch_to_write(row.pixels + first)
        let cell = unsafe row.cells + first
        let before = Double(Edge.pixelWidth &- left & (Edge.pixelWidth &- 1))
        let after = Double(right & (Edge.pixelWidth &- 1))
        let firstArea = whole_part(areas.slope * before * before)
        let lastArea = whole_part(areas.slope * after * after)
        let second = whole_part(areas.pixelSlope * (2 * before + Double(Edge.pixelWidth)))
        let count = last &- first
        unsafe cell[0] &+= firstArea
        unsafe cell[1] &+= second &- firstArea
        var index = 2
        while index < count {
            unsafe cell[index] &+= areas.each
            index &+= 1
        }
        // If the piece ends in the second pixel, both sums are its own.
        unsafe cell[count] &+= height &- lastArea &- second &- areas.each &* Int64(truncatingIfNeeded: index &- 2)
        unsafe cell[count &+ 1] &+= lastArea
        var block = left &+ 4 &* Edge.pixelWidth
        unsafe touch(row, left)
        while block < right &+ Edge.pixelWidth {
            unsafe touch(row, block)
            block = block &+ 4 &* Edge.pixelWidth
        }
        unsafe touch(row, right &+ Edge.pixelWidth)
    }

    /// Marks the block of the pixel at `x`.
    @inline(__always)
    private func touch(_ row: Cursor, _ x: Int64) {
        let flag = flagOffset &+ Int(truncatingIfNeeded: x &>> (Edge.xBits &+ 2))
        unsafe UnsafeMutableRawPointer(row.cells).storeBytes(of: 0x80, toByteOffset: flag, as: UInt8.self)
    }
}

extension CoverageBand.Rows {
    /// Paints rows with one colour through the collected coverage, and clears the band.
    ///
    /// - Parameters:
    ///   - rows: the band's rows on the picture.
    ///   - rule: the fill rule.
    ///   - brush: the colour.
    ///   - picture: the picture's pixels of those rows.
    @inline(__always)
    func paint(_ rows: Range<Int>, _ rule: Path.FillRule, _ brush: Brush, on picture: PixelRows) {
        var flags = unsafe start
        for row in rows {
            unsafe paint(flags, rule, brush, picture.row(row), width: picture.size.width)
            unsafe flags += stride
        }
    }

    @inline(__always)
    private func paint(
        _ flags: UnsafeMutablePointer<Int64>, _ rule: Path.FillRule, _ brush: Brush,
        _ pixels: UnsafeMutablePointer<UInt32>, width: Int
    ) {
        let cells = unsafe flags + flagCount
        var area: Int64 = 0, painted = firstColumn
        var word = 0
        while word < flagCount {
            let memory = unsafe UnsafeMutableRawPointer(flags + word)
            var bits = unsafe highest_bits(memory)
            if bits != 0 { unsafe memory.storeBytes(of: SIMD4(), as: SIMD4<Int64>.self) }
            while bits != 0 {
                let first = (word &<< 3 &+ bits.trailingZeroBitCount) &<< 2, column = firstColumn &+ first
                bits &= bits &- 1
                if painted < column, area != 0 {
                    // Between touched blocks the coverage is constant.
                    let coverage = rule.coverage(area)
                    if coverage != 0 {
                        unsafe brush.paint(pixels + painted, min(column, width) &- painted, coverage: coverage)
                    }
                }
                let four = unsafe rule.coverage(UnsafeMutableRawPointer(cells + first), &area)
                if column &+ 4 <= width {
                    unsafe brush.paint(pixels + column, coverage: four)
                } else {
                    for index in 0..<max(width &- column, 0) {
                        unsafe brush.paint(pixels + (column &+ index), 1, coverage: four[index])
                    }
                }
                painted = column &+ 4
            }
            word &+= 4
        }
        let coverage = rule.coverage(area)
        if painted < width, coverage != 0 {
            unsafe brush.paint(pixels + painted, width &- painted, coverage: coverage)
        }
    }
}

extension Path.FillRule {
    /// Returns the coverage of the pixels of four cells, and clears the cells.
    ///
    /// - Parameter area: the area of the pixel before, which becomes that of the last of the four.
    @inline(__always)
    fileprivate func coverage(_ cells: UnsafeMutableRawPointer, _ area: inout Int64) -> SIMD4<UInt32> {
        var first = unsafe cells.loadUnaligned(as: SIMD2<Int64>.self)
        var second = unsafe cells.loadUnaligned(fromByteOffset: 16, as: SIMD2<Int64>.self)
        unsafe cells.storeBytes(of: SIMD2(), as: SIMD2<Int64>.self)
        unsafe cells.storeBytes(of: SIMD2(), toByteOffset: 16, as: SIMD2<Int64>.self)
        // The sums from the left.
        first = first &+ SIMD2(0, first[0]) &+ SIMD2(repeating: area)
        second = second &+ SIMD2(0, second[0]) &+ SIMD2(repeating: first[1])
        area = second[1]
        return coverage(SIMD4(lowHalf: first, highHalf: second))
    }
}
