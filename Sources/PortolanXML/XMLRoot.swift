/// The outermost element of a document, as its first bytes show it.
package struct XMLRoot: Hashable, Sendable {
    /// The name without its prefix.
    package let name: String
    /// The tag behind the name, as far as it was shown.
    package let rest: String

    /// Finds the first element behind declarations and comments, or gives `nil` when the bytes show none.
    package init?(_ start: ArraySlice<UInt8>) {
        // Without the zeros that every second byte of UTF-16 is, and byte order marks. What begins otherwise may hold XML, as an
        // archive does, and is none.
        var rest = start.filter { $0 != 0 }[...].drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF, 0xFE, 0xFF].contains($0) }
        // A declaration begins a document even if a program has written its complaints in front of it.
        if let declaration = rest.firstRange(of: Array("<?xml ".utf8))?.lowerBound,
            rest[..<declaration].allSatisfy({ $0 >= 0x20 || [0x0A, 0x0D, 0x09].contains($0) })
        {
            rest = rest[declaration...]
        }
        guard rest.first == UInt8(ascii: "<") else { return nil }
        while let bracket = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(bracket + 1)...]
            guard let next = rest.first else { return nil }
            if next == UInt8(ascii: "!") || next == UInt8(ascii: "?") {
                // Comments may hold anything, tags too.
                let end: [UInt8] = rest.starts(with: Array("!--".utf8)) ? Array("-->".utf8) : [UInt8(ascii: ">")]
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
