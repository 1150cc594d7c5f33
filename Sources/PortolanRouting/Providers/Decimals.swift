/// Formats numbers in URLs as plain decimals without exponents.
package enum Decimals {
    /// Returns at most seven decimals (one centimetre in degrees) without trailing zeros.
    package static func text(_ value: Double) -> String {
        // Invalid coordinates are rejected before they are formatted.
        let scaled = Int((max(-1e6, min(value.isNaN ? 0 : value, 1e6)) * 1e7).rounded())
        let digits = String(abs(scaled) % 10_000_000)
        var fraction = String(repeating: "0", count: 7 - digits.count) + digits
        while fraction.last == "0" { fraction.removeLast() }
        let sign = scaled < 0 ? "-" : ""
        return "\(sign)\(abs(scaled) / 10_000_000)" + (fraction.isEmpty ? "" : ".\(fraction)")
    }
}
