#if canImport(Darwin)
import Foundation

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

    /// What the end of the task amounts to.
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
        return .success(HTTPResponse(status: status, headers: headers, body: body, url: request.url))
    }
}

extension FetchError.Code {
    /// What an error of URLSession means to a caller.
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
#endif
