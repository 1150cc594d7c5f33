/// The options of a PDF document.
///
/// ```swift
/// let options = PDFOptions(text: .outlines)
/// ```
public struct PDFOptions: Hashable, Sendable {
    /// The representation of text.
    public enum Text: Hashable, Sendable, CaseIterable {
        /// Text in embedded subsets of its fonts. It can be selected, searched and copied.
        ///
        /// Glyphs of fonts that must not be embedded are outlines below invisible text.
        case embedded
        /// Outlines of the letters, without text.
        case outlines
    }

    /// The representation of text.
    public var text: Text

    /// The time of creation in seconds since 1970, or `nil` for none, so that the same map gives the same bytes.
    public var creationTime: Int?

    /// Creates options.
    public init(text: Text = .embedded, creationTime: Int? = nil) {
        self.text = text
        self.creationTime = creationTime
    }
}
