import PortolanRaster
import Synchronization

#if canImport(CoreText)
import CoreText
#endif

/// The fonts of a picture, and the shaping of text into outlines.
///
/// Given fonts take precedence: first those of a requested family in the request's order, then the others in the given
/// order; within a family, the face nearest in weight and slope is first. System fonts come last, and supply characters
/// that the other fonts lack. With given files and `usesSystemFonts: false` the same text has the same outline on every
/// machine of one platform family.
///
/// Fonts are loaded when first needed and stay in memory as long as the book. Outlines of glyphs and lines are cached
/// within limits (about 7 MB of outlines, 4 MB of halos, 4 MB of masks of upright texts, and lines of about a million
/// segments), so that the labels of a moving map are shaped once. A book can be used from any number of tasks; access
/// is serialised.
///
/// On Linux without the trait `Text` there is no text: each function throws ``TextError/notBuiltIn``.
public final class FontBook: Sendable {
    let engine: Mutex<FontEngine>
    /// The shaped lines; the cost of each is the number of its segments plus one.
    private let lines = Mutex(BoundedCache<LineKey, TextLine>(limit: 1 << 20))
    /// The strokes around letters.
    let halos = Mutex(HaloCache())
    /// The masks of upright texts.
    let masks = Mutex(MaskCache())
    /// The identity of a line.
    ///
    /// Text is compared by its bytes, because canonically equivalent texts may have different glyphs.
    private struct LineKey: Hashable {
        let text: [UInt8]
        let request: FontRequest
        let size: Double
        let glyphs: GlyphSource?
    }

    /// Whether this program can draw text: on Linux with the trait `Text`, elsewhere always.
    package static var isBuiltIn: Bool {
        #if Text || canImport(CoreText)
        true
        #else
        false
        #endif
    }

    /// The limits of text and fonts.
    public let limits: FontBook.Limits

    /// Creates a font book.
    ///
    /// Fonts are loaded when the first text is shaped; missing fonts are reported then.
    ///
    /// - Parameters:
    ///   - fonts: files and installed families, preferred first.
    ///   - usesSystemFonts: whether other installed fonts may be used as well.
    ///   - limits: the limits of text and fonts.
    public init(fonts: [FontSource], usesSystemFonts: Bool = true, limits: FontBook.Limits = FontBook.Limits()) {
        self.limits = limits
        engine = Mutex(FontEngine(sources: fonts, usesSystemFonts: usesSystemFonts, limits: limits))
    }

    /// Creates a font book from font files.
    ///
    /// - Parameters:
    ///   - files: paths of TrueType or OpenType fonts or collections, preferred first.
    ///   - usesSystemFonts: whether installed fonts may be used as well.
    ///   - limits: the limits of text and fonts.
    public convenience init(
        files: [String] = [], usesSystemFonts: Bool = true, limits: FontBook.Limits = FontBook.Limits()
    ) {
        self.init(fonts: files.map(FontSource.file), usesSystemFonts: usesSystemFonts, limits: limits)
    }

    /// Loads the given fonts now, to detect errors before any text is shaped.
    ///
    /// - Throws: `TextError` if a given file is unusable or a given family is not installed.
    public func load() throws(TextError) {
        try engine.withLock { (engine) throws(TextError) in try engine.load() }
    }

    /// Returns the outline and metrics of `text` on one line, at `size` pixels per em.
    ///
    /// Kerning, ligatures and contextual forms are applied. Mixed directions are ordered by the Unicode Bidirectional
    /// Algorithm (UAX #9); the first strong character determines the direction of the line. Line breaks and tabs become
    /// one space each; other control characters are left out.
    ///
    /// - Parameter glyphs: the glyph ranges for characters that no font has, or `nil`.
    /// - Throws: `TextError` if the size or the length of the text exceeds the limits, a given font is unusable, or
    ///   there is neither a font nor glyph ranges. A missing glyph is not an error; the line lists the missing
    ///   characters.
    /// - Complexity: O(*n*) in the length of the text, plus loading of the fonts at first use.
    package func shape(
        _ text: String, request: FontRequest, size: Double, glyphs: GlyphSource? = nil
    ) throws(TextError) -> TextLine {
        if glyphs != nil {
            // Other lines do not depend on the ranges, and are cached once.
            do throws(TextError) {
                let line = try shape(text, request: request, size: size)
                if line.missingGlyphCount == 0 { return line }
            } catch {
                guard case .noFont = error else { throw error }
            }
        }
        try checkSize(size)
        let key = LineKey(text: Array(text.utf8), request: request, size: size, glyphs: glyphs)
        if let known = lines.withLock({ $0.value(for: key) }) { return known }
        let line = try line(try paragraph(text).line, request: request, size: size, glyphs: glyphs)
        lines.withLock { $0.insert(line, for: key, cost: line.segmentCount + 1) }
        return line
    }

    /// Returns the outline and metrics of a line without checking the size.
    func line(
        _ text: LineText, request: FontRequest, size: Double, glyphs: GlyphSource? = nil
    ) throws(TextError) -> TextLine {
        try engine.withLock { (engine) throws(TextError) in
            try engine.line(text, request: request, size: size, glyphs: glyphs)
        }
    }

    /// Returns the characters that no given or installed font has; empty if this build cannot set text, or a given font
    /// is unusable.
    ///
    /// - Complexity: O(characters + fonts · characters that were not looked up before), plus loading of the fonts at
    ///   first use.
    package func uncovered(_ scalars: Set<Unicode.Scalar>) -> Set<Unicode.Scalar> {
        guard !scalars.isEmpty else { return [] }
        return engine.withLock { engine in (try? engine.uncovered(scalars)) ?? [] }
    }

    /// Returns the width of a line, without the cost of its outline.
    func advance(of text: LineText, request: FontRequest, size: Double) throws(TextError) -> Double {
        try engine.withLock { (engine) throws(TextError) in
            try engine.advance(of: text, request: request, size: size)
        }
    }

    func checkSize(_ size: Double) throws(TextError) {
        guard size > 0, size <= limits.size else { throw .invalidSize(size, limit: limits.size) }
    }

    /// Returns a paragraph within the limits.
    private func paragraph(_ text: some StringProtocol) throws(TextError) -> Paragraph {
        let count = text.unicodeScalars.count
        guard count <= limits.scalarsPerLine else { throw .tooLong(count: count, limit: limits.scalarsPerLine) }
        return Paragraph(text)
    }
}

/// The requested font: families, weight and slope.
///
/// Some font is always found: missing families are skipped, and a weight or slope that the family lacks is not
/// synthesised.
package struct FontRequest: Hashable, Sendable {
    /// The weight of the strokes.
    package enum Weight: Hashable, Sendable {
        /// The weight of normal text.
        case regular
        /// The weight of emphasised text.
        case bold
    }

    /// The family names, preferred first, compared without ASCII case.
    ///
    /// `serif`, `sans-serif` and `monospace` select the system's defaults.
    package var families: [String]
    /// The weight of the strokes.
    package var weight: Weight
    /// Whether a slanted face is preferred.
    package var isItalic: Bool

    /// Creates a request; the default is the system's regular sans-serif font.
    package init(families: [String] = ["sans-serif"], weight: Weight = .regular, isItalic: Bool = false) {
        self.families = families
        self.weight = weight
        self.isItalic = isItalic
    }
}

extension FontBook: TrimmableCache {
    /// The approximate memory of a line per segment in bytes.
    ///
    /// Short lines need more, but letters share their outlines.
    private static let lineByteCount = 16
    /// The approximate memory of a glyph per segment in bytes.
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

/// The source of a font that takes precedence over the system's choice.
public enum FontSource: Hashable, Sendable {
    /// The path of a TrueType or OpenType font or collection.
    case file(String)
    /// The name of an installed family, compared without case and spaces.
    ///
    /// `serif`, `sans-serif` and `monospace` select the system's defaults.
    case family(String)
}

extension FontBook {
    /// Wraps `text` to lines of at most `maximumWidth` pixels if possible.
    ///
    /// Line breaks of the text are kept, even at its end and for empty lines. Further breaks are made at spaces, which
    /// are then left out, and after hyphens and dashes unless a digit follows. A word wider than the line is broken
    /// between characters, and a character wider than the line has a line to itself. This is a simple form of the
    /// Unicode Line Breaking Algorithm (UAX #14) without rules for particular scripts.
    ///
    /// - Throws: `TextError` like `shape(_:request:size:)`, if the width is not positive, or if a paragraph or the
    ///   whole text is too long.
    /// - Complexity: O(*n* log *n*) in the length of the text.
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
    /// Returns the sorted names of the installed font families, for ``FontSource/family(_:)``.
    ///
    /// - Complexity: O(installed fonts), plus loading of the system's font configuration at first use.
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
    /// Creates the font of a request that was shaped with the families `needed`, which may contain duplicates.
    init(_ request: FontRequest, size: Double, needed: [String]) {
        let families = (needed + request.families).reduce(into: [String]()) { names, name in
            if !name.isEmpty, !names.contains(name) { names.append(name) }
        }
        self.init(
            families: families, size: size, isBold: request.weight == .bold, isItalic: request.isItalic)
    }
}
