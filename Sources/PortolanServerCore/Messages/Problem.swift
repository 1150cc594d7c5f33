import PortolanFeatures
import PortolanFetch
import PortolanWeb

/// The reason why a request failed: a problem document of RFC 9457.
package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of problem, each with an HTTP status.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case badRequest = "bad-request"
        case unauthorized = "unauthorized"
        /// The request has no valid key.
        case unauthenticated = "unauthenticated"
        case forbidden = "forbidden"
        case notFound = "not-found"
        case methodNotAllowed = "method-not-allowed"
        case notAcceptable = "not-acceptable"
        /// The resource already exists.
        case conflict
        case bodyTooLarge = "body-too-large"
        case targetTooLong = "target-too-long"
        case unsupportedMedia = "unsupported-media"
        /// The client expects something that the server does not support (RFC 9110, section 10.1.1).
        case expectationFailed = "expectation-failed"
        /// The request is valid, but there is nothing to draw.
        case nothingToDraw = "nothing-to-draw"
        /// The body has an unsupported or invalid format.
        case unreadableBody = "unreadable-body"
        case tooManyRequests = "too-many-requests"
        /// An internal error of the server.
        case failed
        /// There is no room for the uploaded data.
        case full
        /// A data source of the map is unavailable.
        case sourceFailed = "source-failed"
        case overloaded
        /// Rendering exceeded the time limit.
        case timedOut = "timed-out"

        /// The HTTP status code.
        package var status: Int {
            switch self {
            case .badRequest: 400
            case .unauthorized, .unauthenticated: 401
            case .forbidden: 403
            case .notFound: 404
            case .methodNotAllowed: 405
            case .notAcceptable: 406
            case .conflict: 409
            case .bodyTooLarge: 413
            case .targetTooLong: 414
            case .unsupportedMedia: 415
            case .expectationFailed: 417
            case .nothingToDraw, .unreadableBody: 422
            case .tooManyRequests: 429
            case .failed: 500
            case .sourceFailed: 502
            case .overloaded: 503
            case .timedOut: 504
            case .full: 507
            }
        }

        fileprivate var title: String {
            switch self {
            case .badRequest: "Invalid request"
            case .unauthorized: "Missing or invalid signature"
            case .unauthenticated: "Missing or invalid key"
            case .forbidden: "Not allowed"
            case .notFound: "Not found"
            case .methodNotAllowed: "Method not allowed"
            case .notAcceptable: "Not available in this format"
            case .conflict: "Already exists"
            case .bodyTooLarge: "Request body too large"
            case .targetTooLong: "URL too long"
            case .unsupportedMedia: "Unsupported media type"
            case .expectationFailed: "Expectation failed"
            case .nothingToDraw: "Nothing to draw"
            case .unreadableBody: "Invalid request body"
            case .tooManyRequests: "Too many requests"
            case .failed: "Internal server error"
            case .sourceFailed: "Map data unavailable"
            case .overloaded: "Server overloaded"
            case .timedOut: "Rendering timed out"
            case .full: "Insufficient storage"
            }
        }
    }

    /// The kind of problem.
    package let kind: Kind
    /// The message for people.
    package let detail: String
    /// The invalid part of the request: a query key, or the name of a path component.
    package let key: String?
    /// The zero-based character offset of the error in the value of the key.
    package let position: Int?
    /// The seconds after which a retry makes sense.
    package let retryAfter: Int?

    /// Creates a problem.
    package init(
        _ kind: Kind, _ detail: String, key: String? = nil, position: Int? = nil, retryAfter: Int? = nil
    ) {
        self.kind = kind
        self.detail = detail.inOneLine(limit: 500)
        self.key = key.map { $0.inOneLine(limit: 100) }
        self.position = position
        self.retryAfter = retryAfter
    }

    /// The response for this problem.
    package var response: ServerResponse {
        var members: Properties = [
            "type": .string("about:blank"), "title": .string(kind.title), "status": .integer(kind.status),
            "detail": .string(detail), "code": .string(kind.rawValue),
        ]
        if let key { members["key"] = .string(key) }
        if let position { members["position"] = .integer(position) }
        // Proxies must not cache a problem, which may be transient.
        var headers = [HTTPHeader(name: "Cache-Control", value: "no-store")]
        // RFC 9110, section 11.6.1.
        if kind == .unauthenticated { headers.append(HTTPHeader(name: "WWW-Authenticate", value: "Bearer")) }
        if let retryAfter { headers.append(HTTPHeader(name: "Retry-After", value: "\(retryAfter)")) }
        return ServerResponse(
            status: kind.status, json: .object(members), type: "application/problem+json", headers: headers)
    }

    /// The message in one line.
    package var description: String { [key, detail].compactMap(\.self).joined(separator: ": ") }
}
