/// How large a document may be before the reader refuses it.
package struct XMLLimits: Hashable, Sendable {
    /// The most bytes in a document.
    package var byteCount: Int
    /// The most elements inside one another.
    package var depth: Int
    /// The most bytes in one tag, from `<` to `>`, and in the document type declaration.
    ///
    /// The cost of a tag grows with the square of the number of its attributes, so it is bounded before it is parsed.
    package var tagLength: Int
    /// The most elements in a document.
    package var elementCount: Int
    /// The most attributes of one element.
    package var attributeCount: Int
    /// The most namespaces in scope at a place.
    package var namespaceCount: Int

    package init(
        byteCount: Int = 64 << 20, depth: Int = 200, tagLength: Int = 64 << 10, elementCount: Int = 2_000_000,
        attributeCount: Int = 1000, namespaceCount: Int = 1000
    ) {
        self.byteCount = byteCount
        self.depth = depth
        self.tagLength = tagLength
        self.elementCount = elementCount
        self.attributeCount = attributeCount
        self.namespaceCount = namespaceCount
    }
}
