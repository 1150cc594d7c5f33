/// Turns boundary segments into runs of covered pixels, row by row, with exact area coverage.
///
/// Each closed boundary is added segment by segment in any order; then ``sweep(_:_:)`` gives the runs and leaves the
/// rasterizer empty. Work and memory follow the edges' count, the rows they cross and the pixels they touch.
struct Rasterizer: Sendable {
    private var width = 0
    private var height = 0
    private var edges: [Edge] = []
    /// For each row the edge last added that begins there, -1 for none.
    private var firstInRow: [Int] = []
    /// For each edge the one before it that begins in the same row, -1 for none.
    private var nextInRow: [Int] = []
    private var active: [Int] = []
    private var cells = CoverageRow()
    private var rows = Int.max..<Int.max

    /// Starts an empty picture of this size.
    mutating func begin(_ size: ImageSize) {
        edges.removeAll(keepingCapacity: true)
        nextInRow.removeAll(keepingCapacity: true)
        active.removeAll(keepingCapacity: true)
        if size.height != height { firstInRow = [Int](repeating: -1, count: size.height) }
        cells.prepare(width: size.width)
        width = size.width
        height = size.height
        rows = Int.max..<Int.max
    }

    /// Adds all subpaths, each closed by a straight segment where it is open.
    mutating func add(_ path: FlatPath) {
        for subpath in path.subpaths {
            var previous = path.points[subpath.end - 1]
            for index in subpath.start..<subpath.end {
                let point = path.points[index]
                addSegment(from: previous, to: point)
                previous = point
            }
        }
    }

    /// Adds a segment; only what matters for the pixels of the picture is kept.
    mutating func addSegment(from a: Point, to b: Point) {
        guard a.y != b.y, a.isFinite, b.isFinite else { return }
        let goesDown = a.y < b.y
        let upper = goesDown ? a : b, lower = goesDown ? b : a
        let bottom = Double(height), right = Double(width)
        guard lower.y > 0, upper.y < bottom, min(a.x, b.x) < right else { return }
        func x(at y: Double) -> Double { Interpolation.value(at: y, from: upper.y, upper.x, to: lower.y, lower.x) }
        func y(at x: Double) -> Double { Interpolation.value(at: x, from: upper.x, upper.y, to: lower.x, lower.y) }
        // First the rows above and below.
        let x0 = upper.y < 0 ? x(at: 0) : upper.x, y0 = max(upper.y, 0)
        let x1 = lower.y > bottom ? x(at: bottom) : lower.x, y1 = min(lower.y, bottom)
        let direction = goesDown ? 1.0 : -1.0
        // What lies to the left moves to the left side, where it still counts for all pixels of its rows;
        // what lies to the right counts for none.
        if x0 >= 0, x0 <= right, x1 >= 0, x1 <= right {
            return append(x0, y0, x1, y1, direction)
        }
        if x0 <= 0, x1 <= 0 { return append(0, y0, 0, y1, direction) }
        if x0 >= right, x1 >= right { return }
        var x0In = x0, y0In = y0, x1In = x1, y1In = y1
        if x0 < 0 {
            y0In = min(max(y(at: 0), y0), y1)
            x0In = 0
            append(0, y0, 0, y0In, direction)
        } else if x0 > right {
            y0In = min(max(y(at: right), y0), y1)
            x0In = right
        }
        if x1 < 0 {
            y1In = max(min(y(at: 0), y1), y0In)
            x1In = 0
            append(0, y1In, 0, y1, direction)
        } else if x1 > right {
            y1In = max(min(y(at: right), y1), y0In)
            x1In = right
        }
        append(x0In, y0In, x1In, y1In, direction)
    }

    private mutating func append(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, _ direction: Double) {
        guard y0 < y1 else { return }
        let row = Int(y0), end = Int(y1) + (Double(Int(y1)) < y1 ? 1 : 0)
        rows = rows.isEmpty ? row..<end : min(rows.lowerBound, row)..<max(rows.upperBound, end)
        nextInRow.append(firstInRow[row])
        firstInRow[row] = edges.count
        edges.append(Edge(x0: x0, y0: y0, x1: x1, y1: y1, direction: direction))
    }

    /// Calls `body` with each run of covered pixels, rows from top to bottom and runs from left to right.
    mutating func sweep(
        _ rule: FillRule, _ body: (_ row: Int, _ columns: Range<Int>, _ coverage: UInt32) -> Void
    ) {
        for row in rows {
            var starting = firstInRow[row]
            firstInRow[row] = -1
            while starting >= 0 {
                active.append(starting)
                starting = nextInRow[starting]
            }
            let top = Double(row), bottom = Double(row + 1)
            var kept = 0
            for position in active.indices {
                let index = active[position], edge = edges[index]
                let from = max(edge.y0, top), to = min(edge.y1, bottom)
                cells.add(from: edge.x(at: from), to: edge.x(at: to), height: (to - from) * edge.direction)
                if edge.y1 > bottom {
                    active[kept] = index
                    kept += 1
                }
            }
            active.removeLast(active.count - kept)
            cells.drain(rule) { columns, coverage in body(row, columns, coverage) }
        }
        rows = Int.max..<Int.max
    }
}
