import PortolanFeatures
import PortolanWeb

/// A text encoding of a table or document: UTF-8, Latin-1, Windows-1252, or a code page of the system's `iconv`.
struct TextEncoding {
    /// The name for warnings.
    let name: String
    private let decoder: Decoder

    private enum Decoder {
        case utf8
        /// A table with the character of each byte.
        case bytes([UInt16])
        /// A converter for multi-byte characters.
        case converter(CodePageConverter)
    }

    static var utf8: TextEncoding { TextEncoding(name: "UTF-8", decoder: .utf8) }
    static var latin1: TextEncoding { TextEncoding(name: "Latin-1", decoder: .bytes(Array(0...255))) }
    static var windows1252: TextEncoding {
        TextEncoding(name: "Windows-1252", decoder: .bytes(Array(0..<0x80) + upper + Array(0xA0...0xFF)))
    }

    /// Windows-1252 from 0x80 to 0x9F; unassigned bytes map to themselves.
    private static let upper: [UInt16] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]

    private init(name: String, decoder: Decoder) {
        self.name = name
        self.decoder = decoder
    }

    /// Creates the encoding of a code page, or returns `nil` if the system does not support it.
    init?(_ page: CodePage) {
        switch page {
        case .utf8: self = .utf8
        case .latin1: self = .latin1
        case .windows1252: self = .windows1252
        case .other(let name):
            guard let converter = CodePageConverter(name) else { return nil }
            guard converter.isSingleByte else {
                self.init(name: name, decoder: .converter(converter))
                return
            }
            let table = (0...255).map { byte in
                converter.text([UInt8(byte)][...], isLenient: false)?.utf16.first ?? 0xFFFD
            }
            self.init(name: name, decoder: .bytes(table))
        }
    }

    /// Determines the encoding from the name in a `.cpg` file, the language byte of a table, and the bytes.
    init(name: String?, language: UInt8, sample: ArraySlice<UInt8>, warn: (MapWarning.Effect, String) -> Void) {
        // The name may be wrong: bytes that are invalid in UTF-8 are not decoded as such.
        let isUTF8 = String(validating: sample, as: UTF8.self) != nil
        let isASCII = sample.allSatisfy { $0 < 0x80 }
        let stated = (name ?? "").filter { !$0.isWhitespace && $0 != "\0" }
        let page = stated.isEmpty ? nil : CodePage(name: stated)
        if let page, page != .utf8, let known = TextEncoding(page), known.suits(sample) {
            self = known
            return
        }
        if page == .utf8, isUTF8 {
            self = .utf8
            return
        }
        if stated.isEmpty, !(isUTF8 && !isASCII && CodePage.isLatin(language)), let page = CodePage(language: language),
            let known = TextEncoding(page), known.suits(sample)
        {
            self = known
            return
        }
        guard !isUTF8 else {
            self = .utf8
            if !stated.isEmpty, !isASCII {
                warn(.note, "unknown text encoding '\(stated.prefix(40))'; read as UTF-8")
            }
            return
        }
        self = TextEncoding(guessing: sample)
        let cause =
            page != nil
            ? "the stated text encoding \(stated.prefix(40)) is wrong"
            : stated.isEmpty
                ? "no text encoding stated"
                : "unknown text encoding '\(stated.prefix(40))'"
        warn(page != nil ? .repaired : .note, "\(cause); read as \(self.name)")
    }

    /// Determines the most likely encoding of bytes that are not UTF-8.
    init(guessing sample: ArraySlice<UInt8>) {
        self = CodePage.likeliest(for: sample).flatMap { TextEncoding($0) } ?? .windows1252
    }

    /// Returns whether most non-ASCII bytes are valid in the encoding.
    ///
    /// The sample may end within a character.
    private func suits(_ sample: ArraySlice<UInt8>) -> Bool {
        guard case .converter(let converter) = decoder else { return true }
        let start = sample.prefix(1 << 16), count = start.count { $0 >= 0x80 }
        guard count > 0, let text = converter.text(start, isLenient: true) else { return true }
        return text.unicodeScalars.count { $0 == "\u{FFFD}" } * 5 <= count
    }

    /// Returns the text of bytes.
    func text(_ bytes: ArraySlice<UInt8>) -> String {
        switch decoder {
        case .utf8: return String(decoding: bytes, as: UTF8.self)
        case .bytes(let table):
            guard !bytes.allSatisfy({ $0 < 0x80 }) else { return String(decoding: bytes, as: UTF8.self) }
            return String(decoding: bytes.lazy.map { table[Int($0)] }, as: UTF16.self)
        case .converter(let converter):
            guard !bytes.allSatisfy({ $0 < 0x80 }) else { return String(decoding: bytes, as: UTF8.self) }
            return converter.text(bytes, isLenient: true) ?? ""
        }
    }
}

/// A text document converted to UTF-8.
struct DecodedText {
    /// The document in UTF-8, without a byte order mark.
    let bytes: [UInt8]
    /// The detected encoding, if the document is not UTF-8 and does not state it; otherwise `nil`.
    let guessed: String?

    /// Decodes a document: UTF-16 by its byte order mark, UTF-8, or the most likely encoding of its bytes.
    ///
    /// - Complexity: linear in the bytes.
    init(_ document: [UInt8]) {
        if let text = Self.utf16(document[...]) {
            (bytes, guessed) = (text, nil)
            return
        }
        let text = document[...].withoutByteOrderMark
        guard String(validating: text, as: UTF8.self) == nil else {
            (bytes, guessed) = (text.startIndex == 0 ? document : Array(text), nil)
            return
        }
        let encoding = TextEncoding(guessing: text.prefix(1 << 20))
        (bytes, guessed) = (Array(encoding.text(text).utf8), encoding.name)
    }

    /// Decodes a document in a known encoding.
    init(_ document: [UInt8], in encoding: TextEncoding) {
        (bytes, guessed) = (Array(encoding.text(document[...].withoutByteOrderMark).utf8), nil)
    }

    /// Returns the start of a document in UTF-8 if a byte order mark shows UTF-16; otherwise returns it unchanged.
    static func start(_ start: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        utf16(start).map { $0[...] } ?? start.withoutByteOrderMark
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return nil }
        let start = bytes.startIndex + 2
        let units = (0..<(bytes.endIndex - start) / 2).lazy.map { number -> UInt16 in
            let one = UInt16(bytes[start + 2 * number]), other = UInt16(bytes[start + 2 * number + 1])
            return isLittle ? one | other << 8 : one << 8 | other
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
