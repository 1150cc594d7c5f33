/// Collects elements into content, for one document or fragment after the other.
struct XMLContentBuilder {
    /// The length of the document whose bytes are referenced by ranges, or 0 if all texts are copied.
    private let documentLength: Int
    private var nodes: [XMLContent.Node] = []
    private var attributes: [XMLContent.Attribute] = []
    /// The bytes that are not part of the document.
    private var bytes: [UInt8] = []
    /// The indices of the open elements.
    private var open: [Int] = []
    /// The text of open elements after a child element, joined with the text before it at the end.
    private var rests: [(depth: Int, text: [UInt8])] = []

    init(documentLength: Int) { self.documentLength = documentLength }

    /// The number of open elements.
    var depth: Int { open.count }
    /// The number of elements.
    var count: Int { nodes.count }

    /// Removes everything, for another root element.
    mutating func removeAll() {
        nodes.removeAll(keepingCapacity: true)
        attributes.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: bytes.count <= 4096)
        open.removeAll(keepingCapacity: true)
        rests.removeAll()
    }

    /// Whether the innermost element has text after a child element.
    private var hasRest: Bool { !rests.isEmpty && rests[rests.count - 1].depth == open.count }

    /// Begins an element, whose attributes are then added.
    mutating func start(name: Int, code: UInt8, line: Int) {
        open.append(nodes.count)
        let end = Int32(documentLength + bytes.count)
        nodes.append(
            XMLContent.Node(
                name: Int32(name), code: code, line: Int32(clamping: line), attributeStart: Int32(attributes.count),
                attributeEnd: Int32(attributes.count), textStart: end, textEnd: end))
    }

    /// Adds an attribute whose value is part of the document.
    @inline(__always)
    mutating func add(_ attribute: XMLContent.Attribute) {
        attributes.append(attribute)
        nodes[nodes.count - 1].attributeEnd = Int32(attributes.count)
    }

    /// Adds an attribute and copies its value.
    mutating func add(name: Int, copying value: Span<UInt8>) {
        let start = documentLength + bytes.count
        bytes.append(value)
        add(XMLContent.Attribute(name: name, value: start..<(documentLength + bytes.count)))
    }

    /// Adds text that is part of the document.
    @inline(__always)
    mutating func add(_ range: Range<Int>, of document: Span<UInt8>) {
        guard let last = open.last else { return }
        let text = nodes[last].text
        var start = range.lowerBound
        if text.isEmpty, !hasRest {
            // White space between elements is most of the text of such documents; it is not stored.
            while start < range.upperBound, Self.isSpace(document[start]) { start += 1 }
            guard start < range.upperBound else { return }
            nodes[last].text = start..<range.upperBound
        } else if text.upperBound == start, text.lowerBound < documentLength, !hasRest {
            nodes[last].text = text.lowerBound..<range.upperBound
        } else {
            add(copying: document.extracting(range), document)
        }
    }

    /// Adds text and copies it.
    mutating func add(copying piece: Span<UInt8>, _ document: Span<UInt8>) {
        guard let last = open.last else { return }
        var text = nodes[last].text
        var start = 0
        if text.isEmpty, !hasRest {
            while start < piece.count, Self.isSpace(piece[start]) { start += 1 }
            guard start < piece.count else { return }
            text = (documentLength + bytes.count)..<(documentLength + bytes.count)
        } else if !hasRest, last == nodes.count - 1, text.lowerBound < documentLength {
            // The previous text is part of the document and directly precedes this one.
            let first = documentLength + bytes.count
            bytes.append(document.extracting(text))
            text = first..<(documentLength + bytes.count)
        } else if hasRest || text.lowerBound < documentLength
            || text.upperBound != documentLength + bytes.count
        {
            if !hasRest { rests.append((open.count, [])) }
            return rests[rests.count - 1].text.append(piece)
        }
        bytes.append(piece.extracting(start...))
        nodes[last].text = text.lowerBound..<(documentLength + bytes.count)
    }

    /// Ends the innermost element.
    mutating func end(_ document: Span<UInt8>) {
        guard let element = open.last else { return }
        var text = nodes[element].text
        if hasRest, let rest = rests.popLast() {
            let start = documentLength + bytes.count
            if text.lowerBound < documentLength {
                bytes.append(document.extracting(text))
            } else {
                bytes += bytes[(text.lowerBound - documentLength)..<(text.upperBound - documentLength)]
            }
            bytes += rest.text
            text = start..<(documentLength + bytes.count)
        }
        var end = text.upperBound
        if text.lowerBound < documentLength {
            while end > text.lowerBound, Self.isSpace(document[end - 1]) { end -= 1 }
        } else {
            while end > text.lowerBound, Self.isSpace(bytes[end - 1 - documentLength]) { end -= 1 }
        }
        nodes[element].text = text.lowerBound..<end
        nodes[element].end = Int32(nodes.count)
        open.removeLast()
    }

    /// Returns the root element, once it has ended.
    func root(names: [XMLName], document: [UInt8], vocabulary: XMLVocabulary?) -> XMLElement {
        XMLElement(
            root: XMLContent(
                nodes: Array(nodes[...]), attributes: attributes.isEmpty ? [] : Array(attributes[...]), names: names,
                document: document, rest: bytes, vocabulary: vocabulary))
    }

    @inline(__always)
    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}

extension [UInt8] {
    /// Appends the bytes of a span.
    package mutating func append(_ bytes: Span<UInt8>) {
        // The buffer is read within the closure, up to its own count.
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
