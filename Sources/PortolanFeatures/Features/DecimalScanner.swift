/// Parses decimal numbers in a text that contains many.
package enum DecimalScanner {
    /// The maximum length of a number in characters.
    private static let maximumLength = 1024

    /// Parses the number at an index, rounded to the nearest double, or returns `nil` if none starts there or it is not
    /// finite.
    ///
    /// A sign, digits before or after the point, and an exponent are accepted, as in `xsd:double` without its special
    /// values. `index` is advanced past the number, and unchanged if none exists.
    @inline(__always)
    package static func number(in text: Span<UInt8>, at index: inout Int) -> Double? {
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
            // Most fractions have up to eight digits, which are parsed together.
            if place + 8 <= count {
                let word = DecimalWord(text.eight(from: place))
                if word.digitCount > 0 {
                    mantissa = mantissa &* UInt64(bitPattern: DecimalWord.powers[word.digitCount]) &+ word.value
                    place += word.digitCount
                }
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

    /// Skips an exponent if `place` is at its letter.
    ///
    /// A letter without digits is not skipped.
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
            // For larger exponents the number is zero or infinite in any case.
            if value < 100_000 { value = value * 10 + Int(digit) }
            next += 1
        }
        guard next > first else { return }
        exponent += sign == UInt8(ascii: "-") ? -value : value
        place = next
    }

    /// Returns the number that a whole text represents, ignoring spaces at its ends, or `nil`.
    @inline(__always)
    package static func whole(_ text: Span<UInt8>) -> Double? {
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
    /// Returns whether the bytes are equal to those of an array.
    package func isSame(as bytes: [UInt8]) -> Bool {
        guard count == bytes.count else { return false }
        for index in indices where self[index] != bytes[index] { return false }
        return true
    }
}

extension StringProtocol {
    /// The number that the whole text represents, ignoring spaces at its ends, or `nil`.
    package var decimalValue: Double? { withBytes { DecimalScanner.whole($0) } }

    /// Calls a closure with the bytes of the text.
    package func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            if let text = self as? String { return body(text.utf8.span) }
            if let text = self as? Substring { return body(text.utf8.span) }
        }
        let bytes = Array(utf8)
        return body(bytes.span)
    }
}
