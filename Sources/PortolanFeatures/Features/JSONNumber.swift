/// Formats and parses JSON numbers (RFC 8259, section 6).
package enum JSONNumber {
    /// Returns the shortest text that reads back as `value`, without a redundant `.0`; `null` if it is not finite.
    package static func text(_ value: Double) -> String {
        guard value.isFinite else { return "null" }
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private static let powersOfTen: [UInt64] = {
        var powers: [UInt64] = [1]
        for _ in 1...19 { powers.append((powers.last ?? 1) &* 10) }
        return powers
    }()

    private static let exactPowers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// Returns the double nearest to `mantissa` · 10^`exponent`, ties to even, or `nil` if that needs multi-precision
    /// arithmetic.
    ///
    /// Two cases are exact. With a mantissa below 2⁵³ and a power of ten up to 10²² both are doubles, so that one
    /// multiplication or division rounds once (Clinger 1990). With any 64-bit mantissa and an exponent from -19 to 0,
    /// one division of 128 by 64 bits gives all bits that rounding needs; the remainder shows whether more bits follow.
    @inline(__always)
    static func nearest(mantissa: UInt64, exponent: Int) -> Double? {
        if mantissa <= 1 << 53 && exponent >= -22 && exponent <= 22 {
            let exact = Double(mantissa)
            return exponent < 0 ? exact / exactPowers[-exponent] : exact * exactPowers[exponent]
        }
        guard exponent <= 0 && exponent >= -19 else { return mantissa == 0 ? 0 : nil }
        return quotient(mantissa, powersOfTen[-exponent])
    }

    /// Returns the double nearest to `numerator` / `denominator`, both nonzero.
    private static func quotient(_ numerator: UInt64, _ denominator: UInt64) -> Double {
        let topShift = numerator.leadingZeroBitCount
        let bottomShift = denominator.leadingZeroBitCount
        // Both are shifted to set the top bit, and the numerator is halved, so that the quotient has 63 or 64 bits.
        let top = numerator &<< UInt64(topShift)
        let bottom = denominator &<< UInt64(bottomShift)
        let (quotient, remainder) = bottom.dividingFullWidth((top &>> 1, top &<< 63))
        // The lowest bit represents all following bits; it is at least 9 bits below the last bit kept.
        let sticky = quotient | (remainder == 0 ? 0 : 1)
        let scale = bottomShift - topShift - 63
        return Double(sign: .plus, exponent: scale, significand: Double(sticky))
    }
}
