extension [UInt8] {
    /// Appends text with the escaping of XML documents (XML 1.0, 2.4).
    ///
    /// Characters that XML does not allow become U+FFFD, and white space that a parser would normalise becomes
    /// references.
    package mutating func append(xml text: String, isAttribute: Bool = false) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": append(contentsOf: "&amp;".utf8)
            case "<": append(contentsOf: "&lt;".utf8)
            case ">": append(contentsOf: "&gt;".utf8)
            case "\"": append(contentsOf: "&quot;".utf8)
            case "\r": append(contentsOf: "&#13;".utf8)
            case "\t" where isAttribute, "\n" where isAttribute: append(contentsOf: "&#\(scalar.value);".utf8)
            case "\t", "\n": append(UInt8(scalar.value))
            case "\0"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": append(contentsOf: "\u{FFFD}".utf8)
            default: append(contentsOf: String(scalar).utf8)
            }
        }
    }

    /// Appends a finite number as `xsd:decimal`, which has no exponents, with all its digits; nothing for other
    /// numbers.
    package mutating func append(decimal value: Double) {
        guard value.isFinite else { return }
        let text = value.description
        guard let mark = text.firstIndex(of: "e") else {
            return append(contentsOf: (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8)
        }
        let digits = text[..<mark].filter(\.isNumber)
        let point = 1 + (Int(text[text.index(after: mark)...]) ?? 0)
        if value < 0 { append(UInt8(ascii: "-")) }
        if point <= 0 {
            append(contentsOf: "0.".utf8)
            append(contentsOf: repeatElement(UInt8(ascii: "0"), count: -point))
            append(contentsOf: digits.utf8)
        } else {
            append(contentsOf: digits.utf8)
            append(contentsOf: repeatElement(UInt8(ascii: "0"), count: Swift.max(point - digits.utf8.count, 0)))
        }
    }
}
