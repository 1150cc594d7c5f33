/// The options of an SVG document: text as outlines or as text, images embedded or linked.
///
/// ```swift
/// let options = SVGOptions(text: .text, images: .linked)
/// ```
public struct SVGOptions: Hashable, Sendable {
    /// The representation of text.
    public enum Text: Hashable, Sendable, CaseIterable {
        /// Outlines of the letters, which look the same everywhere. The text itself is kept as `aria-label`.
        case outlines
        /// Text with font names: small and editable, but rendered in another font where the font is not installed.
        ///
        /// Each letter of a label along a bent line is a separate text element.
        case text
    }

    /// The location of images.
    public enum Images: Hashable, Sendable, CaseIterable {
        /// All images are embedded as PNG.
        case embedded
        /// Unmodified server images are linked, all others embedded.
        ///
        /// An address contains the whole query, possibly with a key for the service. An image whose address contains a
        /// user name is embedded instead.
        case linked
        /// Like ``linked``, and unmodified images of local files are linked as well.
        case linkedWithFiles
    }

    /// The representation of text.
    public var text: Text
    /// The location of images.
    public var images: Images

    /// Creates options.
    ///
    /// By default a document is exact and self-contained.
    public init(text: Text = .outlines, images: Images = .embedded) {
        self.text = text
        self.images = images
    }
}
