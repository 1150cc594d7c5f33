/// Receives the segments of closed boundaries, in any order.
protocol SegmentSink {
    /// Prepares a corner once for the two segments that meet there.
    mutating func vertex(_ point: Point) -> Rasterizer.Vertex

    /// Adds a segment from one corner to another.
    mutating func addSegment(from a: Rasterizer.Vertex, to b: Rasterizer.Vertex)
}

/// The outline of a stroke, computed once and filled at many positions and rotations, such as a letter's halo.
package final class StrokedOutline: Sendable {
    private let points: [Point]
    /// The indices of the start and end points of each segment.
    private let segments: [(from: Int32, to: Int32)]

    /// Computes the outline of a stroke without dashes.
    ///
    /// - Parameter tolerance: the maximum deviation of segments from curves.
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

    /// The memory in bytes.
    package var byteCount: Int { points.count * 16 + segments.count * 8 + 64 }

    /// Adds the transformed outline to a rasterizer.
    ///
    /// - Parameter corners: reusable working memory.
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

/// Collects segments; its corners have indices instead of fixed-point positions.
private struct SegmentCollector: SegmentSink {
    private(set) var points: [Point] = []
    private(set) var segments: [(from: Int32, to: Int32)] = []

    mutating func vertex(_ point: Point) -> Rasterizer.Vertex {
        points.append(point)
        return Rasterizer.Vertex(point: point, x: Int64(points.count - 1), y: 0)
    }

    mutating func addSegment(from a: Rasterizer.Vertex, to b: Rasterizer.Vertex) {
        segments.append((Int32(truncatingIfNeeded: a.x), Int32(truncatingIfNeeded: b.x)))
    }
}

/// The halo of a text with precomputed glyph outlines, which depends only on the text.
package struct PlacedHalo: Sendable {
    /// The width of the stroke.
    let width: Double
    /// The stroke outlines of the glyphs with their transforms.
    let pieces: [(outline: StrokedOutline, transform: AffineTransform)]

    /// Creates a halo from its pieces.
    package init(width: Double, pieces: [(outline: StrokedOutline, transform: AffineTransform)]) {
        self.width = width
        self.pieces = pieces
    }
}

extension PlacedHalo: Hashable {
    /// Returns whether the widths are equal: for the same text, everything else follows from that.
    package static func == (left: PlacedHalo, right: PlacedHalo) -> Bool { left.width == right.width }

    package func hash(into hasher: inout Hasher) { hasher.combine(width) }
}
