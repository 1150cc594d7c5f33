#if canImport(Darwin)
public import Foundation
import Synchronization

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
        if let question = request.question {
            httpMethod = "POST"
            httpBody = Data(question.body)
        }
    }
}

/// One request under way in URLSession: what was asked and what has arrived.
struct URLSessionTransfer: Sendable {
    /// Prepared; after a redirect the request that followed.
    var request: HTTPRequest
    /// The URL the caller asked for, for errors.
    let asked: String
    let slot: ReplySlot
    var redirectCount = 0
    var status: Int?
    var headers: [HTTPHeader] = []
    var body: [UInt8] = []
    /// Where the server was found, once that is known.
    var network: IPAddress.Network?

    init(request: HTTPRequest, asked: String, slot: ReplySlot) {
        self.request = request
        self.asked = asked
        self.slot = slot
    }

    /// Takes a part of the body, in place; false when it would be too long.
    mutating func append(_ data: Data) -> Bool {
        guard data.count <= request.maximumBodyByteCount - body.count else { return false }
        body.append(contentsOf: data)
        return true
    }

    /// The outcome of the task.
    func reply(error: (any Error)?) -> ReplySlot.Reply {
        if let error {
            let failure = error as? URLError
            let code = failure.map { FetchError.Code($0.code) } ?? .transportFailure
            // The system's text does not name the URL; its description does, with secrets.
            return .failure(FetchError(code, url: asked, status: status, detail: error.localizedDescription))
        }
        guard let status else {
            return .failure(FetchError(.malformedResponse, url: asked, detail: "the server sent no HTTP status"))
        }
        return HTTPResponse(status: status, headers: headers, body: body, url: request.url, network: network)
            .checked(asAnswerTo: request, asked: asked)
    }
}

extension FetchError.Code {
    /// The code of an error of URLSession.
    fileprivate init(_ code: URLError.Code) {
        switch code {
        case .cancelled: self = .cancelled
        case .timedOut: self = .timedOut
        case .cannotFindHost, .dnsLookupFailed: self = .cannotResolveHost
        case .cannotConnectToHost, .notConnectedToInternet, .internationalRoamingOff, .dataNotAllowed:
            self = .cannotConnect
        case .networkConnectionLost: self = .connectionLost
        case .badURL: self = .invalidURL
        case .unsupportedURL: self = .unsupportedScheme
        case .httpTooManyRedirects: self = .tooManyRedirects
        case .badServerResponse, .cannotDecodeContentData, .cannotDecodeRawData, .cannotParseResponse,
            .zeroByteResource, .redirectToNonExistentLocation:
            self = .malformedResponse
        case .dataLengthExceedsMaximum: self = .bodyTooLarge
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
            self = .tls
        default: self = .transportFailure
        }
    }
}

/// Collects what arrives for the tasks of one session and decides on redirects and challenges.
final class URLSessionTransferDelegate: NSObject, URLSessionDataDelegate {
    private let transfers = Mutex<[Int: URLSessionTransfer]>([:])

    func add(_ transfer: URLSessionTransfer, for task: URLSessionTask) {
        transfers.withLock { $0[task.taskIdentifier] = transfer }
    }

    /// Answers a transfer and stops its task; nothing happens when it has ended.
    func end(_ task: URLSessionTask, with reply: ReplySlot.Reply) {
        let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        transfer?.slot.answer(reply)
        task.cancel()
    }

    private func endTooLarge(_ task: URLSessionTask, _ transfer: URLSessionTransfer) {
        let limit = transfer.request.maximumBodyByteCount
        end(task, with: .failure(.bodyTooLarge(url: transfer.asked, limit: limit, status: transfer.status)))
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let transfer = transfers.withLock { transfers -> URLSessionTransfer? in
            guard let http = response as? HTTPURLResponse else { return transfers[dataTask.taskIdentifier] }
            transfers[dataTask.taskIdentifier]?.status = http.statusCode
            transfers[dataTask.taskIdentifier]?.headers = http.allHeaderFields.compactMap { name, value in
                guard let name = name as? String, let value = value as? String else { return nil }
                return HTTPHeader(name: name, value: value)
            }
            return transfers[dataTask.taskIdentifier]
        }
        guard let transfer else { return completionHandler(.cancel) }
        if response.expectedContentLength > Int64(transfer.request.maximumBodyByteCount) {
            endTooLarge(dataTask, transfer)
            return completionHandler(.cancel)
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let tooLarge = transfers.withLock { transfers -> URLSessionTransfer? in
            let fits = transfers[dataTask.taskIdentifier]?.append(data) ?? true
            return fits ? nil : transfers[dataTask.taskIdentifier]
        }
        if let tooLarge { endTooLarge(dataTask, tooLarge) }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard let transfer = transfers.withLock({ $0[task.taskIdentifier] }) else { return completionHandler(nil) }
        do throws(FetchError) {
            let next = try Redirect.next(
                after: transfer.request,
                to: newRequest.url?.absoluteString ?? "",
                from: transfer.network,
                count: transfer.redirectCount,
                asked: transfer.asked)
            transfers.withLock { transfers in
                transfers[task.taskIdentifier]?.request = next
                transfers[task.taskIdentifier]?.redirectCount += 1
            }
            completionHandler(URLRequest(next))
        } catch {
            end(task, with: .failure(error))
            completionHandler(nil)
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        // Every challenge is answered. Credentials travel in headers: rejecting lets the 401 come through as a response.
        let isServerTrust = challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust
        completionHandler(isServerTrust ? .performDefaultHandling : .rejectProtectionSpace, nil)
    }

    /// URLSession tells where a host was found only after the fact: an answer from where the address may not lead is
    /// given to nobody.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        guard let last = metrics.transactionMetrics.last, !last.isProxyConnection,
            let address = last.remoteAddress.flatMap({ IPAddress(host: $0) })
        else { return }
        let refusal = transfers.withLock { transfers -> FetchError? in
            guard let transfer = transfers[task.taskIdentifier] else { return nil }
            transfers[task.taskIdentifier]?.network = address.network
            return transfer.request.refusal(ofConnectionTo: address, asked: transfer.asked)
        }
        if let refusal { end(task, with: .failure(refusal)) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        guard let transfer else { return }
        transfer.slot.answer(transfer.reply(error: error))
    }
}
#endif
