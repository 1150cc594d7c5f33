/// Scans the markup of a document just enough to measure its tags.
///
/// It must receive each byte before the parser does, so that tags that are too long are rejected before they are
/// parsed.
struct XMLTagScanner {
    private enum State {
        case text
        case markup
        case tag(quote: UInt8)
        case declaration(quote: UInt8, brackets: Int)
        case comment(returnsTo: Int?)
        case instruction(returnsTo: Int?)
        case characterData
    }

    private let limit: Int
    private let valueLimit: Int
    /// The number of quoted values in the current tag.
    private var valueCount = 0
    private var state = State.text
    /// The last bytes of the current construct, enough to recognise its kind or its end.
    private var recent: UInt64 = 0
    private var length = 0
    /// The current line, starting at 1.
    private(set) var line: Int

    init(limits: XMLLimits, line: Int) {
        limit = limits.tagLength
        // Namespace declarations look like attributes here.
        valueLimit = limits.attributeCount + limits.namespaceCount
        self.line = line
    }

    /// Scans the next bytes, and throws if a tag or declaration exceeds the limit.
    mutating func scan(_ bytes: Span<UInt8>) throws(XMLError) {
        var index = 0
        while index < bytes.count {
            switch state {
            case .text: index = scanText(bytes, from: index)
            case .tag(let quote): index = try scanTag(bytes, from: index, quote: quote)
            default:
                if bytes[index] == 0x0A { line += 1 }
                try step(bytes[index])
                index += 1
            }
        }
    }

    /// Scans text up to the next markup, and returns the index to continue at.
    private mutating func scanText(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var lines = 0, index = start
        defer { line += lines }
        while index < bytes.count {
            // Eight bytes at once, as long as none of them begins a tag.
            while index + 8 <= bytes.count {
                let eight = bytes.extracting(index..<index + 8)
                let word = (0..<8).reduce(UInt64(0)) { $0 | UInt64(eight[$1]) << UInt64(8 * $1) }
                guard Self.bytes(0x3C, in: word) == 0 else { break }
                lines += Self.bytes(0x0A, in: word).nonzeroBitCount
                index += 8
            }
            for _ in 0..<min(8, bytes.count - index) {
                let byte = bytes[index]
                index += 1
                if byte == 0x0A { lines += 1 }
                if byte == 0x3C {
                    open()
                    return index
                }
            }
        }
        return index
    }

    /// Returns the highest bit of each byte of a word that equals a byte.
    @inline(__always)
    private static func bytes(_ byte: UInt8, in word: UInt64) -> UInt64 {
        let other = word ^ (UInt64(byte) &* 0x0101_0101_0101_0101)
        return ~(((other & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F) | other) & 0x8080_8080_8080_8080
    }

    /// Scans a tag up to its end, and returns the index to continue at.
    private mutating func scanTag(_ bytes: Span<UInt8>, from start: Int, quote first: UInt8) throws(XMLError) -> Int {
        var quote = first
        var lines = 0
        let end = min(bytes.count, start + max(limit - length, 0) + 1)
        defer { line += lines }
        for index in start..<end {
            let byte = bytes[index]
            if byte == 0x0A { lines += 1 }
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == 0x3E {
                length += index + 1 - start
                state = .text
                try check("a tag")
                return index + 1
            } else if byte == 0x22 || byte == 0x27 {
                quote = byte
                valueCount += 1
                guard valueCount <= valueLimit else {
                    throw XMLError(.limit("a tag has more than \(valueLimit) attributes"), line: line + lines)
                }
            }
        }
        length += end - start
        state = .tag(quote: quote)
        try check("a tag")
        return end
    }

    private mutating func open() {
        state = .markup
        recent = 0x3C
        length = 1
        valueCount = 0
    }

    private mutating func step(_ byte: UInt8) throws(XMLError) {
        recent = recent << 8 | UInt64(byte)
        length += 1
        switch state {
        case .text, .tag: break
        case .markup: decideKind(byte)
        case .declaration(let quote, let brackets):
            stepDeclaration(byte, quote: quote, brackets: brackets)
            try check("the document type declaration")
        case .comment(let brackets):
            if recent & 0xFF_FFFF == 0x2D2D3E, length > 2 { resume(brackets) }
            if brackets != nil { try check("the document type declaration") }
        case .instruction(let brackets):
            if recent & 0xFFFF == 0x3F3E { resume(brackets) }
            if brackets != nil { try check("the document type declaration") }
        case .characterData:
            if recent & 0xFF_FFFF == 0x5D5D3E { state = .text }
        }
    }

    private mutating func decideKind(_ byte: UInt8) {
        switch (length, byte) {
        case (2, 0x3F): state = .instruction(returnsTo: nil)
        case (2, 0x21): break
        case (2, 0x3E): state = .text
        case (2, _): state = .tag(quote: 0)
        case (4, _) where recent & 0xFFFF_FFFF == 0x3C21_2D2D:
            state = .comment(returnsTo: nil)
            recent = 0
        case (9, _) where recent == 0x215B_4344_4154_415B:
            state = .characterData
            recent = 0
        case (9, _) where recent == 0x2144_4F43_5459_5045: state = .declaration(quote: 0, brackets: 0)
        case (9..., _), (_, 0x3E): state = byte == 0x3E ? .text : .tag(quote: 0)
        default: break
        }
    }

    private mutating func stepDeclaration(_ byte: UInt8, quote: UInt8, brackets: Int) {
        if quote != 0 {
            if byte == quote { state = .declaration(quote: 0, brackets: brackets) }
        } else if recent & 0xFFFF_FFFF == 0x3C21_2D2D {
            state = .comment(returnsTo: brackets)
            recent = 0
        } else if recent & 0xFFFF == 0x3C3F {
            state = .instruction(returnsTo: brackets)
            recent = 0
        } else if byte == 0x22 || byte == 0x27 {
            state = .declaration(quote: byte, brackets: brackets)
        } else if byte == 0x5B {
            state = .declaration(quote: 0, brackets: brackets + 1)
        } else if byte == 0x5D {
            state = .declaration(quote: 0, brackets: max(brackets - 1, 0))
        } else if byte == 0x3E, brackets == 0 {
            state = .text
        }
    }

    private mutating func resume(_ brackets: Int?) {
        if let brackets {
            state = .declaration(quote: 0, brackets: brackets)
        } else {
            state = .text
        }
    }

    private func check(_ what: String) throws(XMLError) {
        guard length <= limit else {
            throw XMLError(.limit("\(what) exceeds \(limit) bytes"), line: line)
        }
    }
}
