extension Span where Element == UInt8 {
    /// Returns eight bytes as a little-endian word.
    @inline(__always)
    func word(at place: Int) -> UInt64 {
        precondition(place >= 0 && place + 8 <= count, "eight bytes from there on")
        // Within the span, as checked above; any bits form a valid integer.
        return unsafe UInt64(
            littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: place, as: UInt64.self))
    }

    /// Returns the next index of a byte that is not plain text: a control, markup, or non-ASCII.
    @inline(__always)
    func plainTextEnd(from start: Int) -> Int {
        var place = start
        let ones: UInt64 = 0x0101_0101_0101_0101, tops: UInt64 = 0x8080_8080_8080_8080
        while place + 8 <= count {
            let word = word(at: place)
            // The highest bit of each byte that is `&`, `<` or `>`, less than a space, or at least 128. A borrow can
            // falsely mark a later byte, but never an earlier one, and only the first mark is used.
            let and = word ^ (ones &* 0x26), angle = (word | ones &* 2) ^ (ones &* 0x3E)
            let found = ((and &- ones) & ~and | (angle &- ones) & ~angle | (word &- ones &* 0x20) & ~word | word) & tops
            if found != 0 { return place + found.trailingZeroBitCount >> 3 }
            place += 8
        }
        while place < count, self[place] >= 0x20, self[place] < 0x80, self[place] != UInt8(ascii: "&"),
            self[place] != UInt8(ascii: "<"), self[place] != UInt8(ascii: ">")
        {
            place += 1
        }
        return place
    }

    /// Returns the end of a name at the latest: white space, a control, `/`, `=` or `>`, or the end of the bytes.
    @inline(__always)
    func nameEnd(from start: Int) -> Int {
        var place = start
        let ones: UInt64 = 0x0101_0101_0101_0101, tops: UInt64 = 0x8080_8080_8080_8080
        while place + 8 <= count {
            let word = word(at: place)
            // As above.
            let slash = word ^ (ones &* 0x2F), sign = word ^ (ones &* 0x3D), angle = word ^ (ones &* 0x3E)
            let found =
                ((slash &- ones) & ~slash | (sign &- ones) & ~sign | (angle &- ones) & ~angle
                    | (word &- ones &* 0x21) & ~word) & tops
            if found != 0 { return place + found.trailingZeroBitCount >> 3 }
            place += 8
        }
        while place < count, self[place] > 0x20, self[place] != UInt8(ascii: "/"), self[place] != UInt8(ascii: "="),
            self[place] != UInt8(ascii: ">")
        {
            place += 1
        }
        return place
    }

    /// Returns the next index of a byte that is not a space, tab or line feed, and counts the line feeds.
    @inline(__always)
    func blankEnd(from start: Int, lines: inout Int) -> Int {
        var place = start
        while place < count, self[place] <= 0x20 {
            if place + 8 <= count {
                let other = word(at: place) ^ 0x2020_2020_2020_2020, low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
                let found = ((other & low) &+ low | other) & ~low
                place += found.trailingZeroBitCount >> 3
                if found == 0 { continue }
            }
            switch self[place] {
            case 0x0A: lines += 1
            case 0x09, 0x20: break
            default: return place
            }
            place += 1
        }
        return place
    }

    /// Returns whether two sequences of a length are equal.
    @inline(__always)
    func isSame(_ one: Int, _ other: Int, count length: Int) -> Bool {
        if length >= 8 {
            var offset = 0
            while offset + 8 < length {
                guard word(at: one + offset) == word(at: other + offset) else { return false }
                offset += 8
            }
            // The last eight bytes may overlap bytes already compared.
            return word(at: one + length - 8) == word(at: other + length - 8)
        }
        if max(one, other) + 8 <= count {
            let mask: UInt64 = (1 &<< UInt64(8 * length)) &- 1
            return (word(at: one) ^ word(at: other)) & mask == 0
        }
        for offset in 0..<length where self[one + offset] != self[other + offset] { return false }
        return true
    }

    /// Returns the next index of a byte that may end a plain attribute value: the quote, `&` or `<`, a control, or
    /// non-ASCII.
    @inline(__always)
    func plainValueEnd(from start: Int, quote: UInt8) -> Int {
        var place = start
        let ones: UInt64 = 0x0101_0101_0101_0101, tops: UInt64 = 0x8080_8080_8080_8080
        while place + 8 <= count {
            let word = word(at: place)
            // As above.
            let mark = word ^ (ones &* UInt64(quote)), and = word ^ (ones &* 0x26), angle = word ^ (ones &* 0x3C)
            let found =
                ((mark &- ones) & ~mark | (and &- ones) & ~and | (angle &- ones) & ~angle | (word &- ones &* 0x20)
                    & ~word | word) & tops
            if found != 0 { return place + found.trailingZeroBitCount >> 3 }
            place += 8
        }
        while place < count, self[place] >= 0x20, self[place] < 0x80, self[place] != UInt8(ascii: "&"),
            self[place] != UInt8(ascii: "<"), self[place] != quote
        {
            place += 1
        }
        return place
    }

    /// Returns the length of a non-ASCII character (RFC 3629, section 4), or `nil` if XML does not allow it.
    func characterLength(at place: Int) -> Int? {
        let first = self[place], length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard first >= 0xC2, first <= 0xF4, place + length <= count else { return nil }
        var value = UInt32(first) & (0xFF >> UInt32(length + 1))
        for offset in 1..<length {
            guard self[place + offset] & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(self[place + offset] & 0x3F)
        }
        let least: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000
        guard value >= least, Unicode.Scalar(value)?.isAllowedInXML == true else { return nil }
        return length
    }
}

extension Unicode.Scalar {
    /// Whether XML allows a character (clause 2.2).
    var isAllowedInXML: Bool {
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
