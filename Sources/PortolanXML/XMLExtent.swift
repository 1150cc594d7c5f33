/// The range of an XML document within bytes with other content around it.
struct XMLExtent {
    /// The range from the declaration, or whatever comes first, to the end of the root element.
    let range: Range<Int>
    /// The XML declaration.
    let declaration: Range<Int>?
    /// The document type declaration.
    let documentType: Range<Int>?
    /// The first byte before the document other than white space and an initial byte order mark.
    let strayBefore: Int?
    /// The first byte after it that is not allowed there.
    let strayAfter: Int?

    private struct Prolog {
        var start: Int?
        var declaration: Range<Int>?
        var documentType: Range<Int>?
    }

    /// The HTML elements without a required end tag; they are not root elements of documents.
    private static let emptyElements: Set<String> = ["br", "hr", "img", "input", "link", "meta", "p", "wbr"]

    /// Finds the document: the longest top-level element.
    ///
    /// An XML declaration begins a document at any position.
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    init?(of bytes: [UInt8]) {
        var place = 0, depth = 0, start = 0
        var prolog = Prolog()
        var best: (range: Range<Int>, prolog: Prolog)?
        while place < bytes.count {
            guard bytes[place] == UInt8(ascii: "<") else {
                let end = bytes[place...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
                if depth == 0, prolog.start != nil, bytes[place..<end].contains(where: { $0 > 0x20 }) {
                    prolog = Prolog()
                }
                place = end
                continue
            }
            let construct = XMLConstruct(in: bytes, at: place)
            let range = place..<construct.end
            place = construct.end
            switch construct.kind {
            case .declaration:
                depth = 0
                prolog = Prolog(start: range.lowerBound, declaration: range)
            case .comment, .instruction: if depth == 0, prolog.start == nil { prolog.start = range.lowerBound }
            case .documentType:
                guard depth == 0 else { continue }
                prolog.start = prolog.start ?? range.lowerBound
                prolog.documentType = range
            case .startTag(let isEmpty):
                if depth == 0 { start = range.lowerBound }
                if !isEmpty, depth > 0 || !Self.emptyElements.contains(Self.name(bytes, range)) {
                    depth += 1
                    continue
                }
                if depth > 0 { continue }
            case .endTag:
                guard depth > 0 else { continue }
                depth -= 1
                if depth > 0 { continue }
            case .characterData, .none: continue
            }
            guard depth == 0, construct.endsElement else { continue }
            if range.upperBound - start > best?.range.count ?? 0 { best = (start..<range.upperBound, prolog) }
            prolog = Prolog()
        }
        if depth > 0, bytes.count - start > best?.range.count ?? 0 {
            // The end is missing; the following parse reports where.
            best = (start..<bytes.count, prolog)
        }
        guard let best else { return nil }
        let first = best.prolog.start ?? best.range.lowerBound
        self.range = first..<best.range.upperBound
        declaration = best.prolog.declaration
        documentType = best.prolog.documentType
        let before = bytes[..<first]
        let mark = before.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        strayBefore = before.dropFirst(mark).firstIndex { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }
        strayAfter = Self.stray(in: bytes, from: best.range.upperBound)
        guard strayBefore != nil || strayAfter != nil, declaration == nil else { return }
        // A message with some bold words is not a document.
        let rest = before.count + bytes.count - range.upperBound
        guard rest <= range.count || !Self.inlineElements.contains(Self.name(bytes, best.range)) else { return nil }
    }

    /// The HTML elements used in messages.
    private static let inlineElements: Set<String> = [
        "a", "b", "i", "u", "tt", "em", "strong", "font", "span", "div", "center", "pre", "code", "table", "ul", "ol",
        "dl",
        "h1", "h2", "h3", "h4", "h5", "h6", "head", "body", "title", "script", "style", "blockquote", "small",
    ]

    private static func name(_ bytes: [UInt8], _ tag: Range<Int>) -> String {
        String(
            decoding: bytes[tag].dropFirst().prefix(16).prefix { $0 > 0x20 && $0 != 0x3E && $0 != 0x2F }, as: UTF8.self
        )
        .lowercased()
    }

    /// Returns the first byte from an index that is not white space, a comment or a processing instruction.
    private static func stray(in bytes: [UInt8], from start: Int) -> Int? {
        var place = start
        while place < bytes.count {
            if [0x20, 0x0A, 0x0D, 0x09].contains(bytes[place]) {
                place += 1
                continue
            }
            guard bytes[place] == UInt8(ascii: "<") else { return place }
            let construct = XMLConstruct(in: bytes, at: place)
            switch construct.kind {
            case .comment, .instruction: place = construct.end
            default: return place
            }
        }
        return nil
    }
}

/// The kind and extent of a piece of markup, determined by its delimiters.
struct XMLConstruct {
    enum Kind: Equatable {
        /// A `<` that does not begin markup.
        case none
        case declaration, instruction, comment, characterData, documentType
        case startTag(isEmpty: Bool)
        case endTag
    }

    let kind: Kind
    /// The offset after it; the end of the bytes if it is not terminated.
    let end: Int

    /// Whether it may end an element.
    var endsElement: Bool {
        switch kind {
        case .startTag, .endTag: true
        default: false
        }
    }

    /// Measures the markup that begins with a `<`.
    init(in bytes: [UInt8], at start: Int) {
        let rest = bytes[start...]
        func starts(_ text: StaticString) -> Bool {
            rest.count >= text.utf8CodeUnitCount && rest.starts(with: text.description.utf8)
        }
        guard start + 1 < bytes.count else {
            (kind, end) = (.none, start + 1)
            return
        }
        switch bytes[start + 1] {
        case UInt8(ascii: "?"):
            let isDeclaration = starts("<?xml") && start + 5 < bytes.count && bytes[start + 5] <= 0x20
            kind = isDeclaration ? .declaration : .instruction
            end = Self.end(of: [0x3F, 0x3E], in: bytes, from: start + 2)
        case UInt8(ascii: "!"):
            if starts("<!--") {
                (kind, end) = (.comment, Self.end(of: [0x2D, 0x2D, 0x3E], in: bytes, from: start + 4))
            } else if starts("<![CDATA[") {
                (kind, end) = (.characterData, Self.end(of: [0x5D, 0x5D, 0x3E], in: bytes, from: start + 9))
            } else {
                (kind, end) = (.documentType, Self.endOfDocumentType(in: bytes, from: start + 2))
            }
        case UInt8(ascii: "/"):
            (kind, end) = (.endTag, Self.end(of: [0x3E], in: bytes, from: start + 2))
        case let first where (0x41...0x5A).contains(first & 0xDF) || first == 0x5F || first == 0x3A || first >= 0x80:
            end = Self.endOfTag(in: bytes, from: start + 1)
            kind = .startTag(isEmpty: bytes[end - 1] == 0x3E && bytes[end - 2] == 0x2F)
        default: (kind, end) = (.none, start + 1)
        }
    }

    private static func end(of mark: [UInt8], in bytes: [UInt8], from start: Int) -> Int {
        var place = start
        while place + mark.count <= bytes.count {
            if bytes[place] == mark[0], bytes[place..<(place + mark.count)].elementsEqual(mark) {
                return place + mark.count
            }
            place += 1
        }
        return bytes.count
    }

    private static func endOfTag(in bytes: [UInt8], from start: Int) -> Int {
        var place = start, quote: UInt8 = 0
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == 0x22 || byte == 0x27 {
                quote = byte
            } else if byte == 0x3E {
                break
            }
        }
        return place
    }

    private static func endOfDocumentType(in bytes: [UInt8], from start: Int) -> Int {
        var place = start, quote: UInt8 = 0, brackets = 0
        while place < bytes.count {
            let byte = bytes[place]
            if quote == 0, bytes[place...].starts(with: [0x3C, 0x21, 0x2D, 0x2D]) {
                // Quotes in a comment have no meaning.
                place = end(of: [0x2D, 0x2D, 0x3E], in: bytes, from: place + 4)
                continue
            }
            place += 1
            switch byte {
            case _ where quote != 0: if byte == quote { quote = 0 }
            case 0x22, 0x27: quote = byte
            case 0x5B: brackets += 1
            case 0x5D: brackets = max(brackets - 1, 0)
            case 0x3E where brackets == 0: return place
            default: break
            }
        }
        return place
    }
}
