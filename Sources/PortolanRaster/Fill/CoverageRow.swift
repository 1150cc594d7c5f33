/// The signed areas that a row's edges enclose, one pixel row at a time.
///
/// A cell holds by how much the signed covered area of its pixel differs from that of the pixel to its left, so
/// the running sum from the left is each pixel's area. Only touched cells are visited and cleared again.
struct CoverageRow: Sendable {
    private var cells: [Double] = []
    /// One bit a cell: whether an edge touched it.
    private var touched: [UInt64] = []
    private var firstWord = Int.max
    private var lastWord = -1
    private var width = 0

    /// Makes room for `width` pixels; all cells are clear.
    mutating func prepare(width: Int) {
        guard width != self.width else { return }
        self.width = width
        // An edge on the right side writes one cell beyond the last pixel, and the cell after that.
        cells = [Double](repeating: 0, count: width + 2)
        touched = [UInt64](repeating: 0, count: (width + 2 + 63) / 64)
    }

    /// Adds an edge piece within the row.
    ///
    /// - Parameters:
    ///   - xa: one end's x, 0 through the width.
    ///   - xb: the other end's x.
    ///   - height: how much of the row's height the piece crosses, negative for an upward edge.
    mutating func add(from xa: Double, to xb: Double, height: Double) {
        let left = min(xa, xb), right = max(xa, xb)
        let first = Int(left), last = Int(right)
        if first == last {
            let part = (left + right) / 2 - Double(first)
            cells[first] += height * (1 - part)
            cells[first + 1] += height * part
            touch(first)
            touch(first + 1)
            return
        }
        let slope = height / (right - left)
        var part = Double(first + 1) - left
        cells[first] += slope * part * part / 2
        cells[first + 1] += slope * part * (1 - part / 2)
        touch(first)
        var column = first + 1
        while column < last {
            cells[column] += slope / 2
            cells[column + 1] += slope / 2
            touch(column)
            column += 1
        }
        part = right - Double(last)
        cells[last] += slope * part * (1 - part / 2)
        cells[last + 1] += slope * part * part / 2
        touch(last)
        touch(last + 1)
    }

    private mutating func touch(_ column: Int) {
        let word = column >> 6
        touched[word] |= 1 << UInt64(column & 63)
        if word < firstWord { firstWord = word }
        if word > lastWord { lastWord = word }
    }

    /// Calls `body` with each run of equal coverage that is not 0, from left to right, and clears the row.
    mutating func drain(_ rule: FillRule, _ body: (_ columns: Range<Int>, _ coverage: UInt32) -> Void) {
        guard firstWord <= lastWord else { return }
        var area = 0.0, coverage: UInt32 = 0, start = 0
        for word in firstWord...lastWord {
            var bits = touched[word]
            touched[word] = 0
            while bits != 0 {
                let column = word << 6 + bits.trailingZeroBitCount
                bits &= bits - 1
                area += cells[column]
                cells[column] = 0
                let next = rule.coverage(area)
                guard next != coverage else { continue }
                if coverage != 0, start < column { body(start..<column, coverage) }
                coverage = next
                start = column
            }
        }
        if coverage != 0, start < width { body(start..<width, coverage) }
        firstWord = Int.max
        lastWord = -1
    }
}
