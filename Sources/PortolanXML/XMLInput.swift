import PortolanWeb

/// The bytes of a document in an ASCII-compatible encoding, and the start of its markup.
struct XMLInput {
    /// The bytes; UTF-16 was converted to UTF-8.
    let bytes: [UInt8]
    /// The offset of the document after byte order mark and white space.
    let start: Int
    /// The line of `start`, starting at 1.
    let firstLine: Int
    /// The warnings.
    private(set) var warnings: [MapWarning] = []

    /// Detects the encoding of `source`.
    ///
    /// Follows W3C XML 1.0 appendix F.
    init(_ source: [UInt8]) throws(XMLError) {
        var bytes = source
        let isTranscoded = Self.isUTF16(source)
        if isTranscoded {
            let text = Self.utf8(fromUTF16: source)
            if let fault = text.faults.first { throw fault }
            bytes = text.bytes
        }
        let head = bytes.prefix(4)
        if Self.hasWideMarkup(bytes) {
            throw XMLError(.encoding(head.first == 0 ? "UTF-32" : "EBCDIC"), line: 1)
        }
        var place = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var line = 1
        while place < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[place]) {
            if bytes[place] == 0x0A { line += 1 }
            place += 1
        }
        guard place < bytes.count else { throw XMLError(.empty, line: line) }
        if let declaration = Self.declaration(in: bytes, at: place) {
            let name = Self.encodingName(in: declaration)
            let isWide = name.hasPrefix("UTF-16") || name.hasPrefix("UCS-2") || name.hasPrefix("ISO-10646-UCS-2")
            if isTranscoded || isWide {
                // The bytes are UTF-8 in spite of the declaration, which is skipped.
                if !isTranscoded {
                    warnings.append(
                        MapWarning(markupAt: nil, "the document states the encoding \(name), but has another"))
                }
                place += declaration.count
                line += declaration.count(where: { $0 == 0x0A })
            } else if !name.isEmpty, !Self.isASCIICompatible(name) {
                throw XMLError(.encoding(name), line: line)
            }
        }
        self.bytes = bytes
        start = place
        firstLine = line
    }

    private enum ByteOrder { case big, little }

    private static func utf16Order(_ bytes: [UInt8]) -> ByteOrder? {
        guard bytes.count >= 2 else { return nil }
        let isWide = bytes.count >= 4 && bytes[2] == 0 && bytes[3] == 0
        switch (bytes[0], bytes[1]) {
        case (0xFE, 0xFF), (0, 0x3C): return .big
        case (0xFF, 0xFE), (0x3C, 0): return isWide ? nil : .little
        default: return nil
        }
    }

    /// Returns whether bytes begin like UTF-16.
    static func isUTF16(_ bytes: [UInt8]) -> Bool { utf16Order(bytes) != nil }

    /// Returns whether bytes begin like an encoding whose markup is not ASCII.
    static func hasWideMarkup(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0, 0]) || bytes.starts(with: [0x4C, 0x6F, 0xA7, 0x94])
    }

    /// Converts UTF-16 to UTF-8 with U+FFFD for unpaired surrogates, and returns the first error.
    static func utf8(fromUTF16 bytes: [UInt8]) -> (bytes: [UInt8], faults: [XMLError]) {
        let isBigEndian = utf16Order(bytes) == .big
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count / 2)
        var faults: [XMLError] = []
        func note(_ message: String) {
            guard faults.isEmpty else { return }
            faults.append(XMLError(.notWellFormed(message), line: 1 + result.count(where: { $0 == 0x0A })))
        }
        if !bytes.count.isMultiple(of: 2) { note("UTF-16 with an odd number of bytes") }
        var high: UInt32?
        for index in stride(from: 0, to: bytes.count - 1, by: 2) {
            let unit =
                isBigEndian
                ? UInt32(bytes[index]) << 8 | UInt32(bytes[index + 1])
                : UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index])
            if index == 0, unit == 0xFEFF { continue }
            if let first = high {
                high = nil
                if (0xDC00...0xDFFF).contains(unit),
                    let character = Unicode.Scalar(
                        0x10000 + (first - 0xD800) << 10 + (unit - 0xDC00))
                {
                    result += String(character).utf8
                    continue
                }
                note("unpaired UTF-16 surrogate")
                result += UTF8.encodedReplacementCharacter
            }
            if (0xD800...0xDBFF).contains(unit) {
                high = unit
                continue
            }
            let character = Unicode.Scalar(unit)
            if character == nil { note("unpaired UTF-16 surrogate") }
            result.append(contentsOf: character.flatMap(UTF8.encode) ?? UTF8.encodedReplacementCharacter)
        }
        if high != nil {
            note("unpaired UTF-16 surrogate at the end")
            result += UTF8.encodedReplacementCharacter
        }
        return (result, faults)
    }

    /// Returns the XML declaration that begins at `place`, or `nil`.
    private static func declaration(in bytes: [UInt8], at place: Int) -> ArraySlice<UInt8>? {
        let head = bytes[place...].prefix(1024)
        guard head.starts(with: Array("<?xml".utf8)), head.count > 6,
            [0x20, 0x0A, 0x0D, 0x09].contains(head[place + 5])
        else { return nil }
        for index in (place + 5)..<(head.endIndex - 1) where head[index] == 0x3F && head[index + 1] == 0x3E {
            return head[...(index + 1)]
        }
        return nil
    }

    /// The encoding in the declaration, in capitals; empty if it has none, or was skipped.
    var encodingName: String { Self.declaration(in: bytes, at: start).map(Self.encodingName) ?? "" }

    /// Returns the encoding in a declaration, in capitals.
    static func encodingName(in declaration: ArraySlice<UInt8>) -> String {
        let text = String(decoding: declaration, as: UTF8.self)
        guard let range = text.firstRange(of: "encoding") else { return "" }
        let rest = text[range.upperBound...].drop { $0 == " " || $0 == "=" || $0.isNewline || $0 == "\t" }
        guard let quote = rest.first, quote == "\"" || quote == "'" else { return "" }
        return rest.dropFirst().prefix { $0 != quote }.uppercased()
    }

    /// Returns whether bytes below 128 always mean ASCII in an encoding, so that tags can be measured.
    private static func isASCIICompatible(_ name: String) -> Bool {
        let families = [
            "UTF-8", "UTF8", "US-ASCII", "ASCII", "ISO-8859-", "ISO8859-", "ISO_8859-", "LATIN", "WINDOWS-125", "CP125",
            "KOI8-", "SHIFT_JIS", "SHIFT-JIS", "EUC-", "GB2312", "GBK", "GB18030", "BIG5", "TIS-620", "WINDOWS-874",
            "MACINTOSH",
        ]
        return families.contains { name.hasPrefix($0) }
    }
}
