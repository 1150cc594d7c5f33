import PortolanWeb

/// The root element of a document, determined from its first bytes.
package struct XMLRoot: Hashable, Sendable {
    /// The local name.
    package let name: String
    /// The part of the tag after the name, as far as it is available.
    package let rest: String

    /// Finds the first element after declarations and comments, or returns `nil` if the bytes contain none.
    package init?(_ start: ArraySlice<UInt8>) {
        // Ignores the zeros of UTF-16 and byte order marks. Content with another start may contain XML, as archives do,
        // but is not an XML document.
        var rest = start.filter { $0 != 0 }[...].drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF, 0xFE, 0xFF].contains($0) }
        // A declaration begins a document even after messages written by a program.
        if let declaration = rest.firstRange(of: "<?xml ")?.lowerBound,
            rest[..<declaration].allSatisfy({ $0 >= 0x20 || [0x0A, 0x0D, 0x09].contains($0) })
        {
            rest = rest[declaration...]
        }
        guard rest.first == UInt8(ascii: "<") else { return nil }
        while let bracket = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(bracket + 1)...]
            guard let next = rest.first else { return nil }
            if next == UInt8(ascii: "!") || next == UInt8(ascii: "?") {
                // Comments may contain anything, including tags.
                let end = rest.starts(with: "!--".utf8) ? "-->" : ">"
                guard let found = rest.firstRange(of: end) else { return nil }
                rest = rest[found.upperBound...]
                continue
            }
            let name = rest.prefix { ![0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ">"), UInt8(ascii: "/")].contains($0) }
            let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
            self.name = String(decoding: local, as: UTF8.self)
            self.rest = String(
                decoding: rest[name.endIndex...].prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
            return
        }
        return nil
    }
}
