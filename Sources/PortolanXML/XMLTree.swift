/// A whole document.
package struct XMLTree: Hashable, Sendable {
    /// The outermost element.
    package let root: XMLElement
    /// What was odd but harmless, a line each.
    package let warnings: [String]

    package init(root: XMLElement, warnings: [String] = []) {
        self.root = root
        self.warnings = warnings
    }
}
