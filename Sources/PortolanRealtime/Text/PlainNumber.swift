/// Locale-independent parsing and formatting of decimal numbers, without `nan`, `inf` and hexadecimal forms.
enum PlainNumber {
    /// Parses a finite number, ignoring spaces around it.
    ///
    /// Returns `nil` if it is invalid.
    static func double(_ text: some StringProtocol) -> Double? {
        let trimmed = text.drop { $0 == " " }
        var bytes = Substring(trimmed)
        while bytes.last == " " { bytes.removeLast() }
        guard !bytes.isEmpty, bytes.utf8.count <= 64,
            bytes.utf8.allSatisfy({ (48...57).contains($0) || [43, 45, 46, 69, 101].contains($0) }),
            let number = Double(bytes), number.isFinite
        else { return nil }
        return number
    }

    /// Returns degrees with six decimals (about a decimetre) and without an exponent.
    static func text(degrees: Double) -> String {
        let digits = "\(Int((min(abs(degrees), 999) * 1e6).rounded()) + 10_000_000_000)".dropFirst()
        return (degrees < 0 ? "-" : "") + "\(Int(digits.prefix(4)) ?? 0).\(digits.suffix(6))"
    }
}
