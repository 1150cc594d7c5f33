import PortolanFeatures
import PortolanFetch
import PortolanStyles
import PortolanText
import Synchronization

/// Makes ranges of glyphs from the fonts of the maps and from glyph files of their styles, and caches them.
final class GlyphRanges: Sendable {
    /// The size of the cache in bytes.
    private static let byteLimit = 16 << 20
    /// The maximum number of fonts in a stack.
    static let fontLimit = 16

    /// A range of a font stack.
    struct Key: Hashable, Sendable {
        /// The names of the fonts as in the path.
        let stack: String
        /// The first character, a multiple of 256.
        let first: UInt32
        /// The maps with keys that the client may use, whose styles may name glyph files.
        let maps: [String]

        init(stack: String, first: UInt32, of book: MapBook) {
            self.stack = stack
            self.first = first
            maps = GlyphRanges.keyed(book)
        }

        var range: String { "\(first)-\(first + 255)" }
        /// The fonts in the order of precedence.
        var names: [String] {
            stack.split(separator: ",").map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
        }
    }

    /// A range, and the names of fonts that were replaced.
    struct Made: Sendable {
        let bytes: [UInt8]
        var replaced: [String] = []
    }

    private struct State {
        /// The fonts that the cached ranges were made from.
        var fonts: FontBook?
        var made = LeastRecentlyUsed<Key, Made>(maximumCost: GlyphRanges.byteLimit, maximumCount: nil)
        /// The fonts that the styles of some maps name; they are collected once.
        var named: [[String]: Set<String>] = [:]
    }

    private let state = Mutex(State())

    /// The size of the cached ranges in bytes.
    var byteCount: Int { state.withLock(\.made.cost) }

    /// Returns a cached range that was made from the fonts of a book, or `nil`.
    func known(_ key: Key, of book: MapBook) -> Made? {
        state.withLock { state in
            guard state.fonts === book.fonts else { return nil }
            return state.made.value(for: key)
        }
    }

    /// Makes a range: of each character the glyph of the first font that has it.
    ///
    /// A font is a folder of glyph files that a style names, or one of the book. If a style names a font that does not
    /// exist, the font that its labels are drawn with replaces it.
    ///
    /// - Returns: `nil` if none of the fonts exists.
    /// - Throws: ``Problem``.
    func make(_ key: Key, of book: MapBook) throws(Problem) -> Made? {
        let styles = book.maps.compactMap(ServedStyle.init)
        func file(_ font: String) -> [UInt8]? { styles.lazy.compactMap { $0.glyphs(of: font, key.range) }.first }
        // A folder may have the name of a whole stack.
        if let bytes = file(key.stack) { return keep(Made(bytes: bytes), key, book) }
        let names = key.names, range = key.first...(key.first + 255)
        var parts: [Part] = [], replaced: [String] = []
        do throws(TextError) {
            for name in names {
                if let bytes = file(name) {
                    parts.append(.file(bytes))
                } else if FontBook.isBuiltIn, let made = try book.fonts.distanceGlyphs(of: range, inFaceNamed: name) {
                    parts.append(.made(made))
                }
            }
            if parts.isEmpty, let first = names.first, styleFonts(of: book).contains(first) {
                parts.append(.made(try book.fonts.distanceGlyphs(of: range, for: FontRequest(FontName(names)))))
                replaced = names
            }
        } catch {
            switch error {
            case .notBuiltIn, .noFont: throw Problem(.notFound, "\(error)", key: "fontstack")
            default: throw Problem(.failed, "\(error)", key: "fontstack")
            }
        }
        if parts.isEmpty { return nil }
        if parts.count == 1, case .file(let bytes) = parts[0] { return keep(Made(bytes: bytes), key, book) }
        var glyphs: [Int: GlyphsMessage.Glyph] = [:]
        for glyph in parts.flatMap(\.glyphs) where glyphs[glyph.id] == nil { glyphs[glyph.id] = glyph }
        let message = GlyphsMessage(
            name: names.joined(separator: ","), range: key.range, glyphs: glyphs.values.sorted { $0.id < $1.id })
        return keep(Made(bytes: message.bytes, replaced: replaced), key, book)
    }

    /// The glyphs of one font.
    private enum Part {
        case file([UInt8])
        case made([DistanceGlyph])

        var glyphs: [GlyphsMessage.Glyph] {
            switch self {
            // A damaged file is sent alone, but not combined with others.
            case .file(let bytes): (try? GlyphsMessage(bytes))?.stacks.flatMap(\.glyphs) ?? []
            case .made(let glyphs): glyphs.map(GlyphsMessage.Glyph.init)
            }
        }
    }

    private func keep(_ made: Made, _ key: Key, _ book: MapBook) -> Made {
        // Glyphs may be missing from the range of a cancelled request.
        guard !Task.isCancelled else { return made }
        state.withLock { state in
            if state.fonts !== book.fonts { state = State(fonts: book.fonts) }
            _ = state.made.insert(made, for: key, cost: made.bytes.count + 256)
        }
        return made
    }

    /// The names of the maps with keys.
    private static func keyed(_ book: MapBook) -> [String] { book.maps.filter { $0.keys != nil }.map(\.name) }

    /// Returns the fonts that the styles of a book name in `text-font`.
    private func styleFonts(of book: MapBook) -> Set<String> {
        let maps = Self.keyed(book)
        if let known = state.withLock({ $0.fonts === book.fonts ? $0.named[maps] : nil }) { return known }
        let named = book.maps.compactMap(ServedStyle.init).reduce(into: Set<String>()) { $0.formUnion($1.textFonts) }
        state.withLock { state in
            if state.fonts !== book.fonts { state = State(fonts: book.fonts) }
            state.named[maps] = named
        }
        return named
    }

    /// Returns the names of the fonts, in alphabetical order.
    static func names(of book: MapBook) -> [String] {
        Set(ServedStyle.fontNames(of: book.maps) + book.fonts.faceNames).sorted()
    }
}

extension FontRequest {
    /// Creates the request with which labels of a style are drawn.
    fileprivate init(_ name: FontName) {
        self.init(
            families: name.families?.split(separator: ",").map(String.init) ?? ["sans-serif"],
            weight: name.weight >= 600 ? .bold : .regular, isItalic: name.isItalic)
    }
}
