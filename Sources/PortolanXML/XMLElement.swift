/// An element with all that is in it.
///
/// It never changes. It is a place in the content of a document or a part of one, which all its elements share: what a
/// document holds is handed on many times and lies in a few arrays.
package struct XMLElement: Hashable, Sendable {
    let content: XMLContent
    let index: Int

    private var node: XMLContent.Node { content.nodes[index] }
    private var qualifiedName: XMLName { content.names[Int(node.name)] }

    /// The name without its prefix.
    package var name: String { qualifiedName.local }
    /// A number that all elements of the document with its name, prefix and namespace have, and no others.
    package var nameNumber: Int { Int(node.name) }
    /// The prefix, empty when there is none.
    package var prefix: String { qualifiedName.prefix }
    /// The namespace, or `nil` when there is none or the prefix is not declared.
    package var namespace: String? { qualifiedName.namespace }
    /// The attributes in their order; namespace declarations are not among them.
    package var attributes: [XMLAttribute] {
        content.attributes[node.attributes].map { attribute in
            let name = content.names[Int(attribute.name)]
            return XMLAttribute(name: name.local, prefix: name.prefix, value: content.text(attribute.value))
        }
    }
    /// The elements directly inside, in their order.
    package var children: Children { Children(content: content, startIndex: index + 1, endIndex: Int(node.end)) }
    /// Whether there are attributes, namespace declarations aside.
    package var hasAttributes: Bool { !node.attributes.isEmpty }
    /// Whether there are elements directly inside.
    package var hasChildren: Bool { Int(node.end) > index + 1 }
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
        try content.withBytes(node.text, body)
    }

    /// The number of the name in a vocabulary, or 0 where it is none of it.
    package func code(in vocabulary: XMLVocabulary) -> UInt8 {
        content.vocabulary === vocabulary ? node.code : vocabulary.code(of: name)
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
        let content: XMLContent
        package let startIndex: Int
        package let endIndex: Int

        package subscript(position: Int) -> XMLElement { XMLElement(content: content, index: position) }

        package func index(after place: Int) -> Int { Int(content.nodes[place].end) }

        package func makeIterator() -> Iterator { Iterator(content: content, place: startIndex, end: endIndex) }

        package struct Iterator: IteratorProtocol {
            let content: XMLContent
            var place: Int
            let end: Int

            package mutating func next() -> XMLElement? {
                guard place < end else { return nil }
                defer { place = Int(content.nodes[place].end) }
                return XMLElement(content: content, index: place)
            }
        }
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
        for place in node.attributes {
            let attribute = content.attributes[place]
            let own = content.names[Int(attribute.name)].local
            guard own == name || ignoringCase && Self.matches(own, name, true) else { continue }
            return content.text(attribute.value)
        }
        return nil
    }

    /// Lends the bytes of that value with the same letters, UTF-8, or gives `nil` where there is none.
    package func withAttribute<Result>(_ name: String, _ body: (Span<UInt8>) -> Result) -> Result? {
        for place in node.attributes where content.names[Int(content.attributes[place].name)].local == name {
            return content.withBytes(content.attributes[place].value, body)
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
