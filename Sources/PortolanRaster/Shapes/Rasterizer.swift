import CPrefetch

/// Converts boundary segments into runs of covered pixels, row by row, with exact area coverage.
///
/// The segments of each closed boundary are added in any order; painting leaves the rasterizer empty. Time and memory
/// are proportional to the number of edges, the rows they cross and the pixels they touch. Beyond a limit of edges,
/// they are accumulated into the areas of all pixels to limit memory.
struct Rasterizer: SegmentSink, Sendable {
    /// A corner of a boundary, with its position in fixed point if it is on the canvas.
    struct Vertex: Sendable {
        let point: Point
        let x: Int64
        let y: Int64
        let isInside: Bool
    }

    /// The maximum number of edges in memory, about ten megabytes.
    static let maximumEdgeCount = 1 << 18

    private var width = 0.0
    private var height = 0.0
    private var edges: [Edge] = []
    private var minX = Int64.max
    private var maxX = Int64.min
    private var minY = Int64.max
    private var maxY = Int64.min
    private var band = CoverageBand()
    /// The areas of all rows, if there were too many edges to keep.
    private var sheet: CoverageBand?
    /// The first edge of each band.
    private var firstInBand: [Int32] = []

    /// The rows to paint.
    private var rows = 0..<0
    /// The upper boundary of the first painted row, and the lower boundary of the last.
    private var clipTop: Int64 = 0
    private var clipBottom: Int64 = 0

    /// Starts an empty picture of which only these rows are painted.
    mutating func begin(_ rows: PixelRows) {
        clipTop = Int64(rows.range.lowerBound) << Edge.yBits
        clipBottom = Int64(rows.range.upperBound) << Edge.yBits
        self.rows = rows.range
        edges.removeAll(keepingCapacity: true)
        sheet = nil
        width = Double(rows.size.width)
        height = Double(rows.size.height)
        minX = .max
        maxX = .min
        minY = .max
        maxY = .min
    }

    /// Adds all subpaths, closing open ones by a straight segment.
    mutating func add(_ path: FlatPath) {
        for subpath in path.subpaths {
            var previous = vertex(path.points[subpath.end - 1])
            for index in subpath.start..<subpath.end {
                let next = vertex(path.points[index])
                addSegment(from: previous, to: next)
                previous = next
            }
        }
    }

    /// Adds all subpaths of a path without curves and with finite points only, given by its verbs and points.
    mutating func add(straight verbs: Span<Path.Verb>, _ points: Span<Point>) {
        var start = vertex(Point(x: 0, y: 0)), current = start, index = 0
        for step in verbs.indices {
            switch verbs[step] {
            case .line:
                let next = vertex(points[index])
                addSegment(from: current, to: next)
                current = next
                index &+= 1
            case .move:
                addSegment(from: current, to: start)
                start = vertex(points[index])
                current = start
                index &+= 1
            default:
                addSegment(from: current, to: start)
                current = start
            }
        }
        addSegment(from: current, to: start)
    }

    /// Prepares a corner once for the two segments that meet there.
    @inline(__always)
    func vertex(_ point: Point) -> Vertex {
        guard point.x >= 0, point.x <= width, point.y >= 0, point.y <= height else {
            return Vertex(point: point, x: 0, y: 0, isInside: false)
        }
        return Vertex(point: point, x: Self.fixedX(point.x), y: Self.fixedY(point.y), isInside: true)
    }

    private static func fixedX(_ x: Double) -> Int64 { whole_part(x * Double(Edge.pixelWidth)) }

    private static func fixedY(_ y: Double) -> Int64 { whole_part(y * Double(Edge.rowHeight) + 0.5) }

    /// Adds a segment; only its part that affects the pixels of the picture is kept.
    @inline(__always)
    mutating func addSegment(from a: Vertex, to b: Vertex) {
        if a.isInside && b.isInside { append(a.x, a.y, b.x, b.y) } else { addClipped(a.point, b.point) }
    }

    private mutating func addClipped(_ a: Point, _ b: Point) {
        guard a.y != b.y, a.isFinite, b.isFinite else { return }
        let goesDown = a.y < b.y
        let upper = goesDown ? a : b, lower = goesDown ? b : a
        let bottom = height, right = width
        guard lower.y > 0, upper.y < bottom, min(a.x, b.x) < right else { return }
        func x(at y: Double) -> Double { Interpolation.value(at: y, from: upper.y, upper.x, to: lower.y, lower.x) }
        func y(at x: Double) -> Double { Interpolation.value(at: x, from: upper.x, upper.y, to: lower.x, lower.y) }
        // First clips to the rows.
        let x0 = upper.y < 0 ? x(at: 0) : upper.x, y0 = max(upper.y, 0)
        let x1 = lower.y > bottom ? x(at: bottom) : lower.x, y1 = min(lower.y, bottom)
        // Parts to the left move to the left edge, where they still affect all pixels of their rows; parts to the right
        // have no effect.
        if x0 >= 0, x0 <= right, x1 >= 0, x1 <= right {
            return append(x0, y0, x1, y1, goesDown)
        }
        if x0 <= 0, x1 <= 0 { return append(0, y0, 0, y1, goesDown) }
        if x0 >= right, x1 >= right { return }
        var x0In = x0, y0In = y0, x1In = x1, y1In = y1
        if x0 < 0 {
            y0In = min(max(y(at: 0), y0), y1)
            x0In = 0
            append(0, y0, 0, y0In, goesDown)
        } else if x0 > right {
            y0In = min(max(y(at: right), y0), y1)
            x0In = right
        }
        if x1 < 0 {
            y1In = max(min(y(at: 0), y1), y0In)
            x1In = 0
            append(0, y1In, 0, y1, goesDown)
        } else if x1 > right {
            y1In = max(min(y(at: right), y1), y0In)
            x1In = right
        }
        append(x0In, y0In, x1In, y1In, goesDown)
    }

    private mutating func append(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, _ goesDown: Bool) {
        let a = (Self.fixedX(x0), Self.fixedY(y0)), b = (Self.fixedX(x1), Self.fixedY(y1))
        if goesDown { append(a.0, a.1, b.0, b.1) } else { append(b.0, b.1, a.0, a.1) }
    }

    @inline(__always)
    private mutating func append(_ ax: Int64, _ ay: Int64, _ bx: Int64, _ by: Int64) {
        guard ay != by, max(ay, by) > clipTop, min(ay, by) < clipBottom else { return }
        minX = min(minX, ax, bx)
        maxX = max(maxX, ax, bx)
        minY = min(minY, ay, by)
        maxY = max(maxY, ay, by)
        let edge =
            ay < by
            ? Edge(x0: ax, y0: ay, x1: bx, y1: by, direction: 1)
            : Edge(x0: bx, y0: by, x1: ax, y1: ay, direction: -1)
        if edge.y0 < clipTop {
            var rest = edge
            rest.advance(to: clipTop)
            edges.append(rest)
        } else {
            edges.append(edge)
        }
        if edges.count == Self.maximumEdgeCount { addToSheet() }
    }

    /// Adds the edges to the areas of all rows in any order: areas are integers.
    private mutating func addToSheet() {
        var all = sheet.take() ?? CoverageBand(columns: 0...Int(width), rowCount: rows.count)
        all.add(&edges, rows)
        sheet = all
        edges.removeAll(keepingCapacity: true)
    }

    /// Paints the enclosed area with one colour on the rows passed to `begin`.
    mutating func paint(_ rule: Path.FillRule, _ pixel: Pixel, on rows: PixelRows) {
        switch rule {
        case .nonZero: paint(.nonZero, Brush(pixel), on: rows)
        case .evenOdd: paint(.evenOdd, Brush(pixel), on: rows)
        case .evenOddJoined: paint(.evenOddJoined, Brush(pixel), on: rows)
        case .evenOddSharp: paint(.evenOddSharp, Brush(pixel), on: rows)
        }
    }

    @inline(__always)
    private mutating func paint(_ rule: Path.FillRule, _ brush: Brush, on rows: PixelRows) {
        if sheet != nil { addToSheet() }
        guard sheet != nil || !edges.isEmpty else { return }
        precondition(
            Double(rows.size.width) == width && rows.range.lowerBound == Int(clipTop >> Edge.yBits)
                && rows.range.upperBound == Int(clipBottom >> Edge.yBits), "the rows are those of the beginning")
        if var all = sheet.take() { return all.withRows { $0.paint(rows.range, rule, brush, on: rows) } }
        let top = max(minY, clipTop), bottom = min(maxY, clipBottom)
        let range = Int(top >> Edge.yBits)..<Int((bottom + Edge.rowHeight - 1) >> Edge.yBits)
        band.prepare(columns: Int(minX >> Edge.xBits)...Int(maxX >> Edge.xBits))
        Self.paint(&edges, &firstInBand, &band, range, rule, brush, on: rows)
    }

    @inline(__always)
    private static func paint(
        _ edges: inout [Edge], _ firstInBand: inout [Int32], _ band: inout CoverageBand, _ range: Range<Int>,
        _ rule: Path.FillRule, _ brush: Brush, on pixels: PixelRows
    ) {
        let heightBits = band.heightBits, bands = (range.count - 1) >> heightBits + 1
        if bands > 1 { sort(&edges, &firstInBand, top: range.lowerBound, bands: bands, heightBits: heightBits) }
        band.withRows { rows in
            var edges = edges.mutableSpan
            for index in 0..<bands {
                let first = range.lowerBound + index << heightBits
                let last = min(first + 1 << heightBits, range.upperBound), bottom = Int64(last) << Edge.yBits
                if bands == 1 {
                    for index in edges.indices { _ = rows.add(&edges[index], top: first, bottom: bottom, pixels) }
                } else {
                    var current = Int(firstInBand[index])
                    while current >= 0 {
                        let next = Int(edges[current].next)
                        if rows.add(&edges[current], top: first, bottom: bottom, pixels), index + 1 < bands {
                            edges[current].next = firstInBand[index + 1]
                            firstInBand[index + 1] = Int32(truncatingIfNeeded: current)
                        }
                        current = next
                    }
                }
                rows.paint(first..<last, rule, brush, on: pixels)
            }
        }
    }

    /// Sorts the edges into the lists of the bands in which they begin.
    private static func sort(
        _ edges: inout [Edge], _ firstInBand: inout [Int32], top: Int, bands: Int, heightBits: Int
    ) {
        firstInBand.removeAll(keepingCapacity: true)
        firstInBand.append(contentsOf: repeatElement(Edge.none, count: bands))
        var edges = edges.mutableSpan
        for index in edges.indices {
            let band = (Int(edges[index].y0 >> Edge.yBits) - top) >> heightBits
            edges[index].next = firstInBand[band]
            firstInBand[band] = Int32(truncatingIfNeeded: index)
        }
    }
}

extension Path {
    /// The rule for the points that a path's subpaths enclose.
    public enum FillRule: Sendable, Hashable {
        /// Points with a non-zero winding number.
        case nonZero
        /// Points with an odd winding number.
        case evenOdd
        /// Like `evenOdd`, for opaque areas with common borders: coverage is doubled up to full coverage, so that the
        /// background does not show between neighbours.
        case evenOddJoined
        /// Like `evenOdd`, without antialiasing: a pixel is covered from a third on, so that one of three neighbours covers
        /// it.
        case evenOddSharp

        /// Returns the covered part of a pixel, 0 to 255, from the sum of its signed areas in units of 2⁻³².
        ///
        /// It is exact except for rounding if no two enclosed areas overlap inside the pixel.
        @inline(__always)
        func coverage(_ signedArea: Int64) -> UInt32 {
            let one: Int64 = 1 << 32
            let sign = signedArea &>> 63
            var area = (signedArea ^ sign) &- sign
            switch self {
            case .nonZero: area = min(area, one)
            case .evenOdd, .evenOddJoined, .evenOddSharp:
                area &= 2 * one - 1
                area = min(area, 2 * one &- area)
            }
            switch self {
            case .nonZero, .evenOdd: break
            case .evenOddJoined: area = min(2 &* area, one)
            // Slightly less, for the rounding error of the sum of areas.
            case .evenOddSharp: area = area >= one / 3 - 1 << 12 ? one : 0
            }
            // Halves are rounded up even if the sum is too low by a rounding error, so that mirrored shapes look mirrored.
            return UInt32(truncatingIfNeeded: ((area &<< 8) &- area &+ (one / 2 + 16 * 255)) &>> 32)
        }
    }
}

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
        let direction = Int64(edge.direction)
        let row = Int(truncatingIfNeeded: edge.y0 &>> Edge.yBits)
        var boundary = (Int64(truncatingIfNeeded: row) &+ 1) &<< Edge.yBits
        var cursor = unsafe Cursor(
            cells: cells + ((row &- top) &* stride &- firstColumn), touched: touched + (row &- top) &* words,
            pixels: pixels + (row &- top) &* width)
        if edge.y1 <= boundary {
            unsafe addPiece(cursor, edge.x0, edge.x1, (edge.y1 &- edge.y0) &* direction, inverse: 0)
            return false
        }
        var x = edge.x0
        if !edge.isEntered {
            x = edge.enter(boundary)
            unsafe addPiece(cursor, edge.x0, x, (boundary &- edge.y0) &* direction, inverse: 0)
            unsafe advance(&cursor, width)
        } else {
            boundary = edge.y0
        }
        let last = min(bottom, edge.y1 & ~(Edge.rowHeight - 1))
        if boundary < last {
            let step = edge.step, height = Edge.rowHeight &* direction
            let inverse = step == 0 ? 0 : 1 / Double(abs(step))
            while boundary < last {
                unsafe addPiece(cursor, x, x &+ step, height, inverse: inverse)
                x = x &+ step
                unsafe advance(&cursor, width)
                boundary = boundary &+ Edge.rowHeight
            }
        }
        if boundary == bottom, edge.y1 > bottom {
            edge.x0 = x
            edge.y0 = bottom
            return true
        }
        if edge.y1 > boundary {
            unsafe addPiece(cursor, x, edge.x1, (edge.y1 &- boundary) &* direction, inverse: 0)
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

    /// Adds the part of an edge in one row.
    ///
    /// - Parameters:
    ///   - row: the row's memory.
    ///   - xa: one end's x.
    ///   - xb: the other end's x.
    ///   - height: the part of the row's height that the piece crosses, negative for an upward edge.
    ///   - inverse: 1 over the distance of the two x, or 0 if unknown.
    @inline(__always)
    private func addPiece(_ row: Cursor, _ xa: Int64, _ xb: Int64, _ height: Int64, inverse: Double) {
        let left = min(xa, xb), right = max(xa, xb)
        let first = Int(truncatingIfNeeded: left &>> Edge.xBits), last = Int(truncatingIfNeeded: right &>> Edge.xBits)
        unsafe prefetch_to_write(row.pixels + first)
        let cell = unsafe row.cells + first
        if first == last {
            // Twice the mean distance from the cell's left edge, to 2⁻³¹ of a pixel.
            let part = (left &+ right &- Int64(truncatingIfNeeded: first) &<< (Edge.xBits + 1)) &>> 11
            let beyond = (height &* part) &>> 30
            unsafe cell[0] &+= height &- beyond
            unsafe cell[1] &+= beyond
        } else {
            let boundary = Int64(truncatingIfNeeded: first &+ 1) &<< Edge.xBits
            let slope = Double(height) * (inverse == 0 ? 1 / Double(right &- left) : inverse)
            let before = Double(boundary &- left)
            let after = Double(right &- Int64(truncatingIfNeeded: last) &<< Edge.xBits)
            let firstArea = whole_part(slope * before * before * (0.5 / Double(Edge.pixelWidth)))
            let lastArea = whole_part(slope * after * after * (0.5 / Double(Edge.pixelWidth)))
            unsafe cell[0] &+= firstArea
            let count = last &- first
            if count == 1 {
                unsafe cell[1] &+= height &- firstArea &- lastArea
                unsafe cell[2] &+= lastArea
            } else {
                let second = whole_part(slope * (before + Double(Edge.pixelWidth / 2)))
                let each = whole_part(slope * Double(Edge.pixelWidth))
                unsafe cell[1] &+= second &- firstArea
                var index = 2
                while index < count {
                    unsafe cell[index] &+= each
                    index &+= 1
                }
                unsafe cell[count] &+= height &- lastArea &- second &- each &* Int64(truncatingIfNeeded: count &- 2)
                unsafe cell[count &+ 1] &+= lastArea
            }
        }
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
