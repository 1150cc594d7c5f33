/// Areas that cannot be combined, since their borders cross too often.
public struct OverlayError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The index of the first feature of the areas.
    public let feature: Int

    package init(feature: Int) { self.feature = feature }

    /// The error and its remedy.
    public var description: String {
        "feature \(feature + 1): the borders of its area cross too often to be computed; simplify or repair them first"
    }
}
