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
        /// The x in fixed point, or a negative number outside of the canvas.
        let x: Int64
        let y: Int64

        var isInside: Bool { x >= 0 }
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
            return Vertex(point: point, x: -1, y: 0)
        }
        return Vertex(point: point, x: Self.fixedX(point.x), y: Self.fixedY(point.y))
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
        minX = min(minX, min(ax, bx))
        maxX = max(maxX, max(ax, bx))
        let edge =
            ay < by
            ? Edge(x0: ax, y0: ay, x1: bx, y1: by, direction: 1)
            : Edge(x0: bx, y0: by, x1: ax, y1: ay, direction: -1)
        minY = min(minY, edge.y0)
        maxY = max(maxY, edge.y1)
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
            var edges = edges.mutableSpan, firstInBand = firstInBand.mutableSpan
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
        var edges = edges.mutableSpan, firstInBand = firstInBand.mutableSpan
        for index in edges.indices {
            let band = (Int(edges[index].y0 >> Edge.yBits) - top) >> heightBits
            edges[index].next = firstInBand[band]
            firstInBand[band] = Int32(truncatingIfNeeded: index)
        }
    }
}
