/// Eight bytes of a text, and the decimal digits at their start, computed without branches.
///
/// The first byte of the text is the lowest of the word.
struct DecimalWord {
    /// The bytes minus the code of the digit 0.
    private let bits: UInt64
    /// The number of leading digits.
    let digitCount: Int

    @inline(__always)
    init(_ eight: UInt64) {
        let bits = eight ^ 0x3030_3030_3030_3030
        // The highest bit of each byte above 9. Carries only affect bytes after the first of these.
        let others = ((bits &+ 0x7676_7676_7676_7676) | bits) & 0x8080_8080_8080_8080
        self.bits = bits
        digitCount = others.trailingZeroBitCount &>> 3
    }

    /// The value of the digits, of which there must be at least one.
    @inline(__always)
    var value: UInt64 {
        // The digits are shifted to make eight with leading zeros, and are then combined in pairs, fours and eights.
        let digits = bits &<< UInt64(truncatingIfNeeded: (8 &- digitCount) &* 8)
        let pairs = digits &* 10 &+ (digits &>> 8)
        let mask: UInt64 = 0x0000_00FF_0000_00FF
        let high = (pairs & mask) &* 0x000F_4240_0000_0064, low = (pairs &>> 16 & mask) &* 0x0000_2710_0000_0001
        return (high &+ low) &>> 32
    }

    /// Powers of ten up to the eighth.
    static let powers: [Int64] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000]
}

extension Span<UInt8> {
    /// Parses a decimal number with a point, up to seven digits before it and eight after it, and a comma or bracket
    /// after the number, as is common for coordinates.
    ///
    /// Returns `nil` for other forms, or close to the end of the text.
    ///
    /// `index` is advanced past the number.
    @inline(__always)
    func plainDecimal(at index: inout Int) -> Double? {
        var place = index
        guard place < count else { return nil }
        let isNegative = self[place] == UInt8(ascii: "-")
        place &+= isNegative ? 1 : 0
        let whole = DecimalWord(eight(from: place)), point = place &+ whole.digitCount
        // A leading zero before other digits is invalid.
        guard whole.digitCount > 0, whole.digitCount < 8, point < count, self[point] == UInt8(ascii: "."),
            whole.digitCount == 1 || self[place] != UInt8(ascii: "0")
        else { return nil }
        let fraction = DecimalWord(eight(from: point &+ 1)), count = fraction.digitCount
        let end = point &+ 1 &+ count
        // A comma or bracket excludes further digits and an exponent.
        guard count > 0, end < self.count, self[end] == UInt8(ascii: ",") || self[end] == UInt8(ascii: "]") else {
            return nil
        }
        // With at most fifteen digits, both operands are exact and the quotient is the nearest double (Clinger 1990).
        let power = DecimalWord.powers[count]
        let mantissa = Int64(bitPattern: whole.value) &* power &+ Int64(bitPattern: fraction.value)
        let magnitude = Double(mantissa) / Double(power)
        index = end
        return Double(bitPattern: magnitude.bitPattern | (isNegative ? 1 << 63 : 0))
    }
}

/// A byte sequence for comparisons with a text, eight bytes at a time.
struct ByteWords {
    /// The number of bytes.
    let count: Int
    private let words: [UInt64]

    init(_ bytes: some Collection<UInt8>) {
        var words = [UInt64](repeating: 0, count: (bytes.count + 7) / 8)
        for (place, byte) in bytes.enumerated() { words[place / 8] |= UInt64(byte) << UInt64(place % 8 * 8) }
        self.words = words
        count = bytes.count
    }

    /// Returns whether a text contains the sequence at an index, which must have seven more bytes after it.
    @inline(__always)
    func stands(in text: Span<UInt8>, at start: Int) -> Bool {
        let end = start &+ count
        var word = 0, place = start
        while end &- place > 8 {
            guard text.eight(from: place) == words[word] else { return false }
            place &+= 8
            word &+= 1
        }
        let others = UInt64(truncatingIfNeeded: (8 &- (end &- place)) &* 8)
        return (text.eight(from: place) ^ words[word]) &<< others == 0
    }
}
