/// The content of a map that its client draws over the pictures, such as moving objects.
package struct ClientContent: Hashable, Sendable {
    /// The names of the layers.
    package var layers: Set<String> = []
    /// Whether it draws the user's position.
    package var hasPosition = false

    /// Creates a value for a client that shows pictures alone.
    package init() {}
}
