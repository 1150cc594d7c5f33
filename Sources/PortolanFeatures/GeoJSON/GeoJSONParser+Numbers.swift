extension GeoJSONParser {
    /// A number as it stands in the document.
    struct Number {
        /// The nearest value.
        ///
        /// Infinity where it is larger than any that can be kept, which RFC 8259 section 6 leaves to readers.
        var value: Double
        /// The number without sign and fraction, when it has no fraction and no exponent and fits; otherwise `nil`.
        var integer: Int?
    }

    /// How many bytes a number may have.
    private static let maximumNumberLength = 1024

    /// Reads a number at the cursor (RFC 8259 section 6), rounded to the nearest double.
    @inline(__always)
    mutating func number(_ text: Span<UInt8>) throws(GeoJSONError) -> Number {
        let start = position
        var index = start
        let isNegative = byte(text, index) == UInt8(ascii: "-")
        if isNegative { index += 1 }
        let firstDigit = index
        var mantissa: UInt64 = 0
        var digit = byte(text, index) &- UInt8(ascii: "0")
        while digit <= 9 {
            mantissa = mantissa &* 10 &+ UInt64(digit)
            index += 1
            digit = byte(text, index) &- UInt8(ascii: "0")
        }
        var digitCount = index - firstDigit
        guard digitCount > 0, digitCount == 1 || text[firstDigit] != UInt8(ascii: "0") else {
            throw malformedNumber(text, index)
        }
        var exponent = 0
        var isInteger = true
        if byte(text, index) == UInt8(ascii: ".") {
            isInteger = false
            let pointIndex = index
            index += 1
            digit = byte(text, index) &- UInt8(ascii: "0")
            while digit <= 9 {
                mantissa = mantissa &* 10 &+ UInt64(digit)
                index += 1
                digit = byte(text, index) &- UInt8(ascii: "0")
            }
            exponent = pointIndex + 1 - index
            guard exponent < 0 else { throw malformedNumber(text, index) }
            digitCount -= exponent
        }
        if byte(text, index) | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            index = try skipExponent(text, index, &exponent)
        }
        position = index
        if digitCount <= 19, let magnitude = JSONNumber.nearest(mantissa: mantissa, exponent: exponent) {
            let integer =
                isInteger && mantissa <= 1 << 63 ? Self.integer(mantissa, isNegative: isNegative) : nil
            return Number(value: isNegative ? -magnitude : magnitude, integer: integer)
        }
        return try longNumber(start, index)
    }

    /// A whole number, or `nil` for one that an `Int` cannot hold, minus zero among them.
    @inline(__always)
    private static func integer(_ magnitude: UInt64, isNegative: Bool) -> Int? {
        guard isNegative else { return Int(exactly: magnitude) }
        return magnitude == 0 ? nil : Int(truncatingIfNeeded: 0 &- magnitude)
    }

    /// Reads an exponent, the cursor `index` on its letter, and adds it to `exponent`; gives the place after it.
    private func skipExponent(_ text: Span<UInt8>, _ index: Int, _ exponent: inout Int) throws(GeoJSONError) -> Int {
        var index = index + 1
        let sign = byte(text, index)
        if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { index += 1 }
        let first = index
        var value = 0
        while true {
            let digit = byte(text, index) &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            // Beyond this the number is zero or too large whatever follows.
            if value < 100_000 { value = value * 10 + Int(digit) }
            index += 1
        }
        guard index > first else { throw malformedNumber(text, index) }
        exponent += sign == UInt8(ascii: "-") ? -value : value
        return index
    }

    /// A number with more digits or a larger exponent than the fast ways can do.
    private func longNumber(_ start: Int, _ end: Int) throws(GeoJSONError) -> Number {
        guard end - start <= Self.maximumNumberLength else {
            throw error(.invalidNumber, start, "a number of more than \(Self.maximumNumberLength) characters")
        }
        let text = String(decoding: bytes[start..<end], as: UTF8.self)
        guard let value = Double(text) else { throw error(.invalidNumber, start, "a number that cannot be read") }
        return Number(value: value, integer: Int(text))
    }

    private func malformedNumber(_ text: Span<UInt8>, _ index: Int) -> GeoJSONError {
        guard index < text.count else { return error(.truncated, text.count, "the document ends in a number") }
        return error(
            .invalidNumber, position,
            "a number must look like -12.5e3: digits before and after the point, no leading zero")
    }
}
