package import PortolanWeb

/// The failure of a request that gave no response.
///
/// A response with a status such as 404 is not an error here; only its reader knows what it means.
public struct FetchError: Error, Hashable, Sendable {
    /// The kind of failure.
    public let code: Code

    /// The URL asked for, without secrets (see ``redacted(_:)``).
    public let url: String

    /// The HTTP status, when one had arrived.
    public let status: Int?

    /// The failure, for a person; without secrets of the URL.
    public let detail: String

    /// Makes an error; secrets in `url` are taken out.
    public init(_ code: Code, url: String, status: Int? = nil, detail: String) {
        self.code = code
        self.url = FetchError.redacted(url)
        self.status = status
        self.detail = detail
    }
}

extension FetchError {
    /// The same without secrets, should they be in its words.
    func without(_ secrets: Secrets) -> FetchError {
        FetchError(
            code, url: secrets.removed(from: url), status: status, detail: secrets.removed(from: detail))
    }
}

extension FetchError: CustomStringConvertible {
    /// One line: URL, status, the meaning of the code, and the detail.
    public var description: String {
        let statusText = status.map { " (status \($0))" } ?? ""
        return "\(url)\(statusText): \(code.words)" + (detail.isEmpty || detail == code.words ? "" : ": \(detail)")
    }
}

extension FetchError {
    /// The kind of a failure; more kinds may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case cancelled, timedOut, cannotConnect, cannotResolveHost, connectionLost, tls
            case malformedResponse, bodyTooLarge, headerTooLarge, tooManyRedirects, httpStatus
            case invalidURL, invalidRequest, unsupportedScheme, addressRefused
            case fileNotFound, unreadableFile, malformedDataURL, transportFailure
            case hostUnavailable, hostBusy, noRecording, offline, needsTrait
        }

        private let kind: Kind

        /// The task that waited was cancelled.
        public static let cancelled = Code(kind: .cancelled)
        /// A limit of ``ConnectionTimeouts`` passed; the detail says which.
        public static let timedOut = Code(kind: .timedOut)
        /// The host, or the proxy, refused or could not be reached.
        public static let cannotConnect = Code(kind: .cannotConnect)
        /// The name of the host, or of the proxy, has no address.
        public static let cannotResolveHost = Code(kind: .cannotResolveHost)
        /// The connection ended before the response did.
        public static let connectionLost = Code(kind: .connectionLost)
        /// TLS failed; most often the certificate is not trusted.
        public static let tls = Code(kind: .tls)
        /// The response is not HTTP, or its compression is broken.
        public static let malformedResponse = Code(kind: .malformedResponse)
        /// The body is longer than ``HTTPRequest/maximumBodyByteCount``.
        public static let bodyTooLarge = Code(kind: .bodyTooLarge)
        /// The header is longer than the transport takes.
        public static let headerTooLarge = Code(kind: .headerTooLarge)
        /// More than ten redirects.
        public static let tooManyRedirects = Code(kind: .tooManyRedirects)
        /// For readers of responses: the status says failure.
        ///
        /// No transport throws it.
        public static let httpStatus = Code(kind: .httpStatus)
        /// The URL cannot be read.
        public static let invalidURL = Code(kind: .invalidURL)
        /// A header of the request breaks the syntax of HTTP.
        public static let invalidRequest = Code(kind: .invalidRequest)
        /// The scheme is not served, or not allowed here, or not in a redirect.
        public static let unsupportedScheme = Code(kind: .unsupportedScheme)
        /// Who named the address may not lead there (see ``/PortolanWeb/AddressPolicy``).
        public static let addressRefused = Code(kind: .addressRefused)
        /// A `file:` URL names nothing.
        public static let fileNotFound = Code(kind: .fileNotFound)
        /// A `file:` URL names what cannot be read as a file.
        public static let unreadableFile = Code(kind: .unreadableFile)
        /// A `data:` URL breaks RFC 2397; the detail says at which byte.
        public static let malformedDataURL = Code(kind: .malformedDataURL)
        /// The transport itself failed, for a reason none of the others names.
        public static let transportFailure = Code(kind: .transportFailure)

        /// Nothing was sent: so many connections to the host failed in a row that it is left alone for a while.
        ///
        /// See ``CircuitBreakerPolicy``.
        public static let hostUnavailable = Code(kind: .hostUnavailable)
        /// Nothing was sent: the host has said when it wants to be asked again, and that time has not come.
        ///
        /// See ``RetryPolicy/longestRetryAfter``.
        public static let hostBusy = Code(kind: .hostBusy)

        /// A transport that replays recorded answers has none for the URL.
        public static let noRecording = Code(kind: .noRecording)

        /// No server is to be asked, and nothing is kept of that address.
        public static let offline = Code(kind: .offline)

        /// This build lacks a package trait that the request needs; the detail names the trait and the system's package.
        public static let needsTrait = Code(kind: .needsTrait)

        /// The meaning of the code, for a person.
        public var words: String {
            switch kind {
            case .cancelled: "the request was cancelled"
            case .timedOut: "the server took too long"
            case .cannotConnect: "no server answers there"
            case .cannotResolveHost: "there is no host of that name"
            case .connectionLost: "the connection was lost"
            case .tls: "no secure connection could be made"
            case .malformedResponse: "what came is not HTTP, or damaged"
            case .bodyTooLarge: "the answer is too large"
            case .headerTooLarge: "the header of the answer is too large"
            case .tooManyRedirects: "the server sends on and on"
            case .httpStatus: "the server reports a failure"
            case .invalidURL: "the address cannot be read"
            case .invalidRequest: "the request breaks the rules of HTTP"
            case .unsupportedScheme: "addresses of that kind are not served"
            case .addressRefused: "who named the address may not lead there"
            case .fileNotFound: "there is no such file"
            case .unreadableFile: "the file cannot be read"
            case .malformedDataURL: "the data in the address are damaged"
            case .transportFailure: "the request failed"
            case .hostUnavailable: "the server cannot be reached"
            case .hostBusy: "the server wants to be asked later"
            case .noRecording: "there is no recorded answer"
            case .offline: "it is not in the cache, and no server is asked"
            case .needsTrait: "this build of Portolan does not support that"
            }
        }

        /// The name of the code; it carries nothing of the request, so it can be counted.
        public var description: String { kind.rawValue }
    }
}

extension FetchError {
    /// The error of an address that is not asked.
    package init(_ refusal: AddressRefusal, url: String) {
        self.init(.addressRefused, url: url, detail: refusal.description.inOneLine(limit: 500))
    }

    /// The error of a task that no longer waits.
    package static func cancelled(url: String) -> FetchError {
        FetchError(.cancelled, url: url, detail: "the request was cancelled")
    }

    /// The error of a feature that only libcurl offers, on Linux without the trait `Drivers`.
    package static func needsDrivers(_ feature: String, url: String) -> FetchError {
        let remedy = "build with the package trait Drivers, which needs libcurl4-openssl-dev (libcurl-devel)"
        return FetchError(.needsTrait, url: url, detail: "\(feature): \(remedy)")
    }

    /// One of the limits of ``ConnectionTimeouts``.
    package enum TimeLimit {
        case connect, firstByte, stall, total
    }

    /// The error of a time limit that has passed.
    ///
    /// - Parameter byteCount: how much of the body had arrived.
    package static func timedOut(
        _ limit: TimeLimit, after time: Duration, url: String, status: Int? = nil, byteCount: Int = 0
    ) -> FetchError {
        let time = time.secondsText
        let detail =
            switch limit {
            case .connect: "connect: no connection after \(time)"
            case .firstByte: "first byte: no answer \(time) after the request"
            case .stall: "stalled: no byte for \(time) after \(byteCount) bytes of the body"
            case .total: "total: not complete after \(time), with \(byteCount) bytes of the body"
            }
        return FetchError(.timedOut, url: url, status: status, detail: detail)
    }

    /// The most bytes of header taken, over all interim responses and trailers.
    static let maximumHeaderByteCount = 256 << 10

    /// The error of a header that is longer than allowed.
    static func headerTooLarge(url: String, status: Int?) -> FetchError {
        let detail = "the header is longer than \(maximumHeaderByteCount) bytes"
        return FetchError(.headerTooLarge, url: url, status: status, detail: detail)
    }

    /// The error of a body that would be longer than allowed.
    package static func bodyTooLarge(url: String, limit: Int, status: Int? = nil) -> FetchError {
        let detail = "the body is longer than the limit of \(limit) bytes"
        return FetchError(.bodyTooLarge, url: url, status: status, detail: detail)
    }
}
