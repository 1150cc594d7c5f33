/// A small shape that is drawn at many places, such as the marker of all stops of a bus line.
///
/// Its parts lie about the origin, in pixels. A target of pixels draws a mark as its parts, each with exact coverage,
/// unless it is ``prepared()``.
public struct Mark: Sendable {
    /// Something to be painted about the origin.
    public enum Part: Hashable, Sendable {
        /// The inside of a path.
        case fill(Path, FillRule, Color)
        /// The outline of a path.
        case stroke(Path, StrokeStyle, Color)
    }

    /// What is painted, bottom first.
    public let parts: [Part]
    /// Pictures of the mark, where they have been made.
    private(set) var sheet: MarkSheet?

    /// Makes a mark.
    public init(_ parts: [Part]) { self.parts = parts }

    /// The mark for a thousand places and more: painted once for each sixteenth of a pixel in x and in y, and copied from
    /// there by ``Canvas`` and ``Drawing``, which puts it at most 1/32 of a pixel beside its place.
    ///
    /// A mark that reaches farther than 16 pixels is left as it is.
    ///
    /// - Complexity: that of drawing the mark 256 times.
    public func prepared() -> Mark { prepared(phaseBits: 4) }

    /// The mark for things that move, of which many look alike: painted once for each quarter of a pixel in x and in y, so that
    /// it stands at most 1/8 of a pixel beside its place.
    ///
    /// A mark that reaches farther than 64 pixels is left as it is.
    ///
    /// - Complexity: that of drawing the mark 16 times.
    package func coarselyPrepared() -> Mark { prepared(phaseBits: 2) }

    private func prepared(phaseBits: Int) -> Mark {
        var mark = self
        if sheet == nil { mark.sheet = MarkSheet(self, phaseBits: phaseBits) }
        return mark
    }

    /// What the pictures of the mark take of memory, in bytes.
    package var byteCount: Int { sheet?.byteCount ?? 0 }

    /// Whether it is copied from pictures.
    public var isPrepared: Bool { sheet != nil }

    /// Paints the parts at a place.
    func paint(at place: Point, on target: inout some PaintTarget) {
        for part in parts { part.moved(to: place).paint(on: &target) }
    }
}

extension Mark.Part {
    /// The part about another place.
    fileprivate func moved(to place: Point) -> Mark.Part {
        let shift = AffineTransform.translation(x: place.x, y: place.y)
        return switch self {
        case .fill(let path, let rule, let color): .fill(path.transformed(by: shift), rule, color)
        case .stroke(let path, let style, let color): .stroke(path.transformed(by: shift), style, color)
        }
    }

    fileprivate func paint(on target: inout some PaintTarget) {
        switch self {
        case .fill(let path, let rule, let color): target.fill(path, rule: rule, color: color)
        case .stroke(let path, let style, let color): target.stroke(path, style: style, color: color)
        }
    }

    /// The box that the part may paint in, or `nil` where it paints nothing.
    var bounds: Rectangle? {
        switch self {
        case .fill(let path, _, _): path.boundingRectangle
        case .stroke(let path, let style, _):
            path.boundingRectangle.map { box in
                Rectangle(
                    minX: box.minX - style.reach, minY: box.minY - style.reach, maxX: box.maxX + style.reach,
                    maxY: box.maxY + style.reach)
            }
        }
    }
}
