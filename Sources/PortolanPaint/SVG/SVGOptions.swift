/// What an SVG document is made of: text as outlines or as text, images inside it or by their addresses.
public struct SVGOptions: Hashable, Sendable {
    /// How text stands in a document.
    public enum Text: Hashable, Sendable, CaseIterable {
        /// As the outlines of its letters, which look the same everywhere; what they say is kept as `aria-label`.
        case outlines
        /// As text that names its fonts: small and editable, and drawn with other letters where a font is not installed.
        ///
        /// The letters of a label along a bent line are texts of their own.
        case text
    }

    /// Where the images of a document lie.
    public enum Images: Hashable, Sendable, CaseIterable {
        /// All in the document, as PNG.
        case embedded
        /// Images of servers by their addresses where they are shown as they came, all others in the document.
        ///
        /// An address holds the whole query, which may have a key for the service; one with a user's name in it is not
        /// written, and its image is embedded.
        case linked
        /// As ``linked``, and images of files by the files' addresses.
        case linkedWithFiles
    }

    /// How text is written.
    public var text: Text
    /// Where images lie.
    public var images: Images

    /// Makes options; by default a document is exact and needs nothing else.
    public init(text: Text = .outlines, images: Images = .embedded) {
        self.text = text
        self.images = images
    }
}
