import PortolanWeb

/// Repairs the typical errors of documents that were written by string concatenation.
///
/// It repairs bytes in another encoding, characters that XML does not allow, `&` and `<` that do not begin markup, HTML
/// entities, and text before and after the document. Nothing is expanded: entities that a document declares, or may
/// declare in its document type, are unchanged, so that the following parse refuses them.
struct XMLMender {
    /// A kind of error, in the order of the warnings.
    private enum Slip: Int, CaseIterable {
        case before, encoding, character, ampersand, bracket, entity, comment, after
    }

    private struct Repair {
        var count = 0
        var offset = 0
        var line = 0
        var detail = ""
    }

    /// A document with more errors of one kind, other than bytes in another encoding, is probably not XML.
    private static let slipLimit = 1 << 18

    private let source: [UInt8]
    private let limit: Int
    /// Whether there are too many errors.
    private var isHopeless = false
    private let document: XMLExtent
    /// Whether non-ASCII bytes must be UTF-8.
    private let isUTF8: Bool
    private let isTranscoded: Bool
    /// The first error in UTF-16, which has already been repaired.
    private var fault: XMLError?
    private let hasDocumentType: Bool
    private let declaresEntities: Bool
    private var result: [UInt8] = []
    private var repairs = [Repair](repeating: Repair(), count: Slip.allCases.count)
    /// The line of ``linePlace``, starting at 1, so that lines are counted once.
    private var line = 1
    private var linePlace = 0

    /// Returns the repaired document with warnings, or `nil` if there is nothing to repair.
    ///
    /// Line numbers of the result are equal to those of `source`.
    ///
    /// - Parameter limit: the maximum number of bytes in the result.
    /// - Complexity: O(*n*) in the number of bytes.
    static func mend(_ source: [UInt8], limit: Int) -> (bytes: [UInt8], warnings: [MapWarning])? {
        guard !XMLInput.hasWideMarkup(source) else { return nil }
        guard XMLInput.isUTF16(source) else {
            guard let document = XMLExtent(of: source) else { return nil }
            var mender = XMLMender(source, document, isTranscoded: false, limit: limit)
            return mender.mended()
        }
        let text = XMLInput.utf8(fromUTF16: source)
        guard let document = XMLExtent(of: text.bytes) else { return nil }
        var mender = XMLMender(text.bytes, document, isTranscoded: true, limit: limit)
        mender.fault = text.faults.first
        return mender.mended()
    }

    private init(_ source: [UInt8], _ document: XMLExtent, isTranscoded: Bool, limit: Int) {
        self.source = source
        self.limit = limit
        self.document = document
        self.isTranscoded = isTranscoded
        let name = document.declaration.map { XMLInput.encodingName(in: source[$0]) } ?? ""
        isUTF8 = isTranscoded || ["", "UTF-8", "UTF8", "US-ASCII", "ASCII"].contains(name) || name.hasPrefix("UTF-16")
        let type = document.documentType.map { source[$0] } ?? []
        hasDocumentType = !type.isEmpty
        declaresEntities = type.contains("<!ENTITY")
    }

    private mutating func mended() -> (bytes: [UInt8], warnings: [MapWarning])? {
        result.reserveCapacity(min(source.count + source.count / 8, limit))
        if let stray = document.strayBefore { note(.before, at: stray) }
        appendLines(of: 0..<document.range.lowerBound)
        var place = document.range.lowerBound
        while place < document.range.upperBound {
            guard result.count <= limit, !isHopeless else { return nil }
            place = step(from: place)
        }
        if let stray = document.strayAfter { note(.after, at: stray) }
        let warnings = warnings
        return warnings.isEmpty || isHopeless ? nil : (result, warnings)
    }

    // MARK: Markup

    /// Processes one construct, or the text up to the next one.
    private mutating func step(from start: Int) -> Int {
        guard source[start] == UInt8(ascii: "<") else {
            let end = source[start..<document.range.upperBound].firstIndex(of: UInt8(ascii: "<"))
            return copyText(start..<(end ?? document.range.upperBound))
        }
        let construct = XMLConstruct(in: source, at: start)
        let range = start..<min(construct.end, document.range.upperBound)
        switch construct.kind {
        case .none:
            note(.bracket, at: start)
            append("&lt;")
            return start + 1
        case .comment:
            // Two hyphens are not allowed inside.
            let inside = source[range].dropFirst(4).dropLast(3)
            if inside.firstRange(of: [0x2D, 0x2D]) != nil || inside.last == 0x2D { note(.comment, at: start) }
            for place in inside.indices where inside[place] < 0x20 && ![0x09, 0x0A, 0x0D].contains(inside[place]) {
                note(.character, at: place)
            }
            if isUTF8 { noteEncoding(of: inside) }
            appendLines(of: range)
        case .declaration where isUTF8: appendLines(of: range)
        case .declaration, .instruction, .documentType, .characterData: copy(range) { _, _ in nil }
        case .startTag, .endTag: copyTag(range)
        }
        return range.upperBound
    }

    private mutating func copyTag(_ range: Range<Int>) {
        var quote: UInt8 = 0
        copy(range) { mender, place in
            let byte = mender.source[place]
            if quote == 0 {
                if byte == 0x22 || byte == 0x27 { quote = byte }
                return nil
            }
            if byte == quote { quote = 0 }
            if byte == UInt8(ascii: "&") { return mender.copyReference(at: place, until: range.upperBound) }
            guard byte == UInt8(ascii: "<") else { return nil }
            mender.note(.bracket, at: place)
            mender.append("&lt;")
            return place + 1
        }
    }

    private mutating func copyText(_ range: Range<Int>) -> Int {
        copy(range) { mender, place in
            let byte = mender.source[place]
            if byte == UInt8(ascii: "&") { return mender.copyReference(at: place, until: range.upperBound) }
            // `]]>` is allowed only as the end of a section.
            guard byte == UInt8(ascii: ">"), place - range.lowerBound >= 2, mender.source[place - 1] == 0x5D,
                mender.source[place - 2] == 0x5D
            else { return nil }
            mender.note(.bracket, at: place)
            mender.append("&gt;")
            return place + 1
        }
        return range.upperBound
    }

    /// Copies bytes and repairs their characters.
    ///
    /// - Parameter special: writes a replacement at an index and returns the index to continue at, or returns `nil`.
    private mutating func copy(_ range: Range<Int>, _ special: (inout XMLMender, Int) -> Int?) {
        var place = range.lowerBound, copied = place
        while place < range.upperBound, result.count <= limit, !isHopeless {
            let byte = source[place]
            let isPlain = byte >= 0x20 && byte < 0x80 || byte == 0x0A || byte == 0x0D || byte == 0x09
            if isPlain, ![0x22, 0x26, 0x27, 0x3C, 0x3E].contains(byte) {
                place += 1
                continue
            }
            result += source[copied..<place]
            copied = place
            if isPlain {
                if let end = special(&self, place) { copied = end }
                place = max(copied, place + 1)
            } else if byte < 0x80 {
                note(.character, at: place)
                append(Self.replacement(of: UInt32(byte)))
                place += 1
                copied = place
            } else if let length = isUTF8 ? source.span.characterLength(at: place) : 1 {
                place += length
            } else {
                place = copyForeignByte(at: place)
                copied = place
            }
        }
        result += source[copied..<place]
    }

    // MARK: Characters

    private mutating func noteEncoding(of bytes: ArraySlice<UInt8>) {
        var place = bytes.startIndex
        while place < bytes.endIndex {
            guard bytes[place] >= 0x80 else {
                place += 1
                continue
            }
            let length = source.span.characterLength(at: place)
            if length == nil { note(.encoding, at: place) }
            place += length ?? 1
        }
    }

    /// Copies an invalid UTF-8 byte as Windows-1252, or replaces a character that XML does not allow.
    private mutating func copyForeignByte(at place: Int) -> Int {
        let byte = source[place]
        // Surrogates, U+FFFE and U+FFFF.
        let isForbidden =
            (byte == 0xED || byte == 0xEF) && place + 2 < source.count
            && source[place + 1] & 0xC0 == 0x80 && source[place + 2] & 0xC0 == 0x80
        if isForbidden {
            note(.character, at: place)
            append("\u{FFFD}")
            return place + 3
        }
        note(.encoding, at: place)
        let value = byte < 0xA0 ? Self.windows[Int(byte) - 0x80] : UInt32(byte)
        append(Unicode.Scalar(value) ?? "\u{FFFD}")
        return place + 1
    }

    /// The characters from 128 to 159 of Windows-1252.
    private static let windows: [UInt32] = [
        0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD,
        0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0xFFFD, 0x017E, 0x0178,
    ]

    /// Returns the replacement for a character that XML does not allow.
    ///
    /// Line and page breaks of word processors become spaces.
    private static func replacement(of value: UInt32) -> Unicode.Scalar {
        value == 0x0B || value == 0x0C ? " " : "\u{FFFD}"
    }

    /// Copies a reference, or writes its most likely meaning.
    private mutating func copyReference(at start: Int, until end: Int) -> Int {
        let tail = source[(start + 1)..<min(start + 34, end)]
        guard let mark = tail.firstIndex(of: UInt8(ascii: ";")), mark > start + 1,
            tail[..<mark].dropFirst(tail.first == UInt8(ascii: "#") ? 1 : 0).allSatisfy(Self.isNameByte)
        else {
            note(.ampersand, at: start)
            append("&amp;")
            return start + 1
        }
        let name = String(decoding: tail[..<mark], as: UTF8.self)
        if name.hasPrefix("#") { return copyNumber(name.dropFirst(), start..<(mark + 1)) }
        if ["amp", "lt", "gt", "quot", "apos"].contains(name) || declaresEntities {
            result += source[start...mark]
        } else if let character = HTMLEntity.character(name) {
            note(.entity, at: start, "&\(name);")
            append("&#\(character);")
        } else if hasDocumentType {
            // It may be declared elsewhere.
            result += source[start...mark]
        } else {
            note(.ampersand, at: start)
            append("&amp;\(name);")
        }
        return mark + 1
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || byte >= 0x80
            || [0x2D, 0x2E, 0x5F, 0x3A].contains(byte)
    }

    private mutating func copyNumber(_ digits: Substring, _ range: Range<Int>) -> Int {
        let isHex = digits.first == "x" || digits.first == "X"
        let number = isHex ? digits.dropFirst() : digits
        guard !number.isEmpty, number.utf8.allSatisfy({ Self.isDigit($0, isHex: isHex) }) else {
            note(.ampersand, at: range.lowerBound)
            append("&amp;#\(digits);")
            return range.upperBound
        }
        let value = UInt32(number, radix: isHex ? 16 : 10)
        if let value, Unicode.Scalar(value)?.isAllowedInXML == true {
            if digits.first == "X" { note(.entity, at: range.lowerBound, "&#\(digits);") }
            append("&#\(value);")
        } else {
            note(.character, at: range.lowerBound)
            append(Self.replacement(of: value ?? 0))
        }
        return range.upperBound
    }

    private static func isDigit(_ byte: UInt8, isHex: Bool) -> Bool {
        (0x30...0x39).contains(byte) || isHex && (0x41...0x46).contains(byte & 0xDF)
    }

    // MARK: Output

    private mutating func append(_ text: String) { result += text.utf8 }

    /// Appends a character, as a reference if the document is not UTF-8.
    private mutating func append(_ character: Unicode.Scalar) {
        append(isUTF8 || character.isASCII ? String(character) : "&#\(character.value);")
    }

    /// Appends the line ends of a range, so that line numbers are kept.
    private mutating func appendLines(of range: Range<Int>) {
        for byte in source[range] where byte == 0x0A { result.append(byte) }
    }

    private mutating func note(_ slip: Slip, at place: Int, _ detail: String = "") {
        let index = slip.rawValue
        repairs[index].count += 1
        if repairs[index].count > Self.slipLimit, slip != .encoding { isHopeless = true }
        guard repairs[index].count == 1 else { return }
        if place < linePlace { (line, linePlace) = (1, 0) }
        line += source[linePlace..<place].count { $0 == 0x0A }
        linePlace = place
        repairs[index].offset = place
        repairs[index].line = line
        repairs[index].detail = detail
    }

    private var warnings: [MapWarning] {
        let own = fault.map { fault in
            MapWarning(
                .markup, MapWarning.Subject(), at: MapWarning.Place(line: fault.line), effect: .repaired,
                message: fault.message + "; read as U+FFFD")
        }
        return (own.map { [$0] } ?? [])
            + Slip.allCases.compactMap { slip in
                let repair = repairs[slip.rawValue], count = repair.count
                guard count > 0 else { return nil }
                let first = count == 1 ? "" : "; this is the first of \(count)"
                let byte = source[repair.offset]
                let hex = String(byte, radix: 16, uppercase: true)
                let message =
                    switch slip {
                    case .before: "text before the XML document; ignored"
                    case .after: "text after the end of the XML document; ignored"
                    case .encoding: "the byte 0x\(hex) is not UTF-8; read as Windows-1252\(first)"
                    case .character: "XML does not allow this character; replaced\(first)"
                    case .ampersand: "this '&' is not an entity and should be '&amp;'; read as text\(first)"
                    case .bracket:
                        "this '\(byte == UInt8(ascii: ">") ? "]]>" : "<")' is not markup and should be escaped; read as text\(first)"
                    case .entity: "'\(repair.detail)' is not an XML entity; read as in HTML\(first)"
                    case .comment: "a comment contains '--'; ignored\(first)"
                    }
                let place = MapWarning.Place(line: repair.line, byteOffset: isTranscoded ? nil : repair.offset)
                return MapWarning(
                    .markup, MapWarning.Subject(), at: place,
                    effect: .repaired, message: "the XML is not well-formed: " + message)
            }
    }
}
