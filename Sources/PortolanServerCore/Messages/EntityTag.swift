import PortolanFetch

/// An entity tag (RFC 9110, section 8.8.3): equal tags mean equal bytes.
package struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// The characters between the quotation marks.
    package let text: String

    /// Creates the tag of content identified by several strings together.
    package init(of parts: [String]) { self.init(Array(parts.joined(separator: "\0").utf8)) }

    /// Creates the tag of bytes.
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    package init(_ bytes: [UInt8]) { text = Self.hexadecimal(SHA256.hash(bytes).prefix(16)) }

    /// The tag in the syntax of header fields.
    package var description: String { "\"\(text)\"" }

    /// Returns whether the values of `If-None-Match` fields match this tag or contain `*` (RFC 9110, section 13.1.2).
    ///
    /// Tags are compared weakly (section 8.8.3.2). Invalid text is skipped up to the next comma.
    package func isNamed(by values: [String]) -> Bool {
        let list = Array(values.joined(separator: ",").utf8)
        if list.filter({ $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) == [UInt8(ascii: "*")] { return true }
        var rest = list[...]
        while !rest.isEmpty {
            rest = rest.drop { " \t,".utf8.contains($0) }
            if rest.starts(with: "W/".utf8) { rest = rest.dropFirst(2) }
            guard rest.first == UInt8(ascii: "\"") else {
                rest = rest.drop { $0 != UInt8(ascii: ",") }
                continue
            }
            rest.removeFirst()
            let tag = rest.prefix { $0 != UInt8(ascii: "\"") }
            rest = rest.dropFirst(tag.count)
            if !rest.isEmpty, tag.elementsEqual(text.utf8) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    /// Returns bytes as hexadecimal text, two digits per byte.
    package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        for byte in bytes {
            for digit in [byte >> 4, byte & 15] { text.append(digit + UInt8(ascii: digit < 10 ? "0" : "W")) }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
