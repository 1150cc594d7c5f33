/// Why a request gave no response.
///
/// A response with a status such as 404 is not an error here; only its reader knows what it means.
public struct FetchError: Error, Hashable, Sendable {
    /// What went wrong.
    public let code: Code

    /// The URL asked for, without secrets (see ``redacted(_:)``).
    public let url: String

    /// The HTTP status, when one had arrived.
    public let status: Int?

    /// What happened, for a person; without secrets of the URL.
    public let detail: String

    /// Makes an error; secrets in `url` are taken out.
    public init(_ code: Code, url: String, status: Int? = nil, detail: String) {
        self.code = code
        self.url = FetchError.redacted(url)
        self.status = status
        self.detail = detail
    }
}

extension FetchError: CustomStringConvertible {
    /// One line: code, URL, status and detail.
    public var description: String {
        let statusText = status.map { " (status \($0))" } ?? ""
        return "\(code): \(url)\(statusText): \(detail)"
    }
}
