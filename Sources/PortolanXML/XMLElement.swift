/// An element with all that is in it.
///
/// It never changes. It is a place in the content of a document or a part of one, which all its elements share: what a
/// document holds is handed on many times and lies in a few arrays.
package struct XMLElement: Hashable, Sendable {
    fileprivate let content: XMLContent
    fileprivate let index: Int

    private var node: XMLContent.Node { content.nodes[index] }

    /// The name without its prefix.
    package var name: String { node.name.local }
    /// The prefix, empty when there is none.
    package var prefix: String { node.name.prefix }
    /// The namespace, or `nil` when there is none or the prefix is not declared.
    package var namespace: String? { node.name.namespace }
    /// The attributes in their order; namespace declarations are not among them.
    package var attributes: [XMLAttribute] {
        content.attributes[node.attributes].map { attribute in
            XMLAttribute(
                name: attribute.name.local, prefix: attribute.name.prefix, value: content.text(attribute.value))
        }
    }
    /// The elements directly inside, in their order.
    package var children: Children { Children(content: content, startIndex: index + 1, endIndex: Int(node.end)) }
    /// The text directly inside, joined, without white space at its ends.
    package var text: String { content.text(node.text) }
    /// Whether there is no text directly inside but white space.
    package var isTextEmpty: Bool { node.text.isEmpty }
    /// The line the start tag ends on, from 1.
    package var line: Int { Int(node.line) }

    /// Lends the bytes of ``text``, UTF-8.
    package func withText<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let text = node.text, bytes = content.bytes
        return try body(bytes.span.extracting(text))
    }

    package static func == (left: XMLElement, right: XMLElement) -> Bool {
        left.content === right.content && left.index == right.index
            || left.name == right.name && left.prefix == right.prefix && left.namespace == right.namespace
                && left.attributes == right.attributes && left.text == right.text && left.line == right.line
                && left.children.elementsEqual(right.children)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(text)
        hasher.combine(line)
        hasher.combine(children.count)
    }
}

extension XMLElement {
    /// The elements directly inside one; counting them costs as much as there are.
    package struct Children: Collection, Sendable {
        fileprivate let content: XMLContent
        package let startIndex: Int
        package let endIndex: Int

        package subscript(position: Int) -> XMLElement { XMLElement(content: content, index: position) }

        package func index(after place: Int) -> Int { Int(content.nodes[place].end) }
    }

    /// The outermost element of a content.
    init(root content: XMLContent) {
        self.content = content
        index = 0
    }

    /// The first child with a local name, whatever its namespace and, where none has it so, its case; or `nil`.
    package func child(_ name: String) -> XMLElement? {
        children.first { $0.name == name } ?? children.first { Self.matches($0.name, name, true) }
    }

    /// The children with a local name, whatever their namespace and, where none has it so, their case; in their order.
    package func children(_ name: String) -> [XMLElement] {
        let exact = children.filter { $0.name == name }
        return exact.isEmpty ? children.filter { Self.matches($0.name, name, true) } : exact
    }

    /// The element reached by following the first child of each name, or `nil`.
    package func descendant(_ path: String...) -> XMLElement? {
        var element = self
        for name in path {
            guard let next = element.child(name) else { return nil }
            element = next
        }
        return element
    }

    /// The value of the first attribute with a local name, whatever its prefix, or `nil`.
    package func attribute(_ name: String, ignoringCase: Bool = false) -> String? {
        for place in node.attributes where Self.matches(content.attributes[place].name.local, name, ignoringCase) {
            return content.text(content.attributes[place].value)
        }
        return nil
    }

    /// The text of the first child with a local name, or `nil` when there is none or it is empty.
    package func text(of name: String) -> String? {
        guard let child = child(name), !child.isTextEmpty else { return nil }
        return child.text
    }

    /// All text inside, of this element first and then of each child in turn, joined by blanks.
    package var allText: String {
        var pieces: [String] = []
        collectText(into: &pieces)
        return pieces.joined(separator: " ")
    }

    private func collectText(into pieces: inout [String]) {
        if !isTextEmpty { pieces.append(text) }
        for child in children { child.collectText(into: &pieces) }
    }

    private static func matches(_ name: String, _ wanted: String, _ ignoringCase: Bool) -> Bool {
        if name == wanted { return true }
        guard ignoringCase, name.utf8.count == wanted.utf8.count else { return false }
        return zip(name.utf8, wanted.utf8).allSatisfy { lowercase($0) == lowercase($1) }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte + 32 : byte }
}

/// The elements of a document or of a part of it: each before those inside it, all texts in one array.
final class XMLContent: Sendable {
    /// An element.
    struct Node {
        let name: XMLName
        let line: Int32
        /// The number of the first element behind it that is not inside it.
        var end: Int32 = 0
        let attributeStart: Int32
        let attributeEnd: Int32
        var textStart: Int32
        var textEnd: Int32

        var attributes: Range<Int> { Int(attributeStart)..<Int(attributeEnd) }
        var text: Range<Int> { Int(textStart)..<Int(textEnd) }
    }

    /// An attribute.
    struct Attribute {
        let name: XMLName
        /// Where its value lies in the bytes.
        let value: Range<Int>
    }

    let nodes: [Node]
    let attributes: [Attribute]
    let bytes: [UInt8]

    init(nodes: [Node], attributes: [Attribute], bytes: [UInt8]) {
        self.nodes = nodes
        self.attributes = attributes
        self.bytes = bytes
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

/// An attribute of an element.
package struct XMLAttribute: Hashable, Sendable {
    /// The name without its prefix.
    package let name: String
    /// The prefix, empty when there is none.
    package let prefix: String
    /// The value, with its references replaced.
    package let value: String

    package init(name: String, prefix: String = "", value: String) {
        self.name = name
        self.prefix = prefix
        self.value = value
    }
}
