/// Gathers the events of a document, or of one element after the other, into content.
final class XMLTreeBuilder: XMLHandler {
    private struct OpenElement {
        let node: Int
        /// The text that stands behind an element inside; it joins the one before at the end.
        var rest: [UInt8] = []
    }

    /// The outermost element, once it has ended.
    private(set) var root: XMLElement?
    private var nodes: [XMLContent.Node] = []
    private var attributes: [XMLContent.Attribute] = []
    private var bytes: [UInt8] = []
    private var open: [OpenElement] = []

    func startElement(_ tag: XMLStartTag) {
        let first = attributes.count
        let values = tag.values.bytes
        for item in tag.values.items {
            let start = bytes.count
            bytes.append(values.span.extracting(item.value))
            attributes.append(XMLContent.Attribute(name: item.name, value: start..<bytes.count))
        }
        open.append(OpenElement(node: nodes.count))
        nodes.append(
            XMLContent.Node(
                name: tag.qualifiedName, line: Int32(clamping: tag.line), attributeStart: Int32(first),
                attributeEnd: Int32(attributes.count), textStart: Int32(bytes.count), textEnd: Int32(bytes.count)))
    }

    func text(_ utf8: Span<UInt8>) {
        guard let last = open.last else { return }
        let text = nodes[last.node].text
        var start = 0
        if text.isEmpty, last.rest.isEmpty {
            // White space between elements is most of the text of such documents: it is never stored.
            while start < utf8.count, Self.isSpace(utf8[start]) { start += 1 }
            guard start < utf8.count else { return }
            nodes[last.node].textStart = Int32(bytes.count)
        } else if text.upperBound != bytes.count || !last.rest.isEmpty {
            return open[open.count - 1].rest.append(utf8)
        }
        bytes.append(utf8.extracting(start...))
        nodes[last.node].textEnd = Int32(bytes.count)
    }

    func endElement() {
        guard let element = open.popLast() else { return }
        if !element.rest.isEmpty {
            let text = nodes[element.node].text
            nodes[element.node].textStart = Int32(bytes.count)
            bytes += bytes[text] + element.rest
            nodes[element.node].textEnd = Int32(bytes.count)
        }
        let text = nodes[element.node].text
        var end = text.upperBound
        while end > text.lowerBound, Self.isSpace(bytes[end - 1]) { end -= 1 }
        nodes[element.node].textEnd = Int32(end)
        nodes[element.node].end = Int32(nodes.count)
        guard open.isEmpty else { return }
        root = XMLElement(root: XMLContent(nodes: nodes, attributes: attributes, bytes: bytes))
    }

    /// Makes room for another outermost element, as much as the last one took.
    func begin() {
        let (nodeCount, attributeCount, byteCount) = (nodes.count, attributes.count, bytes.count)
        root = nil
        nodes = []
        attributes = []
        bytes = []
        open.removeAll(keepingCapacity: true)
        // One large element among small ones is no reason to make room for it each time.
        nodes.reserveCapacity(min(nodeCount, 64))
        attributes.reserveCapacity(min(attributeCount, 64))
        bytes.reserveCapacity(min(byteCount, 4096))
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}

extension [UInt8] {
    /// Adds the bytes of a span.
    package mutating func append(_ bytes: Span<UInt8>) {
        // The buffer is read within the closure, up to its own count.
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
