/// An element with all that is in it.
///
/// It never changes, so that many may hold it; it is an object since what a document holds is handed on many times.
package final class XMLElement: Hashable, Sendable {
    /// The name without its prefix.
    package let name: String
    /// The prefix, empty when there is none.
    package let prefix: String
    /// The namespace, or `nil` when there is none or the prefix is not declared.
    package let namespace: String?
    /// The attributes in their order; namespace declarations are not among them.
    package let attributes: [XMLAttribute]
    /// The elements directly inside, in their order.
    package let children: [XMLElement]
    /// The text directly inside, joined, without white space at its ends.
    package let text: String
    /// The line the start tag ends on, from 1.
    package let line: Int

    package init(
        name: String, prefix: String = "", namespace: String? = nil, attributes: [XMLAttribute] = [],
        children: [XMLElement] = [], text: String = "", line: Int = 1
    ) {
        self.name = name
        self.prefix = prefix
        self.namespace = namespace
        self.attributes = attributes
        self.children = children
        self.text = text
        self.line = line
    }

    package static func == (left: XMLElement, right: XMLElement) -> Bool {
        left === right
            || left.name == right.name && left.prefix == right.prefix && left.namespace == right.namespace
                && left.attributes == right.attributes && left.children == right.children && left.text == right.text
                && left.line == right.line
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(text)
        hasher.combine(line)
        hasher.combine(children.count)
    }
}

extension XMLElement {
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
        attributes.first { Self.matches($0.name, name, ignoringCase) }?.value
    }

    /// The text of the first child with a local name, or `nil` when there is none or it is empty.
    package func text(of name: String) -> String? {
        guard let child = child(name), !child.text.isEmpty else { return nil }
        return child.text
    }

    /// All text inside, of this element first and then of each child in turn, joined by blanks.
    package var allText: String {
        var pieces: [String] = []
        collectText(into: &pieces)
        return pieces.joined(separator: " ")
    }

    private func collectText(into pieces: inout [String]) {
        if !text.isEmpty { pieces.append(text) }
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
