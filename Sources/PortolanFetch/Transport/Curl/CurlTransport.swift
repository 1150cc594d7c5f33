#if os(Linux)
/// HTTP over the system's libcurl: all transfers on one thread, connections kept open and shared.
///
/// HTTP/2 where the server offers it over TLS, gzip, deflate, Brotli and Zstandard where libcurl was built with them;
/// proxies and trust as ``ConnectionSettings`` say. The thread starts with the first request and ends when the transport is released.
public final class CurlTransport: CallbackTransport {
    private let userAgent: String
    private let mailbox: CurlMailbox

    /// Makes a transport.
    ///
    /// - Parameter userAgent: what it sends as `User-Agent` where a request has none.
    public convenience init(userAgent: String = UserAgent.standard) {
        self.init(ConnectionSettings(userAgent: userAgent))
    }

    /// Makes a transport with settings.
    public init(_ settings: ConnectionSettings) {
        userAgent = settings.userAgent
        mailbox = CurlMailbox(settings)
    }

    deinit {
        mailbox.close()
    }

    /// The response to `request`; see ``HTTPTransport`` for what holds.
    ///
    /// The header may have up to 256 KiB.
    public func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
        if Task.isCancelled { throw .cancelled(url: request.url) }
        let slot = ReplySlot()
        let cancel = begin(request) { slot.answer($0) }
        let reply = await withTaskCancellationHandler {
            await slot.reply()
        } onCancel: {
            cancel()
        }
        return try reply.get()
    }

    package func begin(_ request: HTTPRequest, answer: @escaping Answer) -> @Sendable () -> Void {
        do throws(FetchError) {
            let prepared = try request.prepared(userAgent: userAgent)
            let id = try mailbox.start(prepared, asked: request.url, answer: answer)
            return { [mailbox] in mailbox.cancel(id) }
        } catch {
            // Not within this call.
            Task { answer(.failure(error)) }
            return {}
        }
    }
}
#endif
