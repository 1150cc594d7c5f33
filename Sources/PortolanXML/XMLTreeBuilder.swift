/// Gathers the events of a document into a tree.
final class XMLTreeBuilder: XMLHandler {
    private struct OpenElement {
        let tag: XMLStartTag
        var text: [UInt8] = []
        var children: [XMLElement] = []
    }

    /// The outermost element, once it has ended.
    private(set) var root: XMLElement?
    private var open: [OpenElement] = []

    func startElement(_ tag: XMLStartTag) {
        open.append(OpenElement(tag: tag))
    }

    func text(_ utf8: Span<UInt8>) {
        guard !open.isEmpty else { return }
        let last = open.count - 1
        // White space between elements is most of the text of such documents: it is never stored.
        var start = 0
        if open[last].text.isEmpty {
            while start < utf8.count, Self.isSpace(utf8[start]) { start += 1 }
        }
        guard start < utf8.count else { return }
        // The buffer is read within the closure, up to its own count.
        unsafe utf8.extracting(start...).withUnsafeBufferPointer { unsafe open[last].text.append(contentsOf: $0) }
    }

    func endElement() {
        guard let element = open.popLast() else { return }
        var end = element.text.count
        while end > 0, Self.isSpace(element.text[end - 1]) { end -= 1 }
        let finished = XMLElement(
            name: element.tag.name, prefix: element.tag.prefix, namespace: element.tag.namespace,
            attributes: element.tag.attributes, children: element.children,
            text: String(decoding: element.text[..<end], as: UTF8.self), line: element.tag.line)
        if open.isEmpty {
            root = finished
        } else {
            open[open.count - 1].children.append(finished)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
