import CPrefetch

/// The signed areas that edges enclose in a few pixel rows.
///
/// A cell holds the difference between the signed covered areas of its pixel and of the pixel to its left, in units of
/// 2⁻³², so the running sum from the left is each pixel's area. Integers cancel exactly and in any order. A bit per
/// block of four cells marks whether an edge touched it; only touched blocks are visited and cleared.
///
/// Cells and bits are accessed by pointer, without bounds checks. Memory safety: the ends of edges passed to `add(_:)`
/// have an x in the columns passed to `prepare` and a y in the band's rows or below, and every computed x is between
/// those of the two ends. So the last cell written in a row is two beyond the last column's, and a row has that many.
struct CoverageBand: Sendable {
    /// The memory in bytes for which the height of a band is chosen: part of a core's cache.
    private static let memory = 160 << 10

    /// Zero between two paintings, so that any shape can use it for its rows.
    private var cells: [Int64] = []
    private var touched: [UInt64] = []
    /// The column of a row's first cell, at the start of a block.
    private var firstColumn = 0
    /// The number of cells per row, in whole blocks.
    private var stride = 0
    /// The number of bit words per row.
    private var words = 0
    /// The number of rows, as a power of two.
    private(set) var heightBits = 4

    /// Creates a band without memory.
    init() {}

    /// Creates a band with all rows for edges in a range of columns.
    init(columns: ClosedRange<Int>, rowCount: Int) {
        layOut(columns)
        cells = [Int64](repeating: 0, count: stride * rowCount)
        touched = [UInt64](repeating: 0, count: words * rowCount)
    }

    private mutating func layOut(_ columns: ClosedRange<Int>) {
        firstColumn = columns.lowerBound & ~3
        stride = (columns.upperBound &+ 3 &- firstColumn &+ 3) & ~3
        words = (stride / 4 + 63) / 64
    }

    /// Lays out rows for edges in a range of columns: narrow shapes fit in the nearest cache with higher bands.
    mutating func prepare(columns: ClosedRange<Int>) {
        layOut(columns)
        heightBits = 6
        while heightBits > 2, stride * 8 << heightBits > Self.memory { heightBits -= 1 }
        let cellCount = stride << heightBits, wordCount = words << heightBits
        if cells.count < cellCount { cells = [Int64](repeating: 0, count: max(cellCount, Self.memory / 8)) }
        if touched.count < wordCount { touched = [UInt64](repeating: 0, count: max(wordCount, 256)) }
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
        let stride = stride, words = words, firstColumn = firstColumn
        return unsafe cells.withUnsafeMutableBufferPointer { cells in
            unsafe touched.withUnsafeMutableBufferPointer { touched in
                guard let cells = cells.baseAddress, let touched = touched.baseAddress else {
                    preconditionFailure("a band is prepared before it is used")
                }
                return unsafe body(
                    Rows(cells: cells, touched: touched, firstColumn: firstColumn, stride: stride, words: words))
            }
        }
    }

    /// The borrowed rows of the band.
    @safe struct Rows {
        let cells: UnsafeMutablePointer<Int64>
        let touched: UnsafeMutablePointer<UInt64>
        let firstColumn: Int
        let stride: Int
        let words: Int
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
        let fetched = unsafe UnsafeMutableRawPointer(cells).assumingMemoryBound(to: UInt32.self)
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
            cells: cells + ((row &- top) &* stride &- firstColumn), touched: touched + (row &- top) &* words,
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
            let step = edge.step, height = Edge.rowHeight &* direction
            if abs(step) <= Edge.pixelWidth {
                while boundary < last {
                    unsafe addNarrowPiece(cursor, min(x, x &+ step), abs(step), height, slope)
                    x = x &+ step
                    unsafe advance(&cursor, width)
                    boundary = boundary &+ Edge.rowHeight
                }
            } else {
                while boundary < last {
                    unsafe addPiece(cursor, x, x &+ step, height, slope)
                    x = x &+ step
                    unsafe advance(&cursor, width)
                    boundary = boundary &+ Edge.rowHeight
                }
            }
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
        var touched: UnsafeMutablePointer<UInt64>
        var pixels: UnsafeMutablePointer<UInt32>
    }

    @inline(__always)
    private func advance(_ cursor: inout Cursor, _ width: Int) {
        unsafe cursor.cells += stride
        unsafe cursor.touched += words
        unsafe cursor.pixels += width
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
        unsafe touch(row, first, Int(truncatingIfNeeded: (left &+ width) &>> Edge.xBits))
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
        guard right &- left > Edge.pixelWidth else {
            return unsafe addNarrowPiece(row, left, right &- left, height, slope)
        }
        let first = Int(truncatingIfNeeded: left &>> Edge.xBits), last = Int(truncatingIfNeeded: right &>> Edge.xBits)
        unsafe prefetch_to_write(row.pixels + first)
        let cell = unsafe row.cells + first
        let boundary = Int64(truncatingIfNeeded: first &+ 1) &<< Edge.xBits
        let before = Double(boundary &- left)
        let after = Double(right &- Int64(truncatingIfNeeded: last) &<< Edge.xBits)
        let firstArea = whole_part(slope * before * before)
        let lastArea = whole_part(slope * after * after)
        unsafe cell[0] &+= firstArea
        let count = last &- first
        if count == 1 {
            unsafe cell[1] &+= height &- firstArea &- lastArea
            unsafe cell[2] &+= lastArea
        } else {
            let second = whole_part(slope * Double(Edge.pixelWidth) * (2 * before + Double(Edge.pixelWidth)))
            let each = whole_part(slope * Double(2 &* Edge.pixelWidth) * Double(Edge.pixelWidth))
            unsafe cell[1] &+= second &- firstArea
            var index = 2
            while index < count {
                unsafe cell[index] &+= each
                index &+= 1
            }
            unsafe cell[count] &+= height &- lastArea &- second &- each &* Int64(truncatingIfNeeded: count &- 2)
            unsafe cell[count &+ 1] &+= lastArea
        }
        unsafe touch(row, first, last)
    }

    /// Marks the blocks of the cells of pixels in one row and of the cell after them.
    @inline(__always)
    private func touch(_ row: Cursor, _ first: Int, _ last: Int) {
        var block = (first &- firstColumn) &>> 2
        let lastBlock = (last &+ 1 &- firstColumn) &>> 2
        if block &>> 6 == lastBlock &>> 6 {
            // Sets all bits from the first to the last at once.
            let bits = (2 &<< UInt64(truncatingIfNeeded: lastBlock & 63)) &- 1
            unsafe row.touched[block &>> 6] |= bits & (UInt64.max &<< UInt64(truncatingIfNeeded: block & 63))
        } else {
            while block <= lastBlock {
                unsafe row.touched[block &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: block & 63)
                block &+= 1
            }
        }
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
        var cells = unsafe self.cells, touched = unsafe self.touched
        for row in rows {
            unsafe paint(cells, touched, rule, brush, picture.row(row), width: picture.size.width)
            unsafe cells += stride
            unsafe touched += words
        }
    }

    @inline(__always)
    private func paint(
        _ cells: UnsafeMutablePointer<Int64>, _ touched: UnsafeMutablePointer<UInt64>, _ rule: Path.FillRule,
        _ brush: Brush,
        _ pixels: UnsafeMutablePointer<UInt32>, width: Int
    ) {
        var area: Int64 = 0, painted = firstColumn
        var word = 0
        while word < words {
            var bits = unsafe touched[word]
            if bits != 0 { unsafe touched[word] = 0 }
            while bits != 0 {
                let first = (word &<< 6 &+ bits.trailingZeroBitCount) &<< 2, column = firstColumn &+ first
                bits &= bits &- 1
                if painted < column {
                    // Between touched blocks the coverage is constant.
                    let coverage = rule.coverage(area)
                    if coverage != 0 {
                        unsafe brush.paint(pixels + painted, min(column, width) &- painted, coverage: coverage)
                    }
                }
                let cell = unsafe cells + first
                let area0 = unsafe area &+ cell[0]
                let area1 = unsafe area0 &+ cell[1]
                let area2 = unsafe area1 &+ cell[2]
                area = unsafe area2 &+ cell[3]
                unsafe cell[0] = 0
                unsafe cell[1] = 0
                unsafe cell[2] = 0
                unsafe cell[3] = 0
                let four = SIMD4(
                    rule.coverage(area0), rule.coverage(area1), rule.coverage(area2), rule.coverage(area))
                if column &+ 4 <= width {
                    unsafe brush.paint(pixels + column, coverage: four)
                } else {
                    for index in 0..<max(width &- column, 0) {
                        unsafe brush.paint(pixels + (column &+ index), 1, coverage: four[index])
                    }
                }
                painted = column &+ 4
            }
            word &+= 1
        }
        let coverage = rule.coverage(area)
        if painted < width, coverage != 0 {
            unsafe brush.paint(pixels + painted, width &- painted, coverage: coverage)
        }
    }
}
