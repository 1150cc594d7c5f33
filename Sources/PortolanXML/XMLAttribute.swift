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
