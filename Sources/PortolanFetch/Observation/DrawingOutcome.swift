/// What came of a drawing, and how long its steps took.
public struct DrawingOutcome: Hashable, Sendable {
    /// How many layers there were.
    public let layerCount: Int
    /// How many images it needed.
    public let requestedCount: Int
    /// How many of them are missing.
    public let failedCount: Int
    /// Why there is no picture, without secrets; nil when there is one.
    public let error: String?
    /// From first to last.
    public let duration: Duration
    /// How long planning took.
    public let planning: Duration
    /// How long fetching and decoding took.
    public let fetching: Duration
    /// How long decoding took, summed over images that may be decoded side by side; a part of ``fetching``.
    public let decoding: Duration
    /// How long painting took; zero when there is no picture.
    public let painting: Duration

    package init(
        layerCount: Int, requestedCount: Int, failedCount: Int, error: String?, duration: Duration, planning: Duration,
        fetching: Duration, decoding: Duration, painting: Duration
    ) {
        self.layerCount = layerCount
        self.requestedCount = requestedCount
        self.failedCount = failedCount
        self.error = error
        self.duration = duration
        self.planning = planning
        self.fetching = fetching
        self.decoding = decoding
        self.painting = painting
    }
}
