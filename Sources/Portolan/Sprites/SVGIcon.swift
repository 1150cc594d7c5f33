import PortolanRaster

/// An icon in SVG: shapes with colours and strokes.
///
/// Supported are `path`, `rect`, `circle`, `ellipse`, `line`, `polyline`, `polygon`, `g`, `use`, `symbol`, nested `svg`,
/// transforms, opacity, and style sheets with simple selectors. Gradients, text, images, masks, clips and filters are
/// not drawn, and are listed in ``losses``. No reference leads outside the document.
package struct SVGIcon: Sendable {
    /// A shape, or a group that is painted with an opacity.
    indirect enum Node: Sendable {
        case fill(Path, Path.FillRule, MapColor)
        case stroke(Path, StrokeStyle, MapColor)
        case group([Node], opacity: Double)
    }

    /// The reason why a document is not an icon.
    package enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// It is not valid XML.
        case markup(String)
        /// The root element is not `svg`.
        case noSVG
        /// It has neither a size nor a view box.
        case noSize
        /// It has more elements or segments of paths than `limit`.
        case tooComplex(limit: Int)

        /// The message in one line.
        package var description: String {
            switch self {
            case .markup(let detail): detail
            case .noSVG: "not an SVG document"
            case .noSize: "no size; add a width and a height, or a viewBox"
            case .tooComplex(let limit): "more than \(limit) elements or segments, those of 'use' included"
            }
        }
    }

    /// The size in pixels.
    package let width: Double, height: Double
    /// The names of elements and properties that are not drawn, in alphabetical order.
    package let losses: [String]
    let nodes: [Node]

    /// Draws the icon, or returns `nil` if it exceeds the limits of a picture.
    package func pixels(scale: Double) -> PixelBuffer? {
        guard let size = size(scale: scale) else { return nil }
        var canvas = Canvas(size: size)
        Self.draw(nodes, scale, on: &canvas)
        return canvas.buffer
    }

    /// Returns the size of the drawn icon, or `nil` if it exceeds the limits of a picture.
    func size(scale: Double) -> ImageSize? {
        let width = (width * scale).rounded(.up), height = (height * scale).rounded(.up)
        guard width >= 1, height >= 1, width <= 4096, height <= 4096 else { return nil }
        return ImageSize(width: Int(width), height: Int(height))
    }

    private static func draw(_ nodes: [Node], _ scale: Double, on canvas: inout Canvas) {
        let transform = AffineTransform.scale(x: scale, y: scale)
        for node in nodes {
            switch node {
            case .fill(let path, let rule, let color):
                canvas.fill(path.transformed(by: transform), rule: rule, color: color)
            case .stroke(let path, var style, let color):
                style.width *= scale
                style.dashes = style.dashes.map { $0 * scale }
                style.dashPhase *= scale
                canvas.stroke(path.transformed(by: transform), style: style, color: color)
            case .group(let nodes, let opacity):
                canvas.group(PaintGroup(opacity: opacity)) { draw(nodes, scale, on: &$0) }
            }
        }
    }
}
