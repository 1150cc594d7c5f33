/// Reads decimal numbers out of a text that holds many.
enum DecimalScanner {
    /// More characters than this are no number.
    private static let maximumLength = 1024

    /// The number at a place, rounded to the nearest double, or `nil` where none begins there or it is not finite.
    ///
    /// A sign of either kind, digits before or after the point, and an exponent are read, as in `xsd:double` without its
    /// words. `index` is moved behind what was read, and left where it is when that is no number.
    @inline(__always)
    static func number(in text: Span<UInt8>, at index: inout Int) -> Double? {
        let start = index, count = text.count
        var place = start
        guard place < count else { return nil }
        let isNegative = text[place] == UInt8(ascii: "-")
        if isNegative || text[place] == UInt8(ascii: "+") { place += 1 }
        let firstDigit = place
        var mantissa: UInt64 = 0
        while place < count {
            let digit = text[place] &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            mantissa = mantissa &* 10 &+ UInt64(digit)
            place += 1
        }
        var digitCount = place - firstDigit
        var exponent = 0
        if place < count, text[place] == UInt8(ascii: ".") {
            let point = place
            place += 1
            // Up to eight digits at once, as most fractions have.
            if place + 8 <= count {
                let (value, length) = digits(text.eight(from: place))
                mantissa = mantissa &* power(length) &+ value
                place += length
            }
            while place < count {
                let digit = text[place] &- UInt8(ascii: "0")
                guard digit <= 9 else { break }
                mantissa = mantissa &* 10 &+ UInt64(digit)
                place += 1
            }
            exponent = point + 1 - place
            digitCount -= exponent
        }
        guard digitCount > 0 else { return nil }
        if place < count, text[place] | 0x20 == UInt8(ascii: "e") { Self.skipExponent(text, &place, &exponent) }
        if digitCount <= 19, let magnitude = JSONNumber.nearest(mantissa: mantissa, exponent: exponent) {
            index = place
            return isNegative ? -magnitude : magnitude
        }
        return longNumber(text, from: start, to: place, &index)
    }

    @inline(__always)
    private static func power(_ exponent: Int) -> UInt64 {
        switch exponent {
        case 0: 1
        case 1: 10
        case 2: 100
        case 3: 1000
        case 4: 10_000
        case 5: 100_000
        case 6: 1_000_000
        case 7: 10_000_000
        default: 100_000_000
        }
    }

    /// The number that the digits are with which eight bytes begin, the first byte lowest, and how many digits those are.
    @inline(__always)
    private static func digits(_ word: UInt64) -> (value: UInt64, count: Int) {
        var digits = word ^ 0x3030_3030_3030_3030
        // The highest bit of each byte that is more than 9.
        let others = ((digits & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7676_7676_7676_7676 | digits) & 0x8080_8080_8080_8080
        let count = others.trailingZeroBitCount >> 3
        guard count > 0 else { return (0, 0) }
        // The digits moved up, so that noughts stand before them; then pairs, fours and all eight are put together.
        digits = digits &<< UInt64(64 - 8 * count)
        digits = (digits &* 10 &+ digits >> 8) & 0x00FF_00FF_00FF_00FF
        digits = (digits &* 100 &+ digits >> 16) & 0x0000_FFFF_0000_FFFF
        return ((digits &* 10_000 &+ digits >> 32) & 0xFFFF_FFFF, count)
    }

    /// Goes over an exponent, `place` on its letter; a letter without digits is left where it is.
    private static func skipExponent(_ text: Span<UInt8>, _ place: inout Int, _ exponent: inout Int) {
        var next = place + 1
        guard next < text.count else { return }
        let sign = text[next]
        if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { next += 1 }
        let first = next
        var value = 0
        while next < text.count {
            let digit = text[next] &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            // Beyond this the number is zero or too large whatever follows.
            if value < 100_000 { value = value * 10 + Int(digit) }
            next += 1
        }
        guard next > first else { return }
        exponent += sign == UInt8(ascii: "-") ? -value : value
        place = next
    }

    /// The number that a whole text is, blanks at its ends aside, or `nil`.
    @inline(__always)
    static func whole(_ text: Span<UInt8>) -> Double? {
        var index = 0, end = text.count
        while index < end, text[index] <= 0x20 { index += 1 }
        while end > index, text[end - 1] <= 0x20 { end -= 1 }
        guard let number = number(in: text, at: &index), index == end else { return nil }
        return number
    }

    private static func longNumber(_ text: Span<UInt8>, from start: Int, to end: Int, _ index: inout Int) -> Double? {
        guard end - start <= maximumLength else { return nil }
        var bytes: [UInt8] = []
        for place in start..<end { bytes.append(text[place]) }
        guard let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite else { return nil }
        index = end
        return value
    }
}

extension Span<UInt8> {
    /// Whether it has the bytes of an array.
    func isSame(as bytes: [UInt8]) -> Bool {
        guard count == bytes.count else { return false }
        for index in indices where self[index] != bytes[index] { return false }
        return true
    }
}

extension StringProtocol {
    /// The number that the whole text is, blanks at its ends aside, or `nil`.
    var decimalValue: Double? { withBytes { DecimalScanner.whole($0) } }

    /// Lends the bytes of the text.
    func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        // The buffer is the text's own, read within the closure up to its count.
        if let result = utf8.withContiguousStorageIfAvailable({ unsafe body($0.span) }) { return result }
        let bytes = Array(utf8)
        return body(bytes.span)
    }
}
