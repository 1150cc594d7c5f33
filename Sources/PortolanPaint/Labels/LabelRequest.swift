/// A label that asks for a place.
package struct LabelRequest: Hashable, Sendable {
    /// What the label says where the same words nearby are said once, or `nil` where they may be repeated.
    package var text: String?
    /// What decides whether it is placed before another.
    package var rank: LabelRank
    /// Where it may go, the best place first.
    package var candidates: [LabelCandidate]

    package init(text: String? = nil, rank: LabelRank, candidates: [LabelCandidate]) {
        self.text = text
        self.rank = rank
        self.candidates = candidates
    }
}
