import PortolanRaster
import Synchronization

#if canImport(CoreText)
import CoreText
#endif

/// The fonts a picture's texts are set in, and the way from a text to its outline.
///
/// Fonts that are given come first: those of a requested family in the request's order, then the others in the order in
/// which they are given, of one family the face nearest in weight and slope first. The system's fonts come last, and also
/// supply characters that the fonts before them lack. With given files and `usesSystemFonts: false` the same text gives
/// the same outline on every machine of one platform family.
///
/// Fonts are looked for when first needed and kept as long as the book. Outlines of glyphs and lines are kept within
/// bounds (about 7 MB of outlines, 4 MB of halos, 4 MB of masks of upright texts, and lines of about a million segments in all), so
/// that the labels of a map that moves are shaped once. A book may be used from any number of tasks; they take turns.
///
/// Without the trait `Text` Linux has no text: each function throws ``TextError/notBuiltIn``.
public final class FontBook: Sendable {
    private let engine: Mutex<FontEngine>
    /// Lines that were shaped; each counts as many as its outline has segments, and one.
    private let lines = Mutex(BoundedCache<LineKey, TextLine>(limit: 1 << 20))
    /// The strokes around letters.
    let halos = Mutex(HaloCache())
    /// The masks of upright texts.
    let masks = Mutex(MaskCache())
    /// What a line depends on.
    ///
    /// Its characters are compared by their bytes: texts that Unicode holds to be the same may have different glyphs.
    private struct LineKey: Hashable {
        let text: [UInt8]
        let request: FontRequest
        let size: Double
    }

    /// Whether this program can set text: on Linux with the trait `Text`, elsewhere always.
    package static var isBuiltIn: Bool {
        #if Text || canImport(CoreText)
        true
        #else
        false
        #endif
    }

    /// What the book refuses to exceed.
    public let limits: TextLimits

    /// Makes a book; its fonts are read when a text is first set, and one that cannot be had is reported then.
    ///
    /// - Parameters:
    ///   - fonts: files and installed families, preferred first.
    ///   - usesSystemFonts: whether installed fonts that are not named may be used as well.
    ///   - limits: what to refuse.
    public init(fonts: [FontSource], usesSystemFonts: Bool = true, limits: TextLimits = TextLimits()) {
        self.limits = limits
        engine = Mutex(FontEngine(sources: fonts, usesSystemFonts: usesSystemFonts, limits: limits))
    }

    /// Makes a book of font files.
    ///
    /// - Parameters:
    ///   - files: paths of TrueType or OpenType fonts or collections, preferred first.
    ///   - usesSystemFonts: whether installed fonts may be used as well.
    ///   - limits: what to refuse.
    public convenience init(
        files: [String] = [], usesSystemFonts: Bool = true, limits: TextLimits = TextLimits()
    ) {
        self.init(fonts: files.map(FontSource.file), usesSystemFonts: usesSystemFonts, limits: limits)
    }

    /// Reads the given fonts now, so that a fault among them is found before any text is set.
    ///
    /// - Throws: `TextError` when a given file is unusable or a given family is not installed.
    public func load() throws(TextError) {
        try engine.withLock { (engine) throws(TextError) in try engine.load() }
    }

    /// The outline and measures of `text` on one line, at `size` pixels per em.
    ///
    /// Kerning, ligatures and joined forms are applied. A text that mixes directions is put in order by the Unicode
    /// Bidirectional Algorithm (UAX #9); the first strong letter says which way the line runs.
    /// Line breaks and tabs count as one space each; other control characters are left out.
    ///
    /// - Throws: `TextError` when the size or the text's length is out of bounds, a given font is unusable, or there
    ///   is no font at all. A missing glyph is no error; the line names the characters.
    /// - Complexity: O(*n*) in the text's length, and at first use the reading of the fonts.
    package func shape(_ text: String, request: FontRequest, size: Double) throws(TextError) -> TextLine {
        try checkSize(size)
        let key = LineKey(text: Array(text.utf8), request: request, size: size)
        if let known = lines.withLock({ $0.value(for: key) }) { return known }
        let line = try line(try paragraph(text).line, request: request, size: size)
        lines.withLock { $0.insert(line, for: key, cost: line.segmentCount + 1) }
        return line
    }

    /// The line's outline and measures without any check of the size.
    func line(_ text: LineText, request: FontRequest, size: Double) throws(TextError) -> TextLine {
        try engine.withLock { (engine) throws(TextError) in
            try engine.line(text, request: request, size: size)
        }
    }

    /// How far a line's baseline runs, without the cost of its outline.
    func advance(of text: LineText, request: FontRequest, size: Double) throws(TextError) -> Double {
        try engine.withLock { (engine) throws(TextError) in
            try engine.advance(of: text, request: request, size: size)
        }
    }

    func checkSize(_ size: Double) throws(TextError) {
        guard size > 0, size <= limits.size else { throw .invalidSize(size, limit: limits.size) }
    }

    /// A paragraph within the limit.
    private func paragraph(_ text: some StringProtocol) throws(TextError) -> Paragraph {
        let count = text.unicodeScalars.count
        guard count <= limits.scalarsPerLine else { throw .tooLong(count: count, limit: limits.scalarsPerLine) }
        return Paragraph(text)
    }
}

/// What a text should look like: the families to try, the weight and the slope.
///
/// The answer is always some font: a family that is not there is passed over, and a weight or slope that the chosen
/// family lacks is not imitated.
package struct FontRequest: Hashable, Sendable {
    /// How heavy the strokes are.
    package enum Weight: Hashable, Sendable {
        /// The weight of running text.
        case regular
        /// The weight of emphasised text.
        case bold
    }

    /// Family names, preferred first, compared without regard to ASCII case; `serif`, `sans-serif` and `monospace`
    /// stand for the system's own choice.
    package var families: [String]
    /// How heavy the strokes are.
    package var weight: Weight
    /// Whether a slanted face is preferred.
    package var isItalic: Bool

    /// Makes a request; without arguments it asks for the system's plain sans-serif font.
    package init(families: [String] = ["sans-serif"], weight: Weight = .regular, isItalic: Bool = false) {
        self.families = families
        self.weight = weight
        self.isItalic = isItalic
    }
}

extension FontBook: TrimmableCache {
    /// About what a segment of a line takes, those of short lines more: letters share their outlines.
    private static let lineByteCount = 16
    /// About what a segment of a glyph takes.
    private static let outlineByteCount = 56

    package var byteCount: Int {
        lines.withLock(\.cost) * Self.lineByteCount + halos.withLock(\.byteCount) + masks.withLock(\.byteCount)
            + engine.withLock(\.outlineSegmentCount) * Self.outlineByteCount
    }

    package func trim(to byteCount: Int) {
        let share = Double(max(byteCount, 0)) / Double(max(self.byteCount, 1))
        guard share < 1 else { return }
        lines.withLock { $0.trim(to: Int(Double($0.cost) * share)) }
        halos.withLock { $0.trim(to: Int(Double($0.byteCount) * share)) }
        masks.withLock { $0.trim(to: Int(Double($0.byteCount) * share)) }
        engine.withLock { $0.trimOutlines(to: Int(Double($0.outlineSegmentCount) * share)) }
    }
}

/// Where a font that comes before the system's choice is found.
public enum FontSource: Hashable, Sendable {
    /// The path of a TrueType or OpenType font or collection.
    case file(String)
    /// The name of an installed family, compared without regard to case and blanks; `serif`, `sans-serif` and
    /// `monospace` stand for the system's own choice.
    case family(String)
}

extension FontBook {
    /// The lines of `text`, none wider than `maximumWidth` pixels as far as that can be had.
    ///
    /// Line breaks in the text are kept, also at its end and where they enclose nothing. Further breaks are made at
    /// spaces, which are then left out, and after hyphens and dashes that do not stand before a digit; a word that is
    /// alone too wide is broken between characters, and a character that is alone too wide stands on its own line. This
    /// is a simple form of the Unicode Line Breaking Algorithm (UAX #14) without rules for particular scripts.
    ///
    /// - Throws: `TextError` as `shape(_:request:size:)` does, when the width is not above 0, or when a paragraph or the
    ///   whole text is too long.
    /// - Complexity: O(*n* log *n*) in the text's length.
    package func wrap(
        _ text: String, request: FontRequest, size: Double, maximumWidth: Double
    ) throws(TextError) -> [TextLine] {
        try checkSize(size)
        guard maximumWidth > 0 else { throw .invalidWidth(maximumWidth) }
        let count = text.unicodeScalars.count
        guard count <= limits.scalarsPerText else { throw .tooLong(count: count, limit: limits.scalarsPerText) }
        let setting = LineSetting(book: self, request: request, size: size, maximumWidth: maximumWidth)
        var lines: [TextLine] = []
        for paragraph in text.split(omittingEmptySubsequences: false, whereSeparator: \.endsLine) {
            try setting.appendLines(of: self.paragraph(paragraph), to: &lines)
        }
        return lines
    }
}

extension FontBook {
    /// The names of the installed font families, sorted; what ``FontSource/family(_:)`` may name.
    ///
    /// - Complexity: O(installed fonts), and at first use the reading of the system's font configuration.
    public static func installedFamilies() -> [String] {
        #if canImport(CoreText)
        (CTFontManagerCopyAvailableFontFamilyNames() as? [String] ?? []).sorted()
        #elseif Text
        SystemFonts.families()
        #else
        []
        #endif
    }
}

extension ShapedText.Font {
    /// The font of a request that was met with the families `needed`, some of them several times.
    init(_ request: FontRequest, size: Double, needed: [String]) {
        let families = (needed + request.families).reduce(into: [String]()) { names, name in
            if !name.isEmpty, !names.contains(name) { names.append(name) }
        }
        self.init(
            families: families, size: size, isBold: request.weight == .bold, isItalic: request.isItalic)
    }
}
