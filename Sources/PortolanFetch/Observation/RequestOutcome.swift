/// What came of a request.
public struct RequestOutcome: Hashable, Sendable {
    /// The HTTP status; nil when none arrived.
    public let status: Int?
    /// The bytes of the body, decompressed.
    public let byteCount: Int
    /// Why there is no response.
    public let error: FetchError?
    /// How often it was sent; 0 when it never was, or was given up.
    public let attemptCount: Int
    /// Whether it shared the transfer of an equal one that was under way.
    public let isShared: Bool
    /// From the call to the answer, waiting for its turn and between attempts included.
    public let duration: Duration

    package init(_ reply: Result<HTTPResponse, FetchError>, attemptCount: Int, isShared: Bool, duration: Duration) {
        switch reply {
        case .success(let response):
            status = response.status
            byteCount = response.body.count
            error = nil
        case .failure(let failure):
            status = failure.status
            byteCount = 0
            error = failure
        }
        self.attemptCount = attemptCount
        self.isShared = isShared
        self.duration = duration
    }

    /// What became of it, in one of few words: `2xx` and the like for an answer, else the error's code.
    public var label: String {
        if let error { return "\(error.code)" }
        return status.map { "\($0 / 100)xx" } ?? ""
    }
}
