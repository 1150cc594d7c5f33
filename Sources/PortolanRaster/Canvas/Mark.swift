/// A small shape that is drawn at many points, such as the marker for all stops of a bus line.
///
/// Its parts are relative to the origin, in pixels. A pixel target draws a mark as its parts, each with exact coverage,
/// unless it is ``prepared()``.
public struct Mark: Sendable {
    /// A part of a mark, relative to the origin.
    public enum Part: Hashable, Sendable {
        /// A filled path.
        case fill(Path, Path.FillRule, MapColor)
        /// A stroked path.
        case stroke(Path, StrokeStyle, MapColor)
    }

    /// The parts, bottom first.
    public let parts: [Part]
    /// The pictures of a prepared mark.
    private(set) var sheet: MarkSheet?

    /// Creates a mark.
    public init(_ parts: [Part]) { self.parts = parts }

    /// Returns the mark prepared for thousands of points: painted once for each sixteenth of a pixel in x and y.
    ///
    /// ``Canvas`` and ``Drawing`` copy these pictures, so that its position is at most 1/32 of a pixel off. A mark that
    /// extends more than 16 pixels is returned unchanged.
    ///
    /// - Complexity: that of drawing the mark 256 times.
    public func prepared() -> Mark { prepared(phaseBits: 4) }

    /// Returns the mark prepared for moving objects of similar appearance: painted once for each quarter of a pixel in
    /// x and y.
    ///
    /// Its position is at most 1/8 of a pixel off. A mark that extends more than 64 pixels is returned unchanged.
    ///
    /// - Complexity: that of drawing the mark 16 times.
    package func coarselyPrepared() -> Mark { prepared(phaseBits: 2) }

    private func prepared(phaseBits: Int) -> Mark {
        var mark = self
        if sheet == nil { mark.sheet = MarkSheet(self, phaseBits: phaseBits) }
        return mark
    }

    /// The memory of the mark's pictures in bytes.
    package var byteCount: Int { sheet?.byteCount ?? 0 }

    /// Whether it is copied from pictures.
    public var isPrepared: Bool { sheet != nil }

    /// Paints the parts at a point.
    func paint(at place: Point, on target: inout some PaintTarget) {
        for part in parts { part.moved(to: place).paint(on: &target) }
    }
}

extension Mark.Part {
    /// Returns the part moved to a point.
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

    /// The bounding box of the painted pixels, or `nil` if the part paints nothing.
    package var bounds: Rectangle? {
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
