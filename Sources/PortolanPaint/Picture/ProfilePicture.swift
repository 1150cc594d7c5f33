public import PortolanRaster
public import PortolanText

/// An elevation profile as a picture of its own.
///
/// ```swift
/// let picture = ProfilePicture(Furniture.ProfilePanel(profile, title: "Ridge walk"), size: size)
/// let svg = try picture.svg()
/// ```
public struct ProfilePicture: Sendable {
    /// The profile.
    public var panel: Furniture.ProfilePanel
    /// The width and height in view pixels.
    public var size: ImageSize
    /// Picture pixels per view pixel, limited to 0.1 through 16.
    public var pixelRatio: Double
    /// The colours.
    public var theme: Furniture.Theme
    private let fonts: FontBook

    /// Creates a picture.
    ///
    /// - Parameter fonts: the fonts of its texts; they are omitted in a build without the trait `Text`.
    public init(
        _ panel: Furniture.ProfilePanel, size: ImageSize, pixelRatio: Double = 1, theme: Furniture.Theme = .light,
        fonts: FontBook = FontBook()
    ) {
        self.panel = panel
        self.size = size
        self.pixelRatio = pixelRatio.isFinite ? min(max(pixelRatio, 0.1), 16) : 1
        self.theme = theme
        self.fonts = fonts
    }

    /// The size in picture pixels.
    private var imageSize: ImageSize {
        ImageSize(
            width: max(Int((Double(size.width) * pixelRatio).rounded()), 1),
            height: max(Int((Double(size.height) * pixelRatio).rounded()), 1)) ?? size
    }

    private func paint(on target: inout some PaintTarget) throws(TextError) {
        try ProfilePainter(panel: panel, fonts: fonts, theme: theme, pixelRatio: pixelRatio).paint(
            in: Rectangle(imageSize), on: &target)
    }

    /// Returns the pixels.
    ///
    /// - Throws: ``/PortolanText/TextError`` if no font is available.
    public func image() throws(TextError) -> PixelBuffer {
        var canvas = Canvas(size: imageSize, background: theme.panel)
        try paint(on: &canvas)
        return canvas.buffer
    }

    /// Returns an SVG document in UTF-8.
    ///
    /// - Throws: ``/PortolanText/TextError`` if no font is available.
    public func svg(_ options: SVGOptions = SVGOptions()) throws -> [UInt8] {
        var target = SVGTarget(size: imageSize, pixelRatio: pixelRatio, title: panel.title, options: options)
        try paint(on: &target)
        return try target.finish()
    }

    /// Returns a PDF document of one page.
    ///
    /// - Throws: ``/PortolanText/TextError`` if no font is available.
    public func pdf(_ options: PDFOptions = PDFOptions()) throws -> [UInt8] {
        let bytes = Bytes()
        var target = PDFTarget(fonts: fonts, title: panel.title, options: options) { bytes.all += $0 }
        target.beginPage(size: imageSize, pixelRatio: pixelRatio)
        try paint(on: &target)
        try target.finish()
        return bytes.all
    }

    /// Collects the pieces of a document.
    private final class Bytes { var all: [UInt8] = [] }
}
