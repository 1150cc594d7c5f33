/// A list of drawing operations, recorded to be painted later: by one thread or by several, or into any target.
public struct Drawing: PaintTarget, Sendable {
    /// The operations in drawing order, each with the ys between which all that it paints lies, or `nil` where that
    /// is not known.
    private(set) var operations: [(operation: DrawingOperation, extent: ClosedRange<Double>?)] = []

    /// Makes an empty list.
    public init() {}

    /// Whether nothing has been recorded.
    public var isEmpty: Bool { operations.isEmpty }

    /// Records ``Canvas/clear(to:)``; targets without pixels leave it out.
    public mutating func clear(to color: Color = .clear) { append(.clear(Pixel(color))) }

    /// Records ``Canvas/copy(_:atX:y:)``; targets without pixels draw the picture over what is there.
    public mutating func copy(_ image: PixelBuffer, atX x: Int, y: Int) { append(.copy(image, x: x, y: y)) }

    /// Records the inside of a path.
    ///
    /// - Complexity: O(elements of the path).
    public mutating func fill(_ path: Path, rule: FillRule, color: Color) {
        append(.fill(path, PathSurvey(path), rule, color))
    }

    /// Records the outline of a path.
    ///
    /// - Complexity: O(elements of the path).
    public mutating func stroke(_ path: Path, style: StrokeStyle, color: Color) {
        append(.stroke(path, PathSurvey(path), style, color))
    }

    /// Records an image at whole pixels.
    public mutating func draw(_ image: PaintImage, atX x: Int, y: Int, opacity: Double) {
        append(.draw(image, x: x, y: y, Opacity(opacity)))
    }

    /// Records an image drawn through a transform.
    ///
    /// - Complexity: O(pixels of the image) when it is shrunk to half or less.
    public mutating func draw(_ image: PaintImage, transform: AffineTransform, opacity: Double, edges: ImageEdges) {
        if let operation = DrawingOperation(image, transform, Opacity(opacity), edges) { append(operation) }
    }

    /// Records an image drawn through a mesh.
    ///
    /// - Complexity: O(nodes of the mesh), and O(pixels of the image) when it is shrunk to half or less.
    public mutating func draw(_ image: PaintImage, through mesh: WarpMesh, opacity: Double) {
        append(.warp(WarpedImage(image, mesh), Opacity(opacity)))
    }

    /// Records text.
    public mutating func draw(_ text: ShapedText, color: Color, halo: TextHalo?) {
        append(.text(text, PathSurvey(text.outline), color, halo))
    }

    /// Records a group with all that `body` records.
    public mutating func group<E: Error>(_ group: PaintGroup, _ body: (inout Drawing) throws(E) -> Void) throws(E) {
        var drawing = Drawing()
        try body(&drawing)
        append(.group(drawing, group))
    }

    /// Records all of another drawing.
    public mutating func paint(_ drawing: Drawing, threads: Int) {
        operations.append(contentsOf: drawing.operations)
    }

    /// Paints each of the operations in turn.
    ///
    /// - Complexity: O(operations), and what the target's own work costs.
    public func replay(into target: inout some PaintTarget) {
        for (operation, _) in operations {
            switch operation {
            case .clear, .cut: break
            case .fill(let path, _, let rule, let color): target.fill(path, rule: rule, color: color)
            case .stroke(let path, _, let style, let color): target.stroke(path, style: style, color: color)
            case .draw(let image, let x, let y, let opacity):
                target.draw(image, atX: x, y: y, opacity: opacity.share)
            case .copy(let image, let x, let y): target.draw(PaintImage(image), atX: x, y: y, opacity: 1)
            case .transform(let image, let opacity):
                target.draw(image.image, transform: image.transform, opacity: opacity.share, edges: image.edges)
            case .warp(let image, let opacity):
                target.draw(image.image, through: image.mesh, opacity: opacity.share)
            case .text(let text, _, let color, let halo): target.draw(text, color: color, halo: halo)
            case .group(let drawing, let group): target.group(group) { drawing.replay(into: &$0) }
            }
        }
    }

    /// The ys between which all that is painted lies, or `nil` where that is not known.
    var extent: ClosedRange<Double>? {
        guard let first = operations.first?.extent else { return nil }
        var (low, high) = (first.lowerBound, first.upperBound)
        for (_, extent) in operations {
            guard let extent else { return nil }
            (low, high) = (min(low, extent.lowerBound), max(high, extent.upperBound))
        }
        return low...high
    }

    private mutating func append(_ operation: DrawingOperation) { operations.append((operation, operation.extent)) }
}
