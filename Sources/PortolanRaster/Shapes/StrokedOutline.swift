/// Takes the segments of closed boundaries, in any order.
protocol SegmentSink {
    /// Prepares a corner, so that the two segments that meet there need not do it twice.
    mutating func vertex(_ point: Point) -> Rasterizer.Vertex

    /// Adds a segment from one corner to another.
    mutating func addSegment(from a: Rasterizer.Vertex, to b: Rasterizer.Vertex)
}

/// The outline of a stroke, worked out once and filled at many places, turned any way: that of a letter's halo.
package final class StrokedOutline: Sendable {
    private let points: [Point]
    /// The numbers of the points that each segment leads from and to.
    private let segments: [(from: Int32, to: Int32)]

    /// Works out the outline of a stroke without dashes.
    ///
    /// - Parameter tolerance: how far the pieces of curves may be from them.
    /// - Complexity: O(elements of the path).
    package init(_ path: Path, style: StrokeStyle, tolerance: Double) {
        var flat = FlatPath(), flattener = PathFlattener(tolerance: tolerance), stroker = Stroker()
        var collector = SegmentCollector()
        flattener.flatten(path.verbs.span, path.points.span, into: &flat)
        stroker.prepare(style, rows: -ImageSize.maximumSide..<2 * ImageSize.maximumSide)
        stroker.stroke(flat, into: &collector)
        points = collector.points
        segments = collector.segments
    }

    /// What it takes of memory, in bytes.
    package var byteCount: Int { points.count * 16 + segments.count * 8 + 64 }

    /// Adds the outline with each of its points moved by a transform.
    ///
    /// - Parameter corners: working memory that one outline leaves for the next.
    func add(
        to rasterizer: inout Rasterizer, movedBy transform: AffineTransform, _ corners: inout [Rasterizer.Vertex]
    ) {
        corners.removeAll(keepingCapacity: true)
        for point in points { corners.append(rasterizer.vertex(transform(point))) }
        let corners = corners.span
        for segment in segments {
            rasterizer.addSegment(from: corners[Int(segment.from)], to: corners[Int(segment.to)])
        }
    }
}

/// Keeps segments, whose corners have numbers in place of their places in fixed point.
private struct SegmentCollector: SegmentSink {
    private(set) var points: [Point] = []
    private(set) var segments: [(from: Int32, to: Int32)] = []

    mutating func vertex(_ point: Point) -> Rasterizer.Vertex {
        points.append(point)
        return Rasterizer.Vertex(point: point, x: Int64(points.count - 1), y: 0, isInside: true)
    }

    mutating func addSegment(from a: Rasterizer.Vertex, to b: Rasterizer.Vertex) {
        segments.append((Int32(truncatingIfNeeded: a.x), Int32(truncatingIfNeeded: b.x)))
    }
}

/// The halo of a text whose letters' outlines have been worked out before; it follows from the text.
package struct PlacedHalo: Sendable {
    /// The width of the stroke.
    let width: Double
    /// The outlines of the letters' strokes, and where they go.
    let pieces: [(outline: StrokedOutline, transform: AffineTransform)]

    /// Makes a halo of its pieces.
    package init(width: Double, pieces: [(outline: StrokedOutline, transform: AffineTransform)]) {
        self.width = width
        self.pieces = pieces
    }
}

extension PlacedHalo: Hashable {
    /// Whether two may belong to the same text: what they look like follows from that.
    package static func == (left: PlacedHalo, right: PlacedHalo) -> Bool { left.width == right.width }

    package func hash(into hasher: inout Hasher) { hasher.combine(width) }
}
