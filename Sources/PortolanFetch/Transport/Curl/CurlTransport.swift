#if os(Linux)
/// HTTP over the system's libcurl: all transfers on one thread, connections kept open and shared.
///
/// HTTP/2 where the server offers it over TLS, gzip, deflate, Brotli and Zstandard where libcurl was built with them;
/// proxies and trust as ``ConnectionSettings`` say. The thread starts with the first request and ends when the transport is released.
public final class CurlTransport: HTTPTransport {
    private let settings: ConnectionSettings
    private let mailbox = CurlMailbox()

    /// Makes a transport.
    ///
    /// - Parameter userAgent: what it sends as `User-Agent` where a request has none.
    public convenience init(userAgent: String = UserAgent.standard) {
        self.init(ConnectionSettings(userAgent: userAgent))
    }

    /// Makes a transport with settings.
    public init(_ settings: ConnectionSettings) {
        self.settings = settings
    }

    deinit {
        mailbox.close()
    }

    /// The response to `request`; see ``HTTPTransport`` for what holds.
    ///
    /// The header may have up to 256 KiB.
    public func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
        let prepared = try request.prepared(userAgent: settings.userAgent)
        if Task.isCancelled { throw .cancelled(url: request.url) }
        let slot = ReplySlot()
        let id = mailbox.start(prepared, settings, asked: request.url, slot: slot)
        let reply = await withTaskCancellationHandler {
            await slot.reply()
        } onCancel: {
            mailbox.cancel(id)
        }
        return try reply.get()
    }
}
#endif
