import PortolanFeatures
import PortolanRaster
import PortolanText

/// The shaped text of a label, used to place it.
struct LabelText {
    private static let lineLimit = 16
    private static let scalarLimit = 512

    /// The shaped lines; their outlines begin at (0, 0).
    let lines: [TextLine]
    /// The pieces of each line; empty for a uniform line.
    let pieces: [[TextSetter.Piece]]
    /// The box of the letters of each line, `nil` for a blank line.
    let inks: [Rectangle?]
    /// The padding of the box behind the text in pixels, or `nil` without a box.
    let padding: Double?
    /// Pixels per em.
    let size: Double
    private let lineHeight: Double
    /// The additional height of each line for an image in it.
    private let excess: [Double]
    private let justification: LabelSymbol.HorizontalAlignment?

    /// Shapes a text, or returns `nil` if nothing is visible, or this build cannot set text.
    ///
    /// - Parameters:
    ///   - glyphs: the glyph ranges for characters that no font has, or `nil`.
    ///   - isOneLine: whether line breaks count as spaces.
    init?(
        _ text: String, symbol: LabelSymbol, fonts: FontBook, glyphs: GlyphRanges? = nil, pixelRatio: Double,
        isOneLine: Bool
    ) throws(TextError) {
        let size = min(symbol.size * pixelRatio, fonts.limits.size)
        guard FontBook.isBuiltIn, size > 0, text.hasVisibleCharacters else { return nil }
        let setter = TextSetter(
            text, symbol: symbol, fonts: fonts, glyphs: glyphs, size: size, pixelRatio: pixelRatio)
        // The text engine treats a line break as a space.
        var parts = isOneLine ? [text[...]] : text.split(separator: "\n", omittingEmptySubsequences: false)
        if symbol.collision != nil {
            // As in MapLibre, the lines of a style have no outer blanks, and a final line break begins no line: many
            // styles label with a name, a line break and a second name that is often missing.
            if parts.count > 1, parts.last?.isEmpty ?? false { parts.removeLast() }
            parts = parts.map(\.withoutOuterBlanks)
        }
        if !isOneLine, let width = symbol.maximumWidth, width > 0 {
            var broken: [Substring] = []
            for part in parts.prefix(Self.lineLimit) {
                broken += try Self.lines(of: part, within: width * pixelRatio) { word throws(TextError) in
                    try setter.line(word).advance
                }
            }
            parts = broken
        }
        var lines: [TextLine] = [], pieces: [[TextSetter.Piece]] = []
        for part in parts.prefix(Self.lineLimit) {
            let scalars = part.unicodeScalars
            let end = scalars.index(scalars.startIndex, offsetBy: Self.scalarLimit, limitedBy: scalars.endIndex)
            let part = part[..<(end ?? part.endIndex)]
            pieces.append(try setter.pieces(part))
            lines.append(try setter.line(part))
        }
        let inks = lines.map(\.ink)
        guard inks.contains(where: { $0 != nil }) else { return nil }
        self.lines = lines
        self.pieces = pieces
        self.inks = inks
        width = lines.lazy.map(\.advance).max() ?? 0
        self.size = size
        lineHeight = Self.lineHeight(symbol, size) * setter.largestScale
        excess = pieces.map(setter.excess)
        justification = symbol.justification
        padding = Self.padding(symbol, fonts, pixelRatio: pixelRatio)
    }

    /// Returns the least height of any text of a label with this style, including the box behind it.
    static func leastHeight(_ symbol: LabelSymbol, _ fonts: FontBook, pixelRatio: Double) -> Double {
        let size = min(symbol.size * pixelRatio, fonts.limits.size)
        return lineHeight(symbol, size) + 2 * (padding(symbol, fonts, pixelRatio: pixelRatio) ?? 0)
    }

    private static func lineHeight(_ symbol: LabelSymbol, _ size: Double) -> Double {
        // `max` returns its first argument if the other one is NaN.
        min(max(0, symbol.lineHeight), 100) * size
    }

    private static func padding(_ symbol: LabelSymbol, _ fonts: FontBook, pixelRatio: Double) -> Double? {
        symbol.background.map { min(max(0, $0.padding * pixelRatio), fonts.limits.size) }
    }

    /// A text broken between words, and after ideographs, into the fewest lines that fit, of about equal length.
    private static func lines(
        of text: Substring, within width: Double, _ advance: (Substring) throws(TextError) -> Double
    ) throws(TextError) -> [Substring] {
        let scalars = text.unicodeScalars
        let text = text[
            ..<(scalars.index(scalars.startIndex, offsetBy: scalarLimit, limitedBy: scalars.endIndex) ?? text.endIndex)]
        let words = text.split(separator: " ").flatMap(LineUnit.units)
        guard words.count > 1, try advance(text) > width else { return [text] }
        var widths: [Double] = []
        for word in words { widths.append(try advance(word.text)) }
        let blank = try advance("a a") - 2 * advance("a")
        let total = widths.reduce(0, +) + blank * Double(words.count { $0.beginsWord } - 1)
        let target = total / (total / width).rounded(.up)
        var lines: [Substring] = [], start = words[0].text.startIndex, end = words[0].text.endIndex,
            length = widths[0]
        for (word, wordWidth) in zip(words, widths).dropFirst() {
            let longer = length + (word.beginsWord ? blank : 0) + wordWidth
            // A word that fits is added if the line is then closer to the average length.
            if longer > width || longer - target > target - length {
                lines.append(text[start..<end])
                start = word.text.startIndex
                length = wordWidth
            } else {
                length = longer
            }
            end = word.text.endIndex
        }
        return lines + [text[start..<end]]
    }

    /// Returns the box of the lines with baselines from `origins`, by their advance and line height.
    func block(at origins: [Point]) -> Rectangle? {
        guard let first = origins.first, let last = origins.last else { return nil }
        let left = origins.map(\.x).min() ?? first.x
        let right = zip(origins, lines).map { $0.x + $1.advance }.max() ?? first.x
        return Rectangle(
            minX: left, minY: first.y - drop - lineHeight / 2 - (excess.first ?? 0), maxX: right,
            maxY: last.y - drop + lineHeight / 2)
    }

    /// The advance of the widest line.
    let width: Double

    /// The height of the lines.
    var height: Double { lineHeight * Double(lines.count) + excess.reduce(0, +) }

    /// The width including the box behind the text.
    var paddedWidth: Double { width + 2 * (padding ?? 0) }

    /// The height including the box behind the text.
    var paddedHeight: Double { height + 2 * (padding ?? 0) }

    /// Returns the box behind one of the lines, relative to the beginning of its baseline, or `nil` without a box.
    ///
    /// Its height does not depend on whether the text has tall letters.
    func plate(of line: Int) -> Rectangle? {
        guard let padding, lines.indices.contains(line) else { return nil }
        let letters = Rectangle(minX: 0, minY: -0.76 * size, maxX: lines[line].advance, maxY: 0.22 * size)
        return (inks[line].map { $0.union(letters) } ?? letters).grown(by: padding)
    }

    /// Returns the box behind all lines with baselines from `origins`, with its sides on whole pixels.
    func plate(at origins: [Point]) -> Rectangle? {
        var plate: Rectangle?
        for (number, origin) in origins.enumerated() {
            guard let box = self.plate(of: number)?.moved(x: origin.x, y: origin.y) else { continue }
            plate = plate?.union(box) ?? box
        }
        return plate.map { box in
            Rectangle(
                minX: box.minX.rounded(.down), minY: box.minY.rounded(.down), maxX: box.maxX.rounded(.up),
                maxY: box.maxY.rounded(.up))
        }
    }

    /// The distance of a baseline below the visual middle of its line, which is that of the lower-case letters.
    private var drop: Double { 0.35 * size }

    /// The distance of the baseline of a single line below its middle.
    var fall: Double { drop + (excess.first ?? 0) / 2 }

    /// Returns the beginnings of the baselines for a text at a point, in whole pixels to keep small letters alike.
    func origins(
        at point: Point, _ horizontal: LabelSymbol.HorizontalAlignment, _ vertical: LabelSymbol.VerticalAlignment
    ) -> [Point] {
        let top =
            switch vertical {
            case .top: 0.0
            case .middle: -height / 2
            case .bottom: -height
            }
        /// Returns the horizontal offset of the beginning from the anchor.
        func start(_ width: Double, _ alignment: LabelSymbol.HorizontalAlignment) -> Double {
            switch alignment {
            case .left: 0
            case .center: -width / 2
            case .right: -width
            }
        }
        let width = width
        var above = 0.0
        return lines.enumerated().map { number, line in
            var left = start(line.advance, horizontal)
            if let justification, lines.count > 1 {
                // The offset of the line in the block, and of the block at the point.
                left = start(width, horizontal) - start(width, justification) + start(line.advance, justification)
            }
            above += excess[number]
            let baseline = top + lineHeight * (Double(number) + 0.5) + drop + above
            return Point(x: (point.x + left).rounded(), y: (point.y + baseline).rounded())
        }
    }
}

extension Substring {
    /// The text without whitespace at its start and end.
    fileprivate var withoutOuterBlanks: Substring {
        let start = drop(while: \.isWhitespace)
        return start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)]
    }
}
