/// How soon a request is wanted, among those that wait for the same host.
///
/// What is visible comes before what lies in the margin. Several views that want images of one host at the same time get
/// them in turns: the first of each before the second of any.
public struct FetchPriority: Hashable, Sendable {
    /// Whether it is for a place outside the view.
    public var isMargin: Bool

    /// The place in the line of its own view, 0 for what lies at the centre.
    public var rank: Int

    /// Makes a priority; by default that of a request that belongs to no view.
    public init(isMargin: Bool = false, rank: Int = 0) {
        self.isMargin = isMargin
        self.rank = max(rank, 0)
    }
}
