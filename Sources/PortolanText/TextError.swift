/// The reason why a text could not be shaped.
public enum TextError: Error, Hashable, Sendable {
    /// No font was given, and the system has none for these families.
    case noFont(families: [String])
    /// A given font file cannot be used.
    case unreadableFont(file: String, detail: String)
    /// A given family is not installed.
    case unknownFamily(String)
    /// The size is not above 0 and at most `limit` pixels per em.
    case invalidSize(Double, limit: Double)
    /// The maximum width is not positive.
    case invalidWidth(Double)
    /// The text has more Unicode scalars than `limit`.
    case tooLong(count: Int, limit: Int)
    /// The outline has more segments than `limit`, which happens only with damaged or malicious fonts.
    case tooComplex(limit: Int)
    /// The program was built without the trait `Text`.
    case notBuiltIn
}

extension TextError: CustomStringConvertible {
    /// The message for a log or a user.
    public var description: String {
        switch self {
        case .noFont(let families):
            let names = families.map { "\"\($0)\"" }.joined(separator: ", ")
            return "no font for \(names.isEmpty ? "an empty list of families" : names): "
                + "add a font file, or install a font and allow system fonts"
        case .unreadableFont(let file, let detail):
            return "cannot use the font file \"\(file)\": \(detail)"
        case .unknownFamily(let name):
            return "no installed font family \"\(name)\": use an installed one, or a font file"
        case .invalidSize(let size, let limit):
            return "the text size must be above 0 and at most \(limit) pixels per em: \(size)"
        case .invalidWidth(let width):
            return "the width must be above 0 pixels to wrap text: \(width)"
        case .tooLong(let count, let limit):
            return "the text has \(count) Unicode scalars; the limit is \(limit)"
        case .tooComplex(let limit):
            return "the text's outline exceeds the limit of \(limit) segments; is the font damaged?"
        case .notBuiltIn:
            return "this build has no text support; install libfreetype-dev, libharfbuzz-dev, "
                + "libfribidi-dev and libfontconfig-dev, and build with --traits Text"
        }
    }
}

extension FontBook {
    /// The limits of text and fonts in a font book.
    public struct Limits: Hashable, Sendable {
        /// The maximum number of Unicode scalars in a line, and in a paragraph to be wrapped.
        public var scalarsPerLine: Int
        /// The maximum number of Unicode scalars in a text to be wrapped.
        public var scalarsPerText: Int
        /// The maximum number of segments in the outline of a line.
        public var outlineSegments: Int
        /// The maximum pixels per em.
        public var size: Double
        /// The maximum size of a font file in bytes.
        public var fontFileBytes: Int

        /// Creates limits; the defaults suit labels, attributions and captions with any font in use today.
        public init(
            scalarsPerLine: Int = 4096, scalarsPerText: Int = 65_536, outlineSegments: Int = 2_000_000,
            size: Double = 2048,
            fontFileBytes: Int = 256 << 20
        ) {
            self.scalarsPerLine = scalarsPerLine
            self.scalarsPerText = scalarsPerText
            self.outlineSegments = outlineSegments
            self.size = size
            self.fontFileBytes = fontFileBytes
        }
    }
}
