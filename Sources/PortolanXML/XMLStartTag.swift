/// The beginning of an element, as the reader comes upon it.
package struct XMLStartTag: Hashable, Sendable {
    /// The name without its prefix.
    package let name: String
    /// The prefix, empty when there is none.
    package let prefix: String
    /// The namespace, or `nil` when there is none or the prefix is not declared.
    package let namespace: String?
    /// The attributes in their order; namespace declarations are not among them.
    package let attributes: [XMLAttribute]
    /// The line the tag ends on, from 1.
    package let line: Int

    package init(name: String, prefix: String, namespace: String?, attributes: [XMLAttribute], line: Int) {
        self.name = name
        self.prefix = prefix
        self.namespace = namespace
        self.attributes = attributes
        self.line = line
    }
}
