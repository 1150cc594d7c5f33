import PortolanFetch

/// What tells representations apart (RFC 9110, section 8.8.3): equal tags, equal bytes.
package struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// The letters between the quotation marks.
    package let text: String

    /// The tag of what is known by some texts together.
    package init(of parts: [String]) { self.init(Array(parts.joined(separator: "\0").utf8)) }

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
        var text: [UInt8] = []
        for byte in bytes {
            for digit in [byte >> 4, byte & 15] { text.append(digit + UInt8(ascii: digit < 10 ? "0" : "W")) }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
