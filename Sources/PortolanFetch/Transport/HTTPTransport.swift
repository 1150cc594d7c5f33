/// Carries one request to its server and brings the response back.
///
/// The seam between Portolan and the network: tests, recordings and other HTTP clients conform to it. What every
/// conformer keeps to:
/// - Any final status is a response, not an error: OGC services explain themselves in the body of a 400 or a 500.
/// - Redirects are followed, at most ten, to `http` and `https` only; to another origin go no `Authorization`, no
///   `Cookie` and no header a service may have invented for a key.
/// - The body is decompressed, whole, and no longer than the request allows; a truncated body is an error.
/// - All ``ConnectionTimeouts`` hold.
/// - Cancelling the task ends the transfer at once with ``FetchError/Code/cancelled``.
/// - It may be used by many tasks at the same time. It neither queues, joins nor retries: ``Fetcher`` does.
public protocol HTTPTransport: Sendable {
    /// The response to `request`.
    func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse
}
