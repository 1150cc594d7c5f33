/// What decides which of two labels is placed first.
///
/// First the higher priority, then the higher layer, then the first label of a line before its repetitions, then the
/// earlier feature.
package struct LabelRank: Hashable, Comparable, Sendable {
    /// Higher goes first; what is no number counts as 0.
    package let priority: Double
    /// The layer's number from the bottom.
    package let layer: Int
    /// How many labels of the same line come before this one.
    package let repetition: Int
    /// The label's number in its layer.
    package let order: Int

    package init(priority: Double = 0, layer: Int = 0, repetition: Int = 0, order: Int = 0) {
        self.priority = priority.isNaN ? 0 : priority
        self.layer = layer
        self.repetition = repetition
        self.order = order
    }

    /// Whether `left` is placed before `right`.
    package static func < (left: LabelRank, right: LabelRank) -> Bool {
        if left.priority != right.priority { return left.priority > right.priority }
        if left.layer != right.layer { return left.layer > right.layer }
        return (left.repetition, left.order) < (right.repetition, right.order)
    }
}
