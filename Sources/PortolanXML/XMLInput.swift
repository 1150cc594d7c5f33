import PortolanWeb

/// The bytes of a document in an encoding whose markup is ASCII, and where in them the markup begins.
struct XMLInput {
    /// The bytes; UTF-16 has become UTF-8.
    let bytes: [UInt8]
    /// The offset of the document, after byte order mark and white space.
    let start: Int
    /// The line that `start` is on, from 1.
    let firstLine: Int
    /// Oddities of the document.
    private(set) var warnings: [MapWarning] = []

    /// Looks for the encoding of `source`.
    ///
    /// Follows W3C XML 1.0 appendix F.
    init(_ source: [UInt8]) throws(XMLError) {
        var bytes = source
        var isTranscoded = false
        if let order = Self.utf16Order(source) {
            bytes = try Self.utf8(fromUTF16: source, isBigEndian: order == .big)
            isTranscoded = true
        }
        let head = bytes.prefix(4)
        if head.starts(with: [0, 0]) || head.starts(with: [0x4C, 0x6F, 0xA7, 0x94]) {
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
                // The bytes are UTF-8 whatever the declaration says: it is passed over.
                if !isTranscoded {
                    warnings.append(MapWarning(markupAt: nil, "the document says it is \(name), but it is not"))
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

    private static func utf8(fromUTF16 bytes: [UInt8], isBigEndian: Bool) throws(XMLError) -> [UInt8] {
        guard bytes.count.isMultiple(of: 2) else {
            throw XMLError(.notWellFormed("UTF-16 with an odd number of bytes"), line: 1)
        }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count / 2)
        var high: UInt32?
        for index in stride(from: 0, to: bytes.count, by: 2) {
            let unit =
                isBigEndian
                ? UInt32(bytes[index]) << 8 | UInt32(bytes[index + 1])
                : UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index])
            var scalar = unit
            switch (unit, high) {
            case (0xFEFF, _) where index == 0: continue
            case (0xD800...0xDBFF, nil):
                high = unit
                continue
            case (0xDC00...0xDFFF, let first?):
                scalar = 0x10000 + (first - 0xD800) << 10 + (unit - 0xDC00)
                high = nil
            default: break
            }
            guard high == nil, let character = Unicode.Scalar(scalar) else {
                let line = 1 + result.count(where: { $0 == 0x0A })
                throw XMLError(.notWellFormed("half of a UTF-16 surrogate pair"), line: line)
            }
            result.append(contentsOf: UTF8.encode(character) ?? UTF8.encodedReplacementCharacter)
        }
        guard high == nil else {
            throw XMLError(.notWellFormed("half of a UTF-16 surrogate pair at the end"), line: 1)
        }
        return result
    }

    /// The XML declaration that begins at `place`, or `nil`.
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

    private static func encodingName(in declaration: ArraySlice<UInt8>) -> String {
        let text = String(decoding: declaration, as: UTF8.self)
        guard let range = text.firstRange(of: "encoding") else { return "" }
        let rest = text[range.upperBound...].drop { $0 == " " || $0 == "=" || $0.isNewline || $0 == "\t" }
        guard let quote = rest.first, quote == "\"" || quote == "'" else { return "" }
        return rest.dropFirst().prefix { $0 != quote }.uppercased()
    }

    /// Whether bytes below 128 mean ASCII in an encoding wherever they stand for markup, so that tags can be measured.
    private static func isASCIICompatible(_ name: String) -> Bool {
        let families = [
            "UTF-8", "UTF8", "US-ASCII", "ASCII", "ISO-8859-", "ISO8859-", "ISO_8859-", "LATIN", "WINDOWS-125", "CP125",
            "KOI8-", "SHIFT_JIS", "SHIFT-JIS", "EUC-", "GB2312", "GBK", "GB18030", "BIG5", "TIS-620", "WINDOWS-874",
            "MACINTOSH",
        ]
        return families.contains { name.hasPrefix($0) }
    }
}
