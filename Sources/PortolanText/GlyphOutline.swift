import PortolanRaster

/// The outline of a glyph in units of its font, y down; shared by all lines that the glyph stands in.
final class GlyphOutline: Sendable {
    let path: Path
    /// The smallest rectangle around the path, `nil` for a blank.
    let bounds: Rectangle?

    init(_ path: Path) {
        self.path = path
        bounds = path.boundingRectangle
    }
}

/// A glyph where it stands on a line.
struct PlacedGlyph: Sendable {
    let outline: GlyphOutline
    /// Where the glyph's own origin lies, in pixels.
    let origin: Point
    /// Pixels a font unit.
    let scale: Double

    /// What the glyph fills, in pixels; `nil` for a blank.
    var bounds: Rectangle? {
        outline.bounds.map { box in
            Rectangle(
                minX: origin.x + box.minX * scale, minY: origin.y + box.minY * scale,
                maxX: origin.x + box.maxX * scale, maxY: origin.y + box.maxY * scale)
        }
    }

    /// Adds the outline in pixels to a path.
    func append(to path: inout Path) {
        func moved(_ point: Point) -> Point {
            Point(x: origin.x + point.x * scale, y: origin.y + point.y * scale)
        }
        for element in outline.path.elements {
            switch element {
            case .move(let point): path.move(to: moved(point))
            case .line(let point): path.line(to: moved(point))
            case .quad(let control, let end): path.quad(control: moved(control), to: moved(end))
            case .cubic(let first, let second, let end):
                path.cubic(control1: moved(first), control2: moved(second), to: moved(end))
            case .close: path.close()
            }
        }
    }
}
