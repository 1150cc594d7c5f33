/// An element with its content.
///
/// It is immutable: an index into the content of a document or fragment, which all its elements share, so that elements
/// can be copied cheaply.
package struct XMLElement: Hashable, Sendable {
    let content: XMLContent
    let index: Int

    private var node: XMLContent.Node { content.nodes[index] }
    private var qualifiedName: XMLName { content.names[Int(node.name)] }

    /// The local name.
    package var name: String { qualifiedName.local }
    /// A number shared by exactly the elements of the document with the same name, prefix and namespace.
    package var nameNumber: Int { Int(node.name) }
    /// The prefix, empty without one.
    package var prefix: String { qualifiedName.prefix }
    /// The namespace, or `nil` without one or with an undeclared prefix.
    package var namespace: String? { qualifiedName.namespace }
    /// The attributes in order, without namespace declarations.
    package var attributes: [XMLAttribute] {
        content.attributes[node.attributes].map { attribute in
            let name = content.names[Int(attribute.name)]
            return XMLAttribute(name: name.local, prefix: name.prefix, value: content.text(attribute.value))
        }
    }
    /// The child elements in order.
    package var children: Children { Children(content: content, startIndex: index + 1, endIndex: Int(node.end)) }
    /// Whether it has attributes other than namespace declarations.
    package var hasAttributes: Bool { !node.attributes.isEmpty }
    /// Whether it has child elements.
    package var hasChildren: Bool { Int(node.end) > index + 1 }
    /// The joined text of the element without its descendants, without surrounding white space.
    package var text: String { content.text(node.text) }
    /// Whether the element itself contains only white space as text.
    package var isTextEmpty: Bool { node.text.isEmpty }
    /// The line on which the start tag ends, starting at 1.
    package var line: Int { Int(node.line) }

    /// Calls `body` with the bytes of ``text``, in UTF-8.
    package func withText<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try content.withBytes(node.text, body)
    }

    /// Returns the number of the name in a vocabulary, or 0 if it is not in it.
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
    /// The child elements of an element; counting them is O(*n*).
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

    /// Creates the root element of a content.
    init(root content: XMLContent) {
        self.content = content
        index = 0
    }

    /// Returns the first child with a local name in any namespace, or `nil`.
    ///
    /// Case is ignored only if no name matches exactly.
    package func child(_ name: String) -> XMLElement? {
        children.first { $0.name == name } ?? children.first { Self.matches($0.name, name, true) }
    }

    /// Returns the children with a local name in any namespace, in order.
    ///
    /// Case is ignored only if no name matches exactly.
    package func children(_ name: String) -> [XMLElement] {
        let exact = children.filter { $0.name == name }
        return exact.isEmpty ? children.filter { Self.matches($0.name, name, true) } : exact
    }

    /// Returns the element found by following the first child of each name, or `nil`.
    package func descendant(_ path: String...) -> XMLElement? {
        var element = self
        for name in path {
            guard let next = element.child(name) else { return nil }
            element = next
        }
        return element
    }

    /// Returns the value of the first attribute with a local name and any prefix, or `nil`.
    package func attribute(_ name: String, ignoringCase: Bool = false) -> String? {
        for place in node.attributes {
            let attribute = content.attributes[place]
            let own = content.names[Int(attribute.name)].local
            guard own == name || ignoringCase && Self.matches(own, name, true) else { continue }
            return content.text(attribute.value)
        }
        return nil
    }

    /// Calls `body` with the UTF-8 bytes of an attribute with exactly this local name, or returns `nil` without one.
    package func withAttribute<Result>(_ name: String, _ body: (Span<UInt8>) -> Result) -> Result? {
        for place in node.attributes where content.names[Int(content.attributes[place].name)].local == name {
            return content.withBytes(content.attributes[place].value, body)
        }
        return nil
    }

    /// Returns the text of the first child with a local name, or `nil` if it is missing or empty.
    package func text(of name: String) -> String? {
        guard let child = child(name), !child.isTextEmpty else { return nil }
        return child.text
    }

    /// All text of this element and then of its children, recursively, joined by spaces.
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
    /// The local name.
    package let name: String
    /// The prefix, empty without one.
    package let prefix: String
    /// The value, with references resolved.
    package let value: String

    package init(name: String, prefix: String = "", value: String) {
        self.name = name
        self.prefix = prefix
        self.value = value
    }
}
