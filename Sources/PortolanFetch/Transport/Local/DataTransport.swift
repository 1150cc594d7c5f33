/// Answers `data:` URLs from the URL itself, with status 200 and the media type as `Content-Type`.
public struct DataTransport: HTTPTransport {
    /// Makes the transport.
    public init() {}

    /// The bytes that `request.url` carries; see ``DataURL`` for errors.
    public func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
        if Task.isCancelled { throw .cancelled(url: request.url) }
        let content = try DataURL(request.url, maximumByteCount: request.maximumBodyByteCount)
        let type = HTTPHeader(name: "Content-Type", value: content.mediaType)
        return HTTPResponse(status: 200, headers: [type], body: content.bytes, url: request.url)
    }
}
