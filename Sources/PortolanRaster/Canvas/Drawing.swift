/// A list of drawing operations, recorded to be painted later by one thread or by several.
public struct Drawing: Sendable {
    /// The operations in drawing order, each with the ys between which all that it paints lies, or `nil` where that
    /// is not known.
    private(set) var operations: [(operation: DrawingOperation, extent: ClosedRange<Double>?)] = []

    /// Makes an empty list.
    public init() {}

    /// Whether nothing has been recorded.
    public var isEmpty: Bool { operations.isEmpty }

    /// Records ``Canvas/clear(to:)``.
    public mutating func clear(to color: Color = .clear) { append(.clear(Pixel(color))) }

    /// Records ``Canvas/fill(_:rule:color:)``.
    ///
    /// - Complexity: O(elements of the path).
    public mutating func fill(_ path: Path, rule: FillRule = .nonZero, color: Color) {
        append(.fill(path, PathSurvey(path), rule, color))
    }

    /// Records ``Canvas/stroke(_:style:color:)``.
    ///
    /// - Complexity: O(elements of the path).
    public mutating func stroke(_ path: Path, style: StrokeStyle, color: Color) {
        append(.stroke(path, PathSurvey(path), style, color))
    }

    /// Records ``Canvas/draw(_:atX:y:opacity:)``.
    public mutating func draw(_ image: PixelBuffer, atX x: Int, y: Int, opacity: Double = 1) {
        append(.draw(image, x: x, y: y, Opacity(opacity)))
    }

    /// Records ``Canvas/copy(_:atX:y:)``.
    public mutating func copy(_ image: PixelBuffer, atX x: Int, y: Int) { append(.copy(image, x: x, y: y)) }

    /// Records ``Canvas/draw(_:transform:opacity:edges:)``.
    ///
    /// - Complexity: O(pixels of the picture) when it is shrunk to half or less.
    public mutating func draw(
        _ image: PixelBuffer, transform: AffineTransform, opacity: Double = 1, edges: ImageEdges = .clamped
    ) {
        if let operation = DrawingOperation(image, transform, Opacity(opacity), edges) { append(operation) }
    }

    /// Records ``Canvas/draw(_:through:opacity:)``.
    ///
    /// - Complexity: O(nodes of the mesh), and O(pixels of the picture) when it is shrunk to half or less.
    public mutating func draw(_ image: PixelBuffer, through mesh: WarpMesh, opacity: Double = 1) {
        append(.warp(WarpedImage(image, mesh), Opacity(opacity)))
    }

    private mutating func append(_ operation: DrawingOperation) { operations.append((operation, operation.extent)) }
}
