import PortolanFetch

/// What tells representations apart (RFC 9110, section 8.8.3): equal tags, equal bytes.
package struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// The letters between the quotation marks.
    package let text: String

    /// The tag of a picture that is known by what it is made of, before it is drawn: each worker finds the same.
    package init(of parts: [String]) {
        var bytes: [UInt8] = []
        for part in parts { bytes += Array(part.utf8) + [0] }
        self.init(bytes)
    }

    /// The tag of some bytes.
    ///
    /// - Complexity: O(bytes).
    package init(_ bytes: [UInt8]) { text = Self.hexadecimal(SHA256.hash(bytes).prefix(16)) }

    /// The tag as header fields have it.
    package var description: String { "\"\(text)\"" }

    /// Whether the value of an `If-None-Match` names this representation (RFC 9110, section 13.1.2); weak ones count.
    package func isNamed(by value: String) -> Bool {
        value.split(separator: ",").contains { part in
            var tag = part.drop { $0 == " " || $0 == "\t" }
            while let last = tag.last, last == " " || last == "\t" { tag.removeLast() }
            if tag == "*" { return true }
            if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
            return tag == description
        }
    }

    /// Two digits a byte.
    package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
