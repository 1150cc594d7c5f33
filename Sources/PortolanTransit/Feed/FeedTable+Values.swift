/// Parsing of the values of a row in place.
extension FeedTable {
    /// The result for an empty number.
    static let blank = Int32.min
    /// The result for an invalid number.
    static let malformed = Int32.min + 1

    /// Returns the text of a value.
    ///
    /// Invalid UTF-8 is replaced.
    func text(_ column: Int) -> String { String(decoding: bytes[range(column)], as: UTF8.self) }

    /// Returns a value in quotes for messages, at most 60 bytes long.
    func quoted(_ column: Int) -> String {
        let range = range(column)
        return "\"\(String(decoding: bytes[range].prefix(60), as: UTF8.self))\(range.count > 60 ? "…" : "")\""
    }

    /// Returns an integer of at most nine digits, ``blank`` or ``malformed``.
    func integer(_ column: Int) -> Int32 {
        let range = range(column)
        guard !range.isEmpty else { return Self.blank }
        var place = range.lowerBound
        let isNegative = bytes[place] == UInt8(ascii: "-")
        if isNegative { place += 1 }
        guard place < range.upperBound, range.upperBound - place <= 9 else { return Self.malformed }
        var number: Int32 = 0
        while place < range.upperBound {
            let digit = bytes[place] &- UInt8(ascii: "0")
            guard digit <= 9 else { return Self.malformed }
            number = number &* 10 &+ Int32(digit)
            place &+= 1
        }
        return isNegative ? -number : number
    }

    /// Returns a time `H:MM:SS` in seconds, with up to three digits for the hours, ``blank`` or ``malformed``.
    func time(_ column: Int) -> Int32 {
        let range = range(column)
        guard !range.isEmpty else { return Self.blank }
        let colon = UInt8(ascii: ":"), length = range.count
        let start = range.lowerBound
        guard length >= 7, length <= 9, bytes[start &+ length &- 3] == colon, bytes[start &+ length &- 6] == colon
        else { return Self.malformed }
        @inline(__always) func digit(_ place: Int) -> Int32 {
            let value = bytes[start &+ place] &- UInt8(ascii: "0")
            return value <= 9 ? Int32(value) : 100_000
        }
        var hours: Int32 = 0
        for place in 0..<(length &- 6) { hours = hours &* 10 &+ digit(place) }
        let minutes = digit(length &- 5) &* 10 &+ digit(length &- 4)
        let seconds = digit(length &- 2) &* 10 &+ digit(length &- 1)
        guard hours < 1000, minutes < 60, seconds < 60 else { return Self.malformed }
        return hours &* 3600 &+ minutes &* 60 &+ seconds
    }

    /// Returns a date `YYYYMMDD`, or `nil` if it is invalid.
    func day(_ column: Int) -> ServiceDay? {
        guard range(column).count == 8 else { return nil }
        let number = Int(integer(column))
        guard number > 0 else { return nil }
        return ServiceDay(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }

    /// Returns a decimal number, or `nil` if it is empty or invalid.
    func number(_ column: Int) -> Double? {
        let range = range(column)
        guard !range.isEmpty, range.count <= 40 else { return nil }
        var place = range.lowerBound
        let isNegative = bytes[place] == UInt8(ascii: "-")
        if isNegative || bytes[place] == UInt8(ascii: "+") { place += 1 }
        var digits: UInt64 = 0, digitCount = 0, fraction = 0, isFraction = false
        while place < range.upperBound {
            let byte = bytes[place]
            if byte == UInt8(ascii: "."), !isFraction {
                isFraction = true
            } else {
                let digit = byte &- UInt8(ascii: "0")
                guard digit <= 9 else { return general(range) }
                if digitCount > 0 || digit > 0 { digitCount += 1 }
                guard digitCount <= 15 else { return general(range) }
                digits = digits &* 10 &+ UInt64(digit)
                if isFraction { fraction += 1 }
            }
            place += 1
        }
        guard range.count > (isNegative ? 1 : 0) + (isFraction ? 1 : 0), fraction < Self.powers.count else {
            return general(range)
        }
        // Both operands are exact, so the quotient is correctly rounded (Clinger 1990).
        let number = Double(digits) / Self.powers[fraction]
        return isNegative ? -number : number
    }

    /// The powers of ten that are exactly representable.
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20,
        1e21, 1e22,
    ]

    private func general(_ range: Range<Int>) -> Double? {
        Double(String(decoding: bytes[range], as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
    }

    /// Returns a colour `RRGGBB`, or `nil` if it is invalid.
    func color(_ column: Int) -> UInt32? {
        var range = range(column)
        if let first = range.first, bytes[first] == UInt8(ascii: "#") { range = range.dropFirst() }
        guard range.count == 6 else { return nil }
        var color: UInt32 = 0
        for place in range {
            guard let digit = Character(UnicodeScalar(bytes[place])).hexDigitValue, bytes[place] < 0x80 else {
                return nil
            }
            color = color << 4 | UInt32(digit)
        }
        return color
    }
}

extension FeedTable {
    /// Returns whether a value has exactly these bytes.
    @inline(__always)
    func holds(_ column: Int, _ other: [UInt8]) -> Bool {
        let range = range(column)
        guard range.count == other.count, !other.isEmpty else { return false }
        let bytes = self.bytes.span, other = other.span
        var offset = other.count &- 1
        // Backwards, because identifiers of consecutive trips share prefixes.
        while offset >= 0 {
            guard bytes[range.lowerBound &+ offset] == other[offset] else { return false }
            offset &-= 1
        }
        return true
    }
}
