import PortolanFeatures
import PortolanRaster
import PortolanText

/// Shapes texts with differently formatted parts (``/PortolanFeatures/LabelSymbol/Span``).
struct TextSetter {
    /// A part of a line with its own format.
    struct Piece {
        var line: TextLine
        /// The position of its beginning on the baseline.
        let x: Double
        /// The clusters of the whole line that it contains.
        let clusters: Range<Int>
        /// The colour, or `nil` for that of the label.
        let color: MapColor?
        /// The height that counts for the line: the size of its letters or the height of its image.
        let height: Double
        let isPicture: Bool
    }

    /// The weight from which a text is bold.
    private static let boldWeight = 600

    let text: String
    let symbol: LabelSymbol
    let fonts: FontBook
    /// The glyph ranges for characters that no font has, or `nil`.
    let glyphs: GlyphRanges?
    /// Pixels per em.
    let size: Double
    let pixelRatio: Double
    /// Whether it has differently formatted parts.
    let hasSpans: Bool

    init(
        _ text: String, symbol: LabelSymbol, fonts: FontBook, glyphs: GlyphRanges?, size: Double, pixelRatio: Double
    ) {
        self.glyphs = glyphs
        self.text = text
        self.symbol = symbol
        self.fonts = fonts
        self.size = size
        self.pixelRatio = pixelRatio
        hasSpans =
            !symbol.spans.isEmpty && symbol.isPlain
            && symbol.spans.reduce(0) { $0 + max($1.length, 0) } == text.unicodeScalars.count
    }

    /// The scale of the largest letters relative to the label; at least 1.
    var largestScale: Double { hasSpans ? symbol.spans.reduce(1) { max($0, $1.picture == nil ? $1.scale : 1) } : 1 }

    /// Shapes a part of the text on one line with the format of the label.
    func line(_ part: Substring) throws(TextError) -> TextLine {
        guard hasSpans, part.base == text else { return try shaped(String(part), nil) }
        let pieces = try pieces(part)
        guard let line = TextLine.joined(pieces.map(\.line)) else { return try shaped("", nil) }
        return line
    }

    /// Returns the pieces of a line in order; empty if all of the text has the format of the label.
    func pieces(_ part: Substring) throws(TextError) -> [Piece] {
        guard hasSpans else { return [] }
        let scalars = text.unicodeScalars
        var pieces: [Piece] = [], alignments: [LabelSymbol.VerticalAlignment] = []
        var start = scalars.startIndex, x = 0.0, clusters = 0
        for span in symbol.spans {
            let end = scalars.index(start, offsetBy: max(span.length, 0))
            let low = max(start, part.startIndex), high = min(end, part.endIndex)
            start = end
            guard low < high else { continue }
            let picture = span.picture.map { TextPicture($0, pixelRatio: pixelRatio, largest: fonts.limits.size) }
            let line: TextLine
            if let picture {
                line = picture.line(at: x).spaced(by: symbol.letterSpacing * size)
            } else {
                line = try shaped(String(scalars[low..<high]), span)
            }
            pieces.append(
                Piece(
                    line: line, x: x, clusters: clusters..<clusters + line.clusters.count, color: span.color,
                    height: picture?.height ?? size * span.scale, isPicture: picture != nil))
            alignments.append(span.verticalAlignment)
            x += line.advance
            clusters += line.clusters.count
        }
        guard alignments.contains(where: { $0 != .bottom }) else { return pieces }
        let highest = pieces.lazy.map { $0.isPicture ? max($0.height, size) : $0.height }.max() ?? 0
        for (index, alignment) in alignments.enumerated() where alignment != .bottom {
            let room = highest - pieces[index].height
            // By whole pixels, as for lines, which keeps images sharp.
            pieces[index].line = pieces[index].line.raised(by: (alignment == .top ? room : room / 2).rounded())
        }
        return pieces
    }

    /// Returns the additional height of the highest image beyond the letters of a line.
    func excess(of pieces: [Piece]) -> Double {
        let letters = pieces.lazy.map { $0.isPicture ? size : $0.height }.max() ?? 0
        return max((pieces.lazy.map(\.height).max() ?? 0) - letters, 0)
    }

    private func shaped(_ words: String, _ span: LabelSymbol.Span?) throws(TextError) -> TextLine {
        let request = FontRequest(
            families: Self.families(span?.family ?? symbol.family),
            weight: span?.weight ?? symbol.weight >= Self.boldWeight ? .bold : .regular,
            isItalic: span?.isItalic ?? symbol.isItalic)
        let size = min(self.size * (span?.scale ?? 1), fonts.limits.size)
        let source = glyphs.map { GlyphSource($0, stack: span?.fontStack ?? symbol.fontStack ?? "") }
        return try fonts.shape(words, request: request, size: size, glyphs: source)
            .spaced(by: symbol.letterSpacing * size)
    }

    private static func families(_ names: String?) -> [String] {
        let wanted = (names ?? "").split(separator: ",").map { name in
            String(name.drop { $0 == " " || $0 == "'" || $0 == "\"" }.prefix { $0 != "'" && $0 != "\"" })
        }
        return wanted + ["sans-serif"]
    }
}
