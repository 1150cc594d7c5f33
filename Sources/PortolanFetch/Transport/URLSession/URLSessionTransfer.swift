#if canImport(Darwin) || !Drivers || DEBUG
import Foundation
import PortolanWeb
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request under way over URLSession, with all its redirects: what was asked and what has arrived.
struct URLSessionTransfer: Sendable {
    /// The URL the caller asked for, for errors.
    let asked: String
    let answer: CallbackTransport.Answer
    /// Prepared; after a redirect the request that followed.
    private(set) var request: HTTPRequest
    /// The task under way, `nil` until there is one.
    var task: URLSessionTask?
    /// Where the server was found, once that is known.
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

    /// The time at which it fails unless something arrives.
    var deadline: ContinuousClock.Instant {
        min(
            beginning + request.timeouts.total,
            lastActivity + (status == nil ? request.timeouts.firstByte : request.timeouts.stall))
    }

    /// The error of a deadline that has passed.
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

    /// Whether the header of an answer has come.
    var hasHeader: Bool { status != nil }

    /// Takes the header of an answer, final or not.
    mutating func receive(_ response: HTTPURLResponse) throws(FetchError) {
        lastActivity = .now
        status = response.statusCode
        headers = response.allHeaderFields.compactMap { name, value -> HTTPHeader? in
            guard let name = name as? String, let value = value as? String else { return nil }
            return HTTPHeader(name: name, value: String(value[...].trimmed))
        }
        // A dictionary has no order.
        headers.sort { ($0.name, $0.value) < ($1.name, $1.value) }
        // With the line of the status, over all interim answers.
        headerByteCount += headers.reduce(32) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        guard headerByteCount <= FetchError.maximumHeaderByteCount else {
            throw .headerTooLarge(url: asked, status: status)
        }
        if let announced, announced > request.maximumBodyByteCount { throw bodyTooLarge }
    }

    /// Takes a part of the body, in place.
    mutating func receive(_ data: Data) throws(FetchError) {
        lastActivity = .now
        guard data.count <= request.maximumBodyByteCount - body.count else { throw bodyTooLarge }
        body.makeRoom(
            forBodyBytes: data.count, announced: body.isEmpty ? announced : nil, limit: request.maximumBodyByteCount)
        body.append(contentsOf: data)
    }

    /// The `Content-Length`; as large as can be if it is a number beyond all limits.
    private var announced: Int? {
        guard let value = field("Content-Length"), !value.isEmpty, value.utf8.allSatisfy(\.isASCIIDigit) else {
            return nil
        }
        return Int(value) ?? .max
    }

    // MARK: Ends

    enum Outcome {
        case finished(ReplySlot.Reply)
        /// The transfer goes on with a request that has yet to be sent.
        case redirected
    }

    /// The outcome of a task that has brought a whole answer; a redirect makes its request that of the transfer.
    mutating func complete() -> Outcome {
        guard let status, status >= 200 else {
            let detail = "the server sent no HTTP status"
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

    /// The error of a task that has failed.
    func failure(_ error: any Error) -> FetchError {
        let code = (error as? URLError).map { self.code(of: $0.code) } ?? FetchError.Code.transportFailure
        // The system's text does not name the URL; its description does, with secrets.
        return FetchError(code, url: asked, status: status, detail: error.localizedDescription)
    }

    private func code(of code: URLError.Code) -> FetchError.Code {
        #if !canImport(Darwin)
        // swift-corelibs-foundation has one code for most of libcurl's; what has arrived says more.
        switch code {
        case .unknown where (status ?? 0) < 200: return .transportFailure
        case .unknown:
            let isCoded = field("Content-Encoding").map { $0 != "identity" } ?? false
            return isCoded ? .malformedResponse : .connectionLost
        // An empty reply.
        case .badServerResponse: return .connectionLost
        // The scheme was checked: it is HTTP/0.9, or a version or status that is none.
        case .unsupportedURL: return .malformedResponse
        default: break
        }
        #endif
        return FetchError.Code(code)
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

extension URLRequest {
    /// A prepared request; nil if Foundation cannot read the URL.
    ///
    /// - Parameter address: the address to connect to in place of what the host turns out to have.
    init?(_ request: HTTPRequest, at address: IPAddress?) {
        var text = request.url
        if let address, var parts = URLParts(text) {
            parts.host = address.bytes.count == 16 ? "[\(address)]" : "\(address)"
            text = parts.transferText
        }
        guard let url = URL(string: text) else { return nil }
        // The time limits are the loop's; zero seconds are what swift-corelibs-foundation makes of fractions.
        self.init(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 86_400)
        if address != nil, request.header("Host") == nil, let parts = URLParts(request.url) {
            setValue(parts.host + (parts.port.map { ":\($0)" } ?? ""), forHTTPHeaderField: "Host")
        }
        #if !canImport(Darwin)
        // It decodes without a limit of its own.
        if request.header("Accept-Encoding") == nil { setValue("identity", forHTTPHeaderField: "Accept-Encoding") }
        #endif
        for header in request.headers { addValue(header.value, forHTTPHeaderField: header.name) }
        if let question = request.question {
            httpMethod = "POST"
            httpBody = Data(question.body)
        }
    }
}
#endif
