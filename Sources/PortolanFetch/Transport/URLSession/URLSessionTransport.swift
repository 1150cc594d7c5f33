#if canImport(Darwin)
public import Foundation

/// HTTP over URLSession: system proxies, App Transport Security, HTTP/3 where the system offers it.
///
/// The session keeps no cookies, no credentials and no cache; those are the caller's business. URLSession has no limit
/// for connecting alone: ``ConnectionTimeouts/stall`` covers it.
public final class URLSessionTransport: HTTPTransport {
    private let userAgent: String
    private let session: URLSession
    private let delegate = URLSessionTransferDelegate()

    /// Makes a transport with a session of its own.
    ///
    /// - Parameters:
    ///   - userAgent: what it sends as `User-Agent` where a request has none.
    ///   - configuration: where to start from; its cache, cookies and credentials are turned off.
    public init(userAgent: String = UserAgent.standard, configuration: URLSessionConfiguration = .ephemeral) {
        self.userAgent = userAgent
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        // The limit per host is the Fetcher's; this one must not be lower.
        configuration.httpMaximumConnectionsPerHost = 64
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit {
        session.invalidateAndCancel()
    }

    /// The response to `request`; see ``HTTPTransport`` for what holds.
    public func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
        let prepared = try request.prepared(userAgent: userAgent)
        if Task.isCancelled { throw .cancelled(url: request.url) }
        guard let urlRequest = URLRequest(prepared) else {
            throw FetchError(.invalidURL, url: request.url, detail: "the URL cannot be read by the system")
        }
        let slot = ReplySlot()
        let task = session.dataTask(with: urlRequest)
        delegate.add(URLSessionTransfer(request: prepared, asked: request.url, slot: slot), for: task)
        let deadline = Task { [delegate] in
            guard (try? await Task.sleep(for: request.timeouts.total)) != nil else { return }
            let detail = "total: not complete after \(request.timeouts.total.secondsText)"
            delegate.end(task, with: .failure(FetchError(.timedOut, url: request.url, detail: detail)))
        }
        defer { deadline.cancel() }
        task.resume()
        let reply = await withTaskCancellationHandler {
            await slot.reply()
        } onCancel: {
            delegate.end(task, with: .failure(.cancelled(url: request.url)))
        }
        return try reply.get()
    }
}

extension URLRequest {
    /// A GET of a prepared request; nil when Foundation cannot read the URL.
    init?(_ request: HTTPRequest) {
        guard let url = URL(string: request.url) else { return nil }
        self.init(
            url: url,
            timeoutInterval: Double(max(request.timeouts.firstByte, request.timeouts.stall).timerMilliseconds) / 1000)
        for header in request.headers { addValue(header.value, forHTTPHeaderField: header.name) }
    }
}
#endif
