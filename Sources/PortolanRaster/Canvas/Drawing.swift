/// A list of drawing operations, recorded to be painted later by one thread or by several.
public struct Drawing: Sendable {
    /// One call of the canvas's method of that name.
    enum Operation: Sendable {
        case clear(Color)
        case fill(Path, FillRule, Color)
        case stroke(Path, StrokeStyle, Color)
        case draw(PixelBuffer, x: Int, y: Int, opacity: Double)
        case copy(PixelBuffer, x: Int, y: Int)
        case transform(PixelBuffer, AffineTransform, opacity: Double, ImageEdges)
        case warp(PixelBuffer, WarpMesh, opacity: Double)
    }

    /// The operations in drawing order, each with the ys between which all that it paints lies, or `nil` where that
    /// is not known.
    private(set) var operations: [(operation: Operation, extent: ClosedRange<Double>?)] = []

    /// Makes an empty list.
    public init() {}

    /// Whether nothing has been recorded.
    public var isEmpty: Bool { operations.isEmpty }

    /// Records ``Canvas/clear(to:)``.
    public mutating func clear(to color: Color = .clear) { operations.append((.clear(color), nil)) }

    /// Records ``Canvas/fill(_:rule:color:)``.
    ///
    /// - Complexity: O(elements of the path).
    public mutating func fill(_ path: Path, rule: FillRule = .nonZero, color: Color) {
        operations.append((.fill(path, rule, color), Self.extent(path, margin: 1)))
    }

    /// Records ``Canvas/stroke(_:style:color:)``.
    ///
    /// - Complexity: O(elements of the path).
    public mutating func stroke(_ path: Path, style: StrokeStyle, color: Color) {
        operations.append((.stroke(path, style, color), Self.extent(path, margin: style.reach + 1)))
    }

    /// Records ``Canvas/draw(_:atX:y:opacity:)``.
    public mutating func draw(_ image: PixelBuffer, atX x: Int, y: Int, opacity: Double = 1) {
        operations.append((.draw(image, x: x, y: y, opacity: opacity), Self.extent(y, image.height)))
    }

    /// Records ``Canvas/copy(_:atX:y:)``.
    public mutating func copy(_ image: PixelBuffer, atX x: Int, y: Int) {
        operations.append((.copy(image, x: x, y: y), Self.extent(y, image.height)))
    }

    /// Records ``Canvas/draw(_:transform:opacity:edges:)``.
    public mutating func draw(
        _ image: PixelBuffer, transform: AffineTransform, opacity: Double = 1, edges: ImageEdges = .clamped
    ) {
        operations.append((.transform(image, transform, opacity: opacity, edges), nil))
    }

    /// Records ``Canvas/draw(_:through:opacity:)``.
    public mutating func draw(_ image: PixelBuffer, through mesh: WarpMesh, opacity: Double = 1) {
        operations.append((.warp(image, mesh, opacity: opacity), nil))
    }

    /// The ys of all points, with a margin; a curve lies between its points.
    private static func extent(_ path: Path, margin: Double) -> ClosedRange<Double>? {
        let hull = PathSurvey(path).hull
        guard hull.minY <= hull.maxY, margin.isFinite else { return nil }
        return (hull.minY - margin)...(hull.maxY + margin)
    }

    private static func extent(_ y: Int, _ height: Int) -> ClosedRange<Double>? {
        // One more on each side makes up for the rounding of numbers beyond 2⁵³, which are far off any canvas.
        (Double(y) - 1)...(Double(y) + Double(height) + 1)
    }
}
