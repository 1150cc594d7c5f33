/// Percent-encoding of what goes into a URL (RFC 3986, clause 2).
package enum PercentEncoding {
    /// `text` as the value of a query parameter.
    ///
    /// Letters, digits, `-._~` and the readable `,:/` stay; all else, `+` and blanks among it, is encoded as UTF-8.
    package static func value(_ text: String) -> String { encode(text, keeping: ",:/") }

    /// `text` as one of the values of a parameter that lists several between commas.
    package static func listItem(_ text: String) -> String { encode(text, keeping: ":/") }

    /// `text` as what stands between two slashes of a path, or anywhere in a query.
    package static func pathPart(_ text: String) -> String { encode(text, keeping: ",:") }

    /// A URL, or a part of one, with what may not stand in any URL encoded and the rest untouched.
    ///
    /// A percent sign that begins no code is encoded, too, and so are brackets unless they stand about a host's number.
    ///
    /// - Parameter isStart: whether a host may stand in it.
    package static func repaired(_ url: String, isStart: Bool = true) -> String {
        let kept = encode(url, keeping: ":/?#[]@!$&'()*+,;=%")
        guard kept.utf8.contains(where: { $0 == 0x25 || $0 == 0x5B || $0 == 0x5D }) else { return kept }
        let bytes = Array(kept.utf8)
        let start = isStart ? bytes.firstRange(of: Array("://".utf8))?.upperBound ?? 0 : 0
        let host =
            start..<(start == 0 ? 0 : bytes[start...].firstIndex { [0x2F, 0x3F, 0x23].contains($0) } ?? bytes.count)
        func isDigit(_ index: Int) -> Bool {
            guard index < bytes.count else { return false }
            return (0x30...0x39).contains(bytes[index]) || (0x41...0x46).contains(bytes[index] & 0xDF)
        }
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
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) || kept.contains(byte) {
                result.append(byte)
            } else {
                result.append(0x25)
                result.append(hexDigit(byte >> 4))
                result.append(hexDigit(byte & 15))
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x41 + value - 10 }
}
