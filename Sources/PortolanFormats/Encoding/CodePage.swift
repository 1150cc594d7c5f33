import PortolanFeatures

/// A text encoding named in a file: by a word, a number, or the language byte of a dBASE table.
enum CodePage: Hashable {
    case utf8, latin1, windows1252
    /// An encoding with its `iconv` name.
    case other(String)

    /// Creates the encoding for a name such as `UTF-8`, `1251`, `ANSI 1251`, `OEM 866`, `windows-1251`, `Shift_JIS` or
    /// `LDID/19`; returns `nil` if it is unknown.
    init?(name: String) {
        let word = name.lowercased().filter { $0.isLetter || $0.isNumber }
        if name.uppercased().hasPrefix("LDID"), let number = UInt8(word.dropFirst(4)) {
            guard let page = CodePage(language: number) else { return nil }
            self = page
            return
        }
        if let page = Self.words[word] {
            self = page
            return
        }
        let prefixes = ["windows", "cp", "ansi", "oem", "ibm", "dos", "msdos", "ms", "win", "codepage", "x"]
        let digits = prefixes.first { word.hasPrefix($0) }.map { word.dropFirst($0.count) } ?? word[...]
        if word.hasPrefix("iso8859") || word.hasPrefix("8859") {
            let part = word.dropFirst(word.hasPrefix("iso") ? 7 : 4)
            guard let number = Int(part), (1...16).contains(number) else { return nil }
            self = number == 1 ? .latin1 : .other("ISO-8859-\(number)")
            return
        }
        guard let number = Int(digits), let page = CodePage(number: number) else { return nil }
        self = page
    }

    private static let words: [String: CodePage] = [
        "utf8": .utf8, "unicode": .utf8, "latin1": .latin1, "iso88591": .latin1, "ascii": .windows1252,
        "usascii": .windows1252, "ansi": .windows1252, "latin2": .other("ISO-8859-2"), "latin9": .other("ISO-8859-15"),
        "shiftjis": .other("CP932"), "sjis": .other("CP932"), "mskanji": .other("CP932"), "eucjp": .other("EUC-JP"),
        "gbk": .other("GB18030"), "gb2312": .other("GB18030"), "gb18030": .other("GB18030"), "euccn": .other("GB18030"),
        "big5": .other("CP950"), "big5hkscs": .other("BIG5-HKSCS"), "euctw": .other("EUC-TW"),
        "euckr": .other("CP949"), "ksc56011987": .other("CP949"), "ksc5601": .other("CP949"), "uhc": .other("CP949"),
        "johab": .other("JOHAB"), "koi8r": .other("KOI8-R"), "koi8u": .other("KOI8-U"),
        "macintosh": .other("MACINTOSH"), "macroman": .other("MACINTOSH"), "mac": .other("MACINTOSH"),
        "maccyrillic": .other("MAC-CYRILLIC"), "maccentraleurope": .other("MAC-CENTRALEUROPE"),
        "tis620": .other("CP874"),
    ]

    /// Creates the encoding for a code page number of Microsoft or IBM.
    init?(number: Int) {
        switch number {
        case 65001: self = .utf8
        case 1252: self = .windows1252
        case 28591, 88591: self = .latin1
        case 28592...28606: self = .other("ISO-8859-\(number - 28590)")
        case 885_910...885_916, 88592...88599:
            self = .other("ISO-8859-\(number > 100_000 ? number - 885_900 : number - 88590)")
        case 936, 54936: self = .other("GB18030")
        case 1361: self = .other("JOHAB")
        case 10000: self = .other("MACINTOSH")
        case 10007: self = .other("MAC-CYRILLIC")
        case 10029: self = .other("MAC-CENTRALEUROPE")
        case 20866: self = .other("KOI8-R")
        case 21866: self = .other("KOI8-U")
        case 51949: self = .other("CP949")
        case 437, 737, 775, 850, 852, 855, 857, 858, 860...866, 869, 874, 932, 949, 950, 1250...1258:
            self = .other("CP\(number)")
        default: return nil
        }
    }

    /// Creates the encoding for the language byte of a dBASE table (as in GDAL and ArcGIS); returns `nil` if it is zero
    /// or unknown.
    init?(language: UInt8) {
        guard let number = Self.languages[language] else { return nil }
        self.init(number: number)
    }

    /// Returns whether a language byte means a Latin code page, which many writers use regardless of the actual encoding.
    static func isLatin(_ language: UInt8) -> Bool {
        [437, 850, 1252, 10000].contains(languages[language] ?? 437)
    }

    private static let languages: [UInt8: Int] = [
        0x01: 437, 0x02: 850, 0x03: 1252, 0x04: 10000, 0x08: 865, 0x09: 437, 0x0A: 850, 0x0B: 437, 0x0D: 437,
        0x0E: 850, 0x0F: 437, 0x10: 850, 0x11: 437, 0x12: 850, 0x13: 932, 0x14: 850, 0x15: 437, 0x16: 850, 0x17: 865,
        0x18: 437, 0x19: 437, 0x1A: 850, 0x1B: 437, 0x1C: 863, 0x1D: 850, 0x1F: 852, 0x22: 852, 0x23: 852, 0x24: 860,
        0x25: 850, 0x26: 866, 0x37: 850, 0x40: 852, 0x4D: 936, 0x4E: 949, 0x4F: 950, 0x50: 874, 0x57: 1252,
        0x58: 1252, 0x59: 1252, 0x64: 852, 0x65: 866, 0x66: 865, 0x67: 861, 0x6A: 737, 0x6B: 857, 0x6C: 863,
        0x78: 950, 0x79: 949, 0x7A: 936, 0x7B: 932, 0x7C: 874, 0x86: 737, 0x87: 852, 0x88: 857, 0x96: 10007,
        0x97: 10029, 0xC8: 1250, 0xC9: 1251, 0xCA: 1254, 0xCB: 1253, 0xCC: 1257,
    ]

    // MARK: Detection from bytes

    /// Returns the most likely encoding of non-ASCII bytes, or `nil` if there is no evidence against Windows-1252.
    ///
    /// In Latin texts, most such bytes are single bytes between letters. In other texts they are consecutive, or come
    /// in pairs whose first bytes are those of the most frequent characters.
    static func likeliest(for sample: ArraySlice<UInt8>) -> CodePage? {
        var high = [Int](repeating: 0, count: 256), leads = high
        var aloneCount = 0, pairCount = 0, wideCount = 0, length = 0
        var lead: UInt8?
        for byte in sample + [0x0A] {
            if let first = lead {
                lead = nil
                if byte >= 0x40 {
                    pairCount += 1
                    leads[Int(first)] += 1
                    if byte >= 0xA1 { wideCount += 1 }
                }
            } else if byte >= 0x80 {
                lead = byte
            }
            if byte >= 0x80 {
                length += 1
                high[Int(byte)] += 1
            } else {
                if length == 1 { aloneCount += 1 }
                length = 0
            }
        }
        let count = high.reduce(0, +)
        guard count >= 4 else { return nil }
        func share(_ range: ClosedRange<Int>) -> Double { Double(high[range].reduce(0, +)) / Double(count) }
        func leadShare(_ ranges: ClosedRange<Int>...) -> Double {
            Double(ranges.reduce(0) { $0 + leads[$1].reduce(0, +) }) / Double(max(pairCount, 1))
        }
        if aloneCount * 3 < count {
            // Cyrillic letters of Windows and DOS, most of which are lowercase.
            let commonest = Double(high[0xEE] + high[0xE0] + high[0xE5])
            if share(0xC0...0xFF) > 0.95, share(0xE0...0xFF) > 0.5, commonest > 0.12 * Double(count) {
                return .other("CP1251")
            }
            if share(0x80...0xAF) + share(0xE0...0xEF) > 0.95, share(0xA0...0xAF) + share(0xE0...0xEF) > 0.5 {
                return .other("CP866")
            }
        }
        guard pairCount >= 2 else { return nil }
        // Kana, and the most frequent characters of each encoding.
        if leadShare(0x82...0x83, 0x88...0x98) > 0.7 { return .other("CP932") }
        if wideCount == pairCount, aloneCount * 3 < count {
            if leadShare(0xA4...0xA5) > 0.3 { return .other("EUC-JP") }
            if leadShare(0xB0...0xC8) > 0.95 { return .other("CP949") }
            if leadShare(0xA1...0xA3, 0xB0...0xF7) > 0.9 { return .other("GB18030") }
        }
        return leadShare(0xA4...0xC6) > 0.9 ? .other("CP950") : nil
    }
}
