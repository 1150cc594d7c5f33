#if canImport(Darwin) || !Drivers || DEBUG
import Foundation
import PortolanWeb
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request in progress over URLSession, with all its redirects, and the data received.
struct URLSessionTransfer: Sendable {
    /// The URL of the caller's request, for errors.
    let asked: String
    let answer: CallbackTransport.Answer
    /// The prepared request; after a redirect, the request that followed it.
    private(set) var request: HTTPRequest
    /// The current task, or `nil` before it starts.
    var task: URLSessionTask?
    /// The network of the server, once it is known.
    var network: IPAddress.Network?
    private let beginning = ContinuousClock.now
    private var lastActivity = ContinuousClock.now
    private var redirectCount = 0
    private var status: Int?
    private var headers: [HTTPHeader] = []
    private var headerByteCount = 0
    private var body: [UInt8] = []

    init(_ request: HTTPRequest, asked: String, answer: @escaping CallbackTransport.Answer) {
        self.request = request
        self.asked = asked
        self.answer = answer
    }

    private var bodyTooLarge: FetchError {
        .bodyTooLarge(url: asked, limit: request.maximumBodyByteCount, status: status)
    }

    private func field(_ name: String) -> String? { headers.first { $0.isNamed(name) }?.value }

    // MARK: Time limits

    /// The time at which the transfer fails unless data arrives.
    var deadline: ContinuousClock.Instant {
        min(
            beginning + request.timeouts.total,
            lastActivity + (status == nil ? request.timeouts.firstByte : request.timeouts.stall))
    }

    /// Returns the error of an exceeded deadline.
    func timeoutError(at now: ContinuousClock.Instant) -> FetchError {
        let timeouts = request.timeouts
        let (limit, time): (FetchError.TimeLimit, Duration) =
            if now >= beginning + timeouts.total {
                (.total, timeouts.total)
            } else if status == nil {
                (.firstByte, timeouts.firstByte)
            } else {
                (.stall, timeouts.stall)
            }
        return .timedOut(limit, after: time, url: asked, status: status, byteCount: body.count)
    }

    // MARK: Arrivals

    /// Whether the header of a response has been received.
    var hasHeader: Bool { status != nil }

    /// Receives the header of an interim or final response.
    mutating func receive(_ response: HTTPURLResponse) throws(FetchError) {
        lastActivity = .now
        status = response.statusCode
        headers = response.allHeaderFields.compactMap { name, value -> HTTPHeader? in
            guard let name = name as? String, let value = value as? String else { return nil }
            return HTTPHeader(name: name, value: String(value[...].trimmed))
        }
        // The dictionary has no order.
        headers.sort { ($0.name, $0.value) < ($1.name, $1.value) }
        // Includes the status line, and accumulates over all interim responses.
        headerByteCount += headers.reduce(32) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        guard headerByteCount <= FetchError.maximumHeaderByteCount else {
            throw .headerTooLarge(url: asked, status: status)
        }
        if let announced, announced > request.maximumBodyByteCount { throw bodyTooLarge }
    }

    /// Receives a part of the body, appended in place.
    mutating func receive(_ data: Data) throws(FetchError) {
        lastActivity = .now
        guard data.count <= request.maximumBodyByteCount - body.count else { throw bodyTooLarge }
        body.makeRoom(
            forBodyBytes: data.count, announced: body.isEmpty ? announced : nil, limit: request.maximumBodyByteCount)
        body.append(contentsOf: data)
    }

    /// The `Content-Length`; `Int.max` for a number beyond all limits.
    private var announced: Int? {
        guard let value = field("Content-Length"), !value.isEmpty, value.utf8.allSatisfy(\.isASCIIDigit) else {
            return nil
        }
        return Int(value) ?? .max
    }

    // MARK: Ends

    enum Outcome {
        case finished(ReplySlot.Reply)
        /// The transfer continues with a request that has not been sent yet.
        case redirected
    }

    /// Returns the outcome of a completed task.
    ///
    /// A redirect replaces the request of the transfer.
    mutating func complete() -> Outcome {
        guard let status, status >= 200 else {
            let detail = "no HTTP status in the response"
            return .finished(.failure(FetchError(.malformedResponse, url: asked, detail: detail)))
        }
        if Redirect.isRedirect(status: status), let location = field("Location") {
            do throws(FetchError) {
                let target = Redirect.target(location, from: request.url)
                request = try Redirect.next(
                    after: request, to: target, from: network, count: redirectCount, asked: asked)
            } catch {
                return .finished(.failure(error))
            }
            redirectCount += 1
            (self.status, headers, headerByteCount, body, network, task) = (nil, [], 0, [], nil, nil)
            lastActivity = .now
            return .redirected
        }
        let response = HTTPResponse(
            status: status, headers: headers, body: body, url: request.url, network: network)
        return .finished(response.checked(asAnswerTo: request, asked: asked))
    }

    /// Returns the error of a failed task.
    func failure(_ error: any Error) -> FetchError {
        let code = (error as? URLError).map { self.code(of: $0.code) } ?? FetchError.Code.transportFailure
        // Uses the localised text, which has no URL; the description has the URL with its secrets.
        return FetchError(code, url: asked, status: status, detail: error.localizedDescription)
    }

    private func code(of code: URLError.Code) -> FetchError.Code {
        #if !canImport(Darwin)
        // swift-corelibs-foundation has one code for most libcurl errors; the data received distinguishes them.
        switch code {
        case .unknown where (status ?? 0) < 200: return .transportFailure
        case .unknown:
            let isCoded = field("Content-Encoding").map { $0 != "identity" } ?? false
            return isCoded ? .malformedResponse : .connectionLost
        // An empty reply.
        case .badServerResponse: return .connectionLost
        // The scheme was checked, so this is HTTP/0.9, or an invalid version or status.
        case .unsupportedURL: return .malformedResponse
        default: break
        }
        #endif
        return FetchError.Code(code)
    }
}

extension FetchError.Code {
    /// Creates the code of a URLSession error.
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

extension URLRequest {
    /// Creates a URLSession request from a prepared request, or returns `nil` if Foundation rejects the URL.
    ///
    /// - Parameter address: the address to connect to instead of resolving the host.
    init?(_ request: HTTPRequest, at address: IPAddress?) {
        var text = request.url
        if let address, var parts = URLParts(text) {
            parts.host = address.bytes.count == 16 ? "[\(address)]" : "\(address)"
            text = parts.transferText
        }
        guard let url = URL(string: text) else { return nil }
        // The loop enforces the time limits; swift-corelibs-foundation truncates fractions of a second to zero.
        self.init(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 86_400)
        if address != nil, request.header("Host") == nil, let parts = URLParts(request.url) {
            setValue(parts.host + (parts.port.map { ":\($0)" } ?? ""), forHTTPHeaderField: "Host")
        }
        #if !canImport(Darwin)
        // URLSession would decompress without a limit.
        if request.header("Accept-Encoding") == nil { setValue("identity", forHTTPHeaderField: "Accept-Encoding") }
        #endif
        for header in request.headers { addValue(header.value, forHTTPHeaderField: header.name) }
        if let body = request.body {
            httpMethod = "POST"
            httpBody = Data(body.bytes)
        }
    }
}
#endif
