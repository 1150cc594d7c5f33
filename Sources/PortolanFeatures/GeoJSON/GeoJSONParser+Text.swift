import PortolanWeb

extension GeoJSONParser {
    /// Reads a text, the cursor on its opening quote.
    mutating func string(_ text: Span<UInt8>) throws(GeoJSONError) -> String {
        let start = position + 1
        var index = start
        var all: UInt8 = 0
        // Plain letters eight at a time; the others, and the last of the document, one by one.
        while true {
            let plain = Self.plainCount(text.eight(from: index))
            index &+= plain
            if plain < 8 { break }
        }
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "\"") {
                position = index + 1
                // ASCII needs no look at the order of the bytes.
                if all < 0x80 { return String(decoding: bytes[start..<index], as: UTF8.self) }
                return try validated(bytes[start..<index])
            }
            if byte == UInt8(ascii: "\\") { return try escapedString(text, start, index) }
            guard byte >= 0x20 else { throw control(byte, index) }
            all |= byte
            index += 1
        }
        throw error(.truncated, text.count, "the document ends inside a text that begins at byte \(start - 1)")
    }

    /// How many of eight bytes, the lowest first, are ASCII that stands for itself in a text.
    @inline(__always)
    private static func plainCount(_ eight: UInt64) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = eight ^ (ones &* 0x22), backslashes = eight ^ (ones &* 0x5C)
        // The highest bit of each byte that is zero, or below a blank; one too many only behind the first.
        let odd =
            (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes | (eight &- ones &* 0x20) & ~eight | eight
        return (odd & (ones &* 0x80)).trailingZeroBitCount &>> 3
    }

    /// Reads on from the first backslash, at `index`, of the text that begins at `start`.
    private mutating func escapedString(_ text: Span<UInt8>, _ start: Int, _ index: Int) throws(GeoJSONError) -> String
    {
        scratch.removeAll(keepingCapacity: true)
        var from = start
        var index = index
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "\"") {
                try append(bytes[from..<index])
                position = index + 1
                return String(decoding: scratch, as: UTF8.self)
            }
            guard byte >= 0x20 else { throw control(byte, index) }
            if byte != UInt8(ascii: "\\") {
                index += 1
                continue
            }
            try append(bytes[from..<index])
            index = try escape(text, index)
            from = index
        }
        throw error(.truncated, text.count, "the document ends inside a text that begins at byte \(start - 1)")
    }

    /// Adds what the escape at `index` stands for to `scratch`, and gives the place after it.
    private mutating func escape(_ text: Span<UInt8>, _ index: Int) throws(GeoJSONError) -> Int {
        switch byte(text, index + 1) {
        case UInt8(ascii: "\""): scratch.append(0x22)
        case UInt8(ascii: "\\"): scratch.append(0x5C)
        case UInt8(ascii: "/"): scratch.append(0x2F)
        case UInt8(ascii: "b"): scratch.append(0x08)
        case UInt8(ascii: "f"): scratch.append(0x0C)
        case UInt8(ascii: "n"): scratch.append(0x0A)
        case UInt8(ascii: "r"): scratch.append(0x0D)
        case UInt8(ascii: "t"): scratch.append(0x09)
        case UInt8(ascii: "u"): return try unicodeEscape(text, index)
        default:
            guard index + 1 < text.count else { throw error(.truncated, text.count, "the document ends in an escape") }
            throw error(.syntax, index, "a backslash followed by something that JSON does not escape")
        }
        return index + 2
    }

    private mutating func unicodeEscape(_ text: Span<UInt8>, _ index: Int) throws(GeoJSONError) -> Int {
        var value = try hexadecimal(text, index + 2)
        var end = index + 6
        if value >= 0xD800 && value <= 0xDBFF, byte(text, end) == UInt8(ascii: "\\"),
            byte(text, end + 1) == UInt8(ascii: "u")
        {
            let low = try hexadecimal(text, end + 2)
            if low >= 0xDC00 && low <= 0xDFFF {
                value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
                end += 6
            }
        }
        guard let scalar = Unicode.Scalar(value) else {
            guard mendsText else { throw error(.invalidText, index, "an escape of half of a surrogate pair") }
            warn("an escape of half of a surrogate pair; U+FFFD stands in for it", at: index, effect: .repaired)
            scratch += [0xEF, 0xBF, 0xBD]
            return end
        }
        scratch += Array(String(scalar).utf8)
        return end
    }

    private func hexadecimal(_ text: Span<UInt8>, _ start: Int) throws(GeoJSONError) -> UInt32 {
        var value: UInt32 = 0
        for index in start..<(start + 4) {
            let byte = byte(text, index)
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
            default:
                guard index < text.count else { throw error(.truncated, text.count, "the document ends in an escape") }
                throw error(.syntax, index, "\\u must be followed by four hexadecimal digits")
            }
        }
        return value
    }

    private func control(_ byte: UInt8, _ index: Int) -> GeoJSONError {
        error(.syntax, index, "the control byte 0x\(String(byte, radix: 16)) inside a text; write it as an escape")
    }

    /// Adds bytes between escapes to `scratch`.
    private mutating func append(_ slice: ArraySlice<UInt8>) throws(GeoJSONError) {
        guard slice.contains(where: { $0 >= 0x80 }) else { return scratch += slice }
        scratch += try validated(slice).utf8
    }

    /// The text of some bytes; what of them is not UTF-8 is mended.
    private mutating func validated(_ slice: ArraySlice<UInt8>) throws(GeoJSONError) -> String {
        if let text = String(validating: slice, as: UTF8.self) { return text }
        // The longest valid beginning tells where the fault is; a character has at most 4 bytes, so it is found by
        // decoding one after another.
        var decoder = UTF8()
        var iterator = slice.makeIterator()
        var offset = slice.startIndex
        decoding: while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): offset += UTF8.width(scalar)
            case .emptyInput, .error: break decoding
            }
        }
        guard mendsText else {
            throw error(.invalidText, offset, "the bytes of this text are not UTF-8; save the file as UTF-8")
        }
        warn("the bytes of a text are not UTF-8; U+FFFD stands in for them", at: offset, effect: .repaired)
        return String(decoding: slice, as: UTF8.self)
    }
}
