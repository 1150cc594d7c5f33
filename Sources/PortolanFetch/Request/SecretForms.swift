import PortolanWeb

/// The encoded forms in which a secret may be repeated.
enum SecretForms {
    /// Returns all forms in lower case.
    static func all(of value: String) -> Set<[UInt8]> {
        // Short secrets would match unrelated text in their encoded forms.
        guard value.utf8.count >= Secrets.shortest else { return [] }
        var texts: Set<String> = [value, value.inOneLine]
        // Single percent-encoding is decoded while searching; double encoding and form encoding are not.
        let encoded = PercentEncoding.component(value)
        texts.formUnion([encoded, encoded.replacing("%20", with: "+"), PercentEncoding.component(encoded)])
        texts.formUnion(json(value))
        texts.formUnion(markup(value))
        texts.formUnion(base64(Array(value.utf8)))
        return Set(texts.map { $0.utf8.map(\.asciiLowercased) })
    }

    /// Returns the value as a JSON string (RFC 8259, section 7), with minimal and with maximal escaping.
    private static func json(_ value: String) -> [String] {
        let plain = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let cautious = value.utf16.map { unit in
            let isPlain = unit < 0x7F && unit >= 0x20 && !"\"\\<>&'+".utf16.contains(unit)
            guard !isPlain else { return String(UnicodeScalar(UInt8(unit))) }
            return "\\u" + String(repeating: "0", count: 4 - String(unit, radix: 16).count) + String(unit, radix: 16)
        }
        return [plain, plain.replacing("/", with: "\\/"), cautious.joined()]
    }

    /// Returns the value as XML and HTML text, in the variants that libraries produce.
    private static func markup(_ value: String) -> [String] {
        let basic = value.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        let quoted = basic.replacing("\"", with: "&quot;")
        let numbers = value.unicodeScalars.map { scalar in
            "&<>\"'".unicodeScalars.contains(scalar) ? "&#\(scalar.value);" : String(scalar)
        }
        return [basic, quoted, numbers.joined()]
            + ["&apos;", "&#39;", "&#039;", "&#x27;"].map { quoted.replacing("'", with: $0) }
    }

    /// Returns the value in base 64 with the alphabets of RFC 4648, sections 4 and 5: alone, and as part of a longer
    /// text.
    ///
    /// As part of a longer text, such as a password after a name, only the digits that do not depend on the neighbours
    /// are used.
    private static func base64(_ bytes: [UInt8]) -> [String] {
        var texts = [Base64.encode(bytes)]
        for offset in 0..<3 {
            let digits = Array(Base64.encode(Array(repeating: 0, count: offset) + bytes).utf8)
            let first = (offset * 8 + 5) / 6, end = (offset + bytes.count) * 8 / 6
            // Fewer digits would match unrelated text.
            if end - first >= 8 { texts.append(String(decoding: digits[first..<end], as: UTF8.self)) }
        }
        return texts + texts.map { $0.replacing("+", with: "-").replacing("/", with: "_") }
    }
}
