import PortolanFeatures
import PortolanRaster
import PortolanText

/// An image in a text, at the size that its style states.
struct TextPicture {
    /// The width in picture pixels.
    let width: Double
    /// The height in picture pixels.
    let height: Double
    private let content: ShapedText.ColorGlyph.Content
    /// The transform from the content's coordinates to a line that begins at the lower left corner.
    private let transform: AffineTransform

    /// Creates the image of a mark.
    ///
    /// A mark that must be fetched first has no size.
    ///
    /// - Parameter largest: the largest width and height, in picture pixels.
    init(_ mark: MarkerSymbol, pixelRatio: Double, largest: Double) {
        switch mark {
        case .icon(let icon):
            guard let picture = icon.picture, picture.pixels.size.pixelCount > 0 else {
                (width, height, content, transform) = (0, 0, .layers([]), .identity)
                return
            }
            let pixels = picture.pixels
            let wanted = (icon.width ?? picture.width, icon.height ?? picture.height)
            width = min(max(wanted.0 * icon.scale * pixelRatio, 0), largest)
            height = min(max(wanted.1 * icon.scale * pixelRatio, 0), largest)
            content = .image(pixels)
            transform = AffineTransform(
                a: width / Double(pixels.width), b: 0, c: 0, d: height / Double(pixels.height), tx: 0, ty: -height)
        case .shape(let shape):
            let radius = min(max(shape.radius * pixelRatio, 0), largest / 2)
            (width, height) = (2 * radius, 2 * radius)
            let outline = MarkerOutline.path(of: shape.shape, radius: radius)
                .transformed(by: .rotation(degrees: shape.rotation))
            content = .layers(shape.fill.map { [ShapedText.ColorGlyph.Layer(outline: outline, color: $0.color)] } ?? [])
            transform = .translation(x: radius, y: -radius)
        }
    }

    /// Returns the line of the image that continues at a distance from the beginning of the whole line, with the image
    /// at a whole pixel.
    func line(at x: Double) -> TextLine {
        TextLine(
            picture: content, transform: transform.then(.translation(x: x.rounded() - x, y: 0)), advance: width,
            height: height)
    }
}
