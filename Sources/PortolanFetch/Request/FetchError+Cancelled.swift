extension FetchError {
    /// The error of a task that no longer waits.
    package static func cancelled(url: String) -> FetchError {
        FetchError(.cancelled, url: url, detail: "the request was cancelled")
    }

    /// The error of a body that would be longer than allowed.
    package static func bodyTooLarge(url: String, limit: Int, status: Int? = nil) -> FetchError {
        let detail = "the body is longer than the limit of \(limit) bytes"
        return FetchError(.bodyTooLarge, url: url, status: status, detail: detail)
    }
}
