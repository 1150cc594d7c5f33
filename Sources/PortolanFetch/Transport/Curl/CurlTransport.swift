#if os(Linux)
/// HTTP over the system's libcurl: all transfers on one thread, connections kept open and shared.
///
/// HTTP/2 where the server offers it, gzip, deflate, Brotli and Zstandard where libcurl was built with them, the proxy
/// variables of the environment. The thread starts with the first request and ends when the transport is released.
public final class CurlTransport: HTTPTransport {
    private let userAgent: String
    private let mailbox = CurlMailbox()

    /// Makes a transport.
    ///
    /// - Parameter userAgent: what it sends as `User-Agent` where a request has none.
    public init(userAgent: String = UserAgent.standard) {
        self.userAgent = userAgent
    }

    deinit {
        mailbox.close()
    }

    /// The response to `request`; see ``HTTPTransport`` for what holds.
    ///
    /// The header may have up to 256 KiB.
    public func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
        let prepared = try request.prepared(userAgent: userAgent)
        if Task.isCancelled { throw .cancelled(url: request.url) }
        let slot = ReplySlot()
        let id = mailbox.start(prepared, asked: request.url, slot: slot)
        let reply = await withTaskCancellationHandler {
            await slot.reply()
        } onCancel: {
            mailbox.cancel(id)
        }
        return try reply.get()
    }
}
#endif
