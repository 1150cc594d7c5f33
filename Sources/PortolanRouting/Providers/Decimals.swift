/// Numbers in addresses: plain decimals, never an exponent.
package enum Decimals {
    /// Seven decimals at most, a centimetre in degrees, without zeros at the end.
    package static func text(_ value: Double) -> String {
        // What is nowhere on earth is refused before it is written.
        let scaled = Int((max(-1e6, min(value.isNaN ? 0 : value, 1e6)) * 1e7).rounded())
        let digits = String(abs(scaled) % 10_000_000)
        var fraction = String(repeating: "0", count: 7 - digits.count) + digits
        while fraction.last == "0" { fraction.removeLast() }
        let sign = scaled < 0 ? "-" : ""
        return "\(sign)\(abs(scaled) / 10_000_000)" + (fraction.isEmpty ? "" : ".\(fraction)")
    }
}
