/// The looks of one feature: the usual one, and the one it has while it is selected.
public struct StyleSet: Hashable, Sendable {
    /// The usual look.
    public var `default`: Style
    /// The look while selected, or `nil` when it is the usual one.
    public var selected: Style?

    /// Makes a set.
    public init(default: Style, selected: Style? = nil) {
        self.default = `default`
        self.selected = selected
    }

    /// The look in one of the two states.
    public func style(selected isSelected: Bool) -> Style { isSelected ? selected ?? `default` : `default` }
}
