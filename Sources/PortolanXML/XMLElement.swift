/// An element with all that is in it.
package struct XMLElement: Hashable, Sendable {
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
}
