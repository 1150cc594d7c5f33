/// Percent-encoding of URLs and their parts (RFC 3986, section 2.1).
///
/// Text is encoded as UTF-8. Letters, digits and `-._~` are never encoded; each function documents further exceptions.
package enum PercentEncoding {
    /// Decodes `%XX`, or returns `nil` if a `%` is not followed by two hexadecimal digits.
    package static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var decoded: [UInt8] = []
        var bytes = text.makeIterator()
        while let byte = bytes.next() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard let high = bytes.next()?.hexadecimalValue, let low = bytes.next()?.hexadecimalValue else {
                return nil
            }
            decoded.append(high << 4 | low)
        }
        return decoded
    }

    /// Encodes all characters except letters, digits and `-._~`.
    package static func component(_ text: String) -> String { encode(text, keeping: "") }

    /// Encodes the value of a query parameter, keeping `,:/` for readability.
    package static func value(_ text: String) -> String { encode(text, keeping: ",:/") }

    /// Encodes a value of a comma-separated list parameter, keeping `:/`.
    package static func listItem(_ text: String) -> String { encode(text, keeping: ":/") }

    /// Encodes a path segment, or a value in a query, keeping `,:=`.
    package static func pathPart(_ text: String) -> String { encode(text, keeping: ",:=") }

    /// Encodes a file path as the path of a URL, including `?`, `#` and `%` in names.
    package static func path(_ text: String) -> String { encode(text, keeping: "/!$&'()*+,;=:@") }

    /// Encodes every byte above 0x7F and keeps the rest.
    package static func nonASCII(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 > 0x7F }) else { return text }
        return encode(text) { $0 <= 0x7F }
    }

    /// Encodes only the characters of a URL, or a part of one, that are not allowed in any URL.
    ///
    /// This includes a percent sign without two digits, and brackets except around an IPv6 address.
    ///
    /// - Parameter isStart: whether the text may contain a host.
    package static func repaired(_ url: String, isStart: Bool = true) -> String {
        let kept = encode(url, keeping: ":/?#[]@!$&'()*+,;=%")
        guard kept.utf8.contains(where: { $0 == 0x25 || $0 == 0x5B || $0 == 0x5D }) else { return kept }
        let bytes = Array(kept.utf8)
        let start = isStart ? bytes.firstRange(of: Array("://".utf8))?.upperBound ?? 0 : 0
        let host =
            start..<(start == 0 ? 0 : bytes[start...].firstIndex { [0x2F, 0x3F, 0x23].contains($0) } ?? bytes.count)
        func isDigit(_ index: Int) -> Bool { index < bytes.count && bytes[index].hexadecimalValue != nil }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            if (byte == 0x5B || byte == 0x5D) && !host.contains(index) {
                result += byte == 0x5B ? [0x25, 0x35, 0x42] : [0x25, 0x35, 0x44]
                continue
            }
            result.append(byte)
            if byte == 0x25, !(isDigit(index + 1) && isDigit(index + 2)) { result += [0x32, 0x35] }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func encode(_ text: String, keeping kept: StaticString) -> String {
        let kept = Array(kept.description.utf8)
        return encode(text) { $0.isUnreserved || kept.contains($0) }
    }

    private static func encode(_ text: String, where isKept: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isKept(byte) {
                result.append(byte)
            } else {
                result.append(UInt8(ascii: "%"))
                result.append(digits[Int(byte >> 4)])
                result.append(digits[Int(byte & 15)])
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension UInt8 {
    package var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }
    package var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
    package var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

    package var hexadecimalValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x37
        case 0x61...0x66: self - 0x57
        default: nil
        }
    }

    /// Whether the character is unreserved (RFC 3986, section 2.3).
    package var isUnreserved: Bool { isASCIILetter || isASCIIDigit || "-._~".utf8.contains(self) }
}
