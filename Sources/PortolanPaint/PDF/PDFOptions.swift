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

    /// Creates options.
    public init(text: Text = .embedded) { self.text = text }
}
