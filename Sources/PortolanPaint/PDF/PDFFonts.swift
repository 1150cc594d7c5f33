import PortolanRaster
import PortolanText

/// The fonts of a document: subsets of the faces whose glyphs it shows, and fonts of invisible text.
struct PDFFonts {
    /// A glyph of a font.
    struct Entry {
        /// The object number of the font.
        let number: Int
        /// The code of the glyph in strings.
        let code: UInt32
        /// The advance in thousandths of an em.
        let advance: Double
        /// The number of hexadecimal digits of its codes.
        let digits: Int
        /// Whether the font maps the code to the characters of the glyph.
        let isMapped: Bool
        /// Whether the code has no characters, but an advance, so that readers see a gap.
        var isSilent = false
    }

    private struct Font {
        let program: ShapedText.FontProgram
        let face: EmbeddableFont
        /// The glyphs by code.
        var glyphs: [UInt32: (index: UInt32, advance: Double)] = [:]
        /// The fonts with these glyphs, which differ in the characters of the codes.
        ///
        /// A glyph may stand for different characters, such as the box for all missing ones.
        var variants: [(number: Int, texts: [UInt32: String])] = []
    }

    private let book: FontBook
    private var fonts: [Font] = []
    /// The indices of the fonts, and `nil` for faces that cannot be embedded.
    private var known: [ShapedText.FontProgram: Int?] = [:]
    private var invisible = InvisibleText()
    /// The maximum number of fonts with the same glyphs.
    private static let largestVariants = 32

    /// Creates an empty set of fonts.
    init(_ book: FontBook) { self.book = book }

    /// Returns a glyph of an embedded font, or `nil` if its face cannot be embedded.
    mutating func entry(for glyph: ShapedText.Glyph, _ file: inout PDFFile) -> Entry? {
        guard let program = glyph.program, let font = index(of: program),
            let (code, advance) = book.identifier(of: glyph.index, in: program)
        else { return nil }
        fonts[font].glyphs[code] = (glyph.index, advance)
        let variants = fonts[font].variants
        let match = variants.firstIndex { ($0.texts[code] ?? glyph.text) == glyph.text }
        if match == nil, variants.count < Self.largestVariants {
            fonts[font].variants.append((file.reserve(), [:]))
        }
        let variant = match ?? (variants.count < Self.largestVariants ? variants.count : 0)
        let isMapped = match != nil || variants.count < Self.largestVariants
        if isMapped { fonts[font].variants[variant].texts[code] = glyph.text }
        return Entry(
            number: fonts[font].variants[variant].number, code: code, advance: advance, digits: 4, isMapped: isMapped,
            isSilent: glyph.text.isEmpty && advance > 0)
    }

    private mutating func index(of program: ShapedText.FontProgram) -> Int? {
        if let index = known[program] { return index }
        var index: Int?
        if let face = book.embeddable(program) {
            index = fonts.count
            fonts.append(Font(program: program, face: face))
        }
        known[program] = .some(index)
        return index
    }

    /// Returns the code of a text in a font of invisible glyphs, each an em square.
    mutating func invisibleEntry(for text: String, _ file: inout PDFFile) -> Entry {
        let (number, code) = invisible.code(of: text, &file)
        return Entry(number: number, code: code, advance: 1000, digits: 2, isMapped: true)
    }

    /// Writes all fonts.
    ///
    /// - Throws: ``/PortolanText/TextError`` if a face is damaged.
    func write(to file: inout PDFFile) throws(TextError) {
        for font in fonts { try write(font, to: &file) }
        invisible.write(to: &file)
    }

    private func write(_ font: Font, to file: inout PDFFile) throws(TextError) {
        let face = font.face, glyphs = font.glyphs.sorted { $0.key < $1.key }
        let subset = try book.subset(of: font.program, glyphs: glyphs.map(\.value.index).sorted())
        let isTrueType = face.outlines == .trueType
        let program = file.add(
            stream: subset, isTrueType ? "/Length1 \(subset.count)" : "/Subtype/CIDFontType0C")
        let name = Self.tag(of: glyphs.map(\.key)) + "+" + PDFText.name(face.name)
        let box = face.bounds
        let bounds = [box.minX, box.minY, box.maxX, box.maxY].map { PDFText.number($0, decimals: 0) }
            .joined(separator: " ")
        // Symbolic, because its codes are those of no standard character set.
        let flags = 4 | (face.isFixedPitch ? 1 : 0) | (face.isItalic ? 64 : 0) | (face.isBold ? 1 << 18 : 0)
        let ascent = PDFText.number(face.ascent, decimals: 0), descent = PDFText.number(-face.descent, decimals: 0)
        let descriptor = file.add(
            """
            <</Type/FontDescriptor/FontName/\(name)/Flags \(flags)/FontBBox[\(bounds)]\
            /ItalicAngle \(face.isItalic ? -12 : 0)/Ascent \(ascent)/Descent \(descent)/CapHeight \(ascent)\
            /StemV \(face.isBold ? 140 : 80)/FontFile\(isTrueType ? 2 : 3) \(program) 0 R>>
            """)
        let widths = glyphs.map { "\($0.key)[\(PDFText.number($0.value.advance))]" }.joined()
        let descendant = file.add(
            """
            <</Type/Font/Subtype/CIDFontType\(isTrueType ? 2 : 0)/BaseFont/\(name)\
            /CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor \(descriptor) 0 R\
            /DW 1000/W[\(widths)]\(isTrueType ? "/CIDToGIDMap/Identity" : "")>>
            """)
        for variant in font.variants {
            let texts = variant.texts.filter { !$0.value.isEmpty }.map { (code: $0.key, text: $0.value) }
            let map = file.add(stream: Self.toUnicode(texts, digits: 4), "")
            file.write(
                variant.number,
                """
                <</Type/Font/Subtype/Type0/BaseFont/\(name)/Encoding/Identity-H/DescendantFonts[\(descendant) 0 R]\
                /ToUnicode \(map) 0 R>>
                """)
        }
    }

    /// Returns the six letters that distinguish subsets of one font.
    private static func tag(of codes: [UInt32]) -> String {
        var hash = codes.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        var tag = ""
        for _ in 0..<6 {
            tag.unicodeScalars.append(Unicode.Scalar(UInt8(65 + hash % 26)))
            hash /= 26
        }
        return tag
    }

    /// Returns a character map from codes to texts (Adobe Technical Note 5411).
    static func toUnicode(_ texts: [(code: UInt32, text: String)], digits: Int) -> [UInt8] {
        func hexadecimal(_ code: UInt32) -> Substring { PDFText.hexadecimal(code).suffix(digits) }
        var map = """
            /CIDInit /ProcSet findresource begin
            12 dict begin
            begincmap
            /CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def
            /CMapName /Adobe-Identity-UCS def
            /CMapType 2 def
            1 begincodespacerange
            <\(hexadecimal(0))> <\(hexadecimal(0xFFFF))>
            endcodespacerange

            """
        let texts = texts.sorted { $0.code < $1.code }
        // A block has at most 100 entries.
        for start in stride(from: 0, to: texts.count, by: 100) {
            let block = texts[start..<min(start + 100, texts.count)]
            map += "\(block.count) beginbfchar\n"
            for (code, text) in block { map += "<\(hexadecimal(code))> <\(PDFText.utf16(text))>\n" }
            map += "endbfchar\n"
        }
        map += "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"
        return [UInt8](map.utf8)
    }
}

/// Fonts whose glyphs paint nothing, for selectable text over letters that are painted in another way: Type 3 fonts of
/// 255 texts each (ISO 32000-1, clause 9.6.5).
private struct InvisibleText {
    private var codes: [String: Int] = [:]
    private var texts: [String] = []
    private var numbers: [Int] = []
    private static let count = 255

    /// Returns the font and code of a text.
    mutating func code(of text: String, _ file: inout PDFFile) -> (number: Int, code: UInt32) {
        let index = codes[text] ?? texts.count
        if index == texts.count {
            codes[text] = index
            texts.append(text)
            if index % Self.count == 0 { numbers.append(file.reserve()) }
        }
        return (numbers[index / Self.count], UInt32(index % Self.count + 1))
    }

    /// Writes the fonts.
    func write(to file: inout PDFFile) {
        guard !numbers.isEmpty else { return }
        let glyph = file.add(stream: [UInt8]("1000 0 0 0 1000 1000 d1".utf8), "")
        for (index, number) in numbers.enumerated() {
            let start = index * Self.count, own = texts[start..<min(start + Self.count, texts.count)]
            let map = file.add(
                stream: PDFFonts.toUnicode(
                    own.enumerated().map { (code: UInt32($0.offset + 1), text: $0.element) }, digits: 2), "")
            let widths = own.map { _ in "1000" }.joined(separator: " ")
            let names = own.map { _ in "/e" }.joined()
            file.write(
                number,
                """
                <</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 1\
                /LastChar \(own.count)/Widths[\(widths)]/Encoding<</Type/Encoding/Differences[1\(names)]>>\
                /CharProcs<</e \(glyph) 0 R>>/Resources<<>>/ToUnicode \(map) 0 R>>
                """)
        }
    }
}
