package import PortolanWeb

/// The failure of a request without a response.
///
/// A response with a status such as 404 is not an error here; its reader interprets it.
public struct FetchError: Error, Hashable, Sendable {
    /// The kind of failure.
    public let code: Code

    /// The requested URL, without secrets (see ``redacted(_:)``).
    public let url: String

    /// The HTTP status, if one was received.
    public let status: Int?

    /// The message for people, without secrets of the URL.
    public let detail: String

    /// Creates an error; secrets in `url` are removed.
    public init(_ code: Code, url: String, status: Int? = nil, detail: String) {
        self.code = code
        self.url = FetchError.redacted(url)
        self.status = status
        self.detail = detail
    }
}

extension FetchError {
    /// Returns the error with secrets removed from its texts.
    func without(_ secrets: Secrets) -> FetchError {
        FetchError(
            code, url: secrets.removed(from: url), status: status, detail: secrets.removed(from: detail))
    }
}

extension FetchError: CustomStringConvertible {
    /// The error in one line: URL, status, meaning of the code, and detail.
    public var description: String {
        let statusText = status.map { " (status \($0))" } ?? ""
        return "\(url)\(statusText): \(code.words)" + (detail.isEmpty || detail == code.words ? "" : ": \(detail)")
    }
}

extension FetchError {
    /// The kind of a failure; values may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case cancelled, timedOut, cannotConnect, cannotResolveHost, connectionLost, tls
            case malformedResponse, bodyTooLarge, headerTooLarge, tooManyRedirects, httpStatus
            case invalidURL, invalidRequest, unsupportedScheme, addressRefused
            case fileNotFound, unreadableFile, malformedDataURL, transportFailure
            case hostUnavailable, hostBusy, noRecording, offline, needsTrait
        }

        private let kind: Kind

        /// The waiting task was cancelled.
        public static let cancelled = Code(kind: .cancelled)
        /// A limit of ``HTTPRequest/Timeouts`` was exceeded; the detail names it.
        public static let timedOut = Code(kind: .timedOut)
        /// The host or proxy refused the connection or was unreachable.
        public static let cannotConnect = Code(kind: .cannotConnect)
        /// The name of the host or proxy could not be resolved.
        public static let cannotResolveHost = Code(kind: .cannotResolveHost)
        /// The connection ended before the response was complete.
        public static let connectionLost = Code(kind: .connectionLost)
        /// TLS failed, usually because the certificate is not trusted.
        public static let tls = Code(kind: .tls)
        /// The response is not valid HTTP, or its compression is invalid.
        public static let malformedResponse = Code(kind: .malformedResponse)
        /// The body is longer than ``HTTPRequest/maximumBodyByteCount``.
        public static let bodyTooLarge = Code(kind: .bodyTooLarge)
        /// The header is longer than the transport's limit.
        public static let headerTooLarge = Code(kind: .headerTooLarge)
        /// More than ten redirects.
        public static let tooManyRedirects = Code(kind: .tooManyRedirects)
        /// The status indicates a failure; thrown by readers of responses.
        ///
        /// No transport throws it.
        public static let httpStatus = Code(kind: .httpStatus)
        /// The URL is invalid.
        public static let invalidURL = Code(kind: .invalidURL)
        /// A header field of the request has invalid syntax.
        public static let invalidRequest = Code(kind: .invalidRequest)
        /// The scheme is not supported, not allowed, or not allowed in a redirect.
        public static let unsupportedScheme = Code(kind: .unsupportedScheme)
        /// The origin of the URL is not permitted to refer to it (see ``/PortolanWeb/AddressPolicy``).
        public static let addressRefused = Code(kind: .addressRefused)
        /// The file of a `file:` URL does not exist.
        public static let fileNotFound = Code(kind: .fileNotFound)
        /// The file of a `file:` URL cannot be read.
        public static let unreadableFile = Code(kind: .unreadableFile)
        /// A `data:` URL violates RFC 2397; the detail has the byte offset.
        public static let malformedDataURL = Code(kind: .malformedDataURL)
        /// The transport failed for another reason.
        public static let transportFailure = Code(kind: .transportFailure)

        /// The request was not sent, because too many connections to the host have failed in a row.
        ///
        /// See ``RetryPolicy/CircuitBreaker``.
        public static let hostUnavailable = Code(kind: .hostUnavailable)
        /// The request was not sent, because the time given in the host's `Retry-After` is not over.
        ///
        /// See ``RetryPolicy/longestRetryAfter``.
        public static let hostBusy = Code(kind: .hostBusy)

        /// A transport that replays recordings has none for the URL.
        public static let noRecording = Code(kind: .noRecording)

        /// The cache is offline and has no response for the URL.
        public static let offline = Code(kind: .offline)

        /// The request needs a package trait that this build lacks; the detail names the trait and the system package.
        public static let needsTrait = Code(kind: .needsTrait)

        /// The meaning of the code, for people.
        public var words: String {
            switch kind {
            case .cancelled: "the request was cancelled"
            case .timedOut: "the server timed out"
            case .cannotConnect: "cannot connect"
            case .cannotResolveHost: "unknown host"
            case .connectionLost: "the connection was lost"
            case .tls: "no secure connection possible"
            case .malformedResponse: "invalid HTTP response"
            case .bodyTooLarge: "the response is too large"
            case .headerTooLarge: "the response header is too large"
            case .tooManyRedirects: "too many redirects"
            case .httpStatus: "the server reported an error"
            case .invalidURL: "invalid URL"
            case .invalidRequest: "the request is not valid HTTP"
            case .unsupportedScheme: "unsupported URL scheme"
            case .addressRefused: "not allowed by the address policy"
            case .fileNotFound: "no such file"
            case .unreadableFile: "cannot read the file"
            case .malformedDataURL: "invalid data in the data: URL"
            case .transportFailure: "the request failed"
            case .hostUnavailable: "the server is unreachable"
            case .hostBusy: "the server asked to retry later"
            case .noRecording: "no recorded response"
            case .offline: "not in the cache, and offline mode is on"
            case .needsTrait: "not supported by this build of Portolan"
            }
        }

        /// The name of the code.
        ///
        /// It contains no part of the request, so it is suitable as a metric label.
        public var description: String { kind.rawValue }
    }
}

extension FetchError {
    /// Creates the error of a refused address.
    package init(_ refusal: AddressPolicy.Refusal, url: String) {
        self.init(.addressRefused, url: url, detail: refusal.description.inOneLine(limit: 500))
    }

    /// Returns the error of a cancelled task.
    package static func cancelled(url: String) -> FetchError {
        FetchError(.cancelled, url: url, detail: "the request was cancelled")
    }

    /// Returns the error of a feature that requires libcurl, on Linux without the trait `Drivers`.
    package static func needsDrivers(_ feature: String, url: String) -> FetchError {
        let remedy = "build with the package trait Drivers, which needs libcurl4-openssl-dev (libcurl-devel)"
        return FetchError(.needsTrait, url: url, detail: "\(feature): \(remedy)")
    }

    /// A limit of ``HTTPRequest/Timeouts``.
    package enum TimeLimit {
        case connect, firstByte, stall, total
    }

    /// Returns the error of an exceeded time limit.
    ///
    /// - Parameter byteCount: the number of body bytes received.
    package static func timedOut(
        _ limit: TimeLimit, after time: Duration, url: String, status: Int? = nil, byteCount: Int = 0
    ) -> FetchError {
        let time = time.secondsText
        let detail =
            switch limit {
            case .connect: "connect: no connection after \(time)"
            case .firstByte: "first byte: no response \(time) after the request"
            case .stall: "stalled: no data for \(time) after \(byteCount) bytes of the body"
            case .total: "total: incomplete after \(time), with \(byteCount) bytes of the body"
            }
        return FetchError(.timedOut, url: url, status: status, detail: detail)
    }

    /// The maximum size of the header in bytes, including interim responses and trailers.
    static let maximumHeaderByteCount = 256 << 10

    /// Returns the error of a header that exceeds the limit.
    static func headerTooLarge(url: String, status: Int?) -> FetchError {
        let detail = "the header exceeds \(maximumHeaderByteCount) bytes"
        return FetchError(.headerTooLarge, url: url, status: status, detail: detail)
    }

    /// Returns the error of a body that exceeds the limit.
    package static func bodyTooLarge(url: String, limit: Int, status: Int? = nil) -> FetchError {
        let detail = "the body exceeds the limit of \(limit) bytes"
        return FetchError(.bodyTooLarge, url: url, status: status, detail: detail)
    }
}
