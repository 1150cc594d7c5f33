package import PortolanFetch
package import PortolanGeo
package import PortolanServices
import PortolanWeb

/// A reason why a service is unusable.
///
/// The public API throws it as ``MapError``.
package struct ServiceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String { case unavailable, notFound, unreadable, notOffered, cancelled }
        private let kind: Kind

        /// The service cannot be reached, or answers with an error.
        package static let unavailable = Code(kind: .unavailable)
        /// The file does not exist.
        package static let notFound = Code(kind: .notFound)
        /// The response cannot be parsed.
        package static let unreadable = Code(kind: .unreadable)
        /// The service does not offer the requested item.
        package static let notOffered = Code(kind: .notOffered)

        /// The task was cancelled.
        package static let cancelled = Code(kind: .cancelled)

        /// The name of the code.
        package var description: String { kind.rawValue }
    }

    /// The cause of a failure, with details.
    package enum Cause: Error, Hashable, Sendable {
        /// The document could not be fetched.
        case fetch(FetchError)
        /// The server answered with an error status without further information.
        case status(Int)
        /// The service answered with an exception.
        case exception(ServiceException, status: Int)
        /// The response is not a capabilities document, or is damaged.
        case document(CapabilitiesError, status: Int)
        /// The URL belongs to another kind of resource; `text` is the text of a page.
        case otherKind(AnswerKind, text: String)
        /// The response to a query is invalid, for the given reason.
        case answer(String)
        /// The requested CRS is unknown.
        case crs(CRSError)
        /// A WMS does not offer the requested item.
        case wms(WMSNegotiationError)
        /// A WMS has no matching tile set (WMS-C).
        case wmsc(WMSCTileSet.InvalidError)
        /// A WMTS does not offer the requested item.
        case wmts(WMTSError)
        /// A Tile Map Service does not offer the requested item.
        case tms(TMSError)
        /// A WFS does not offer the requested item.
        case wfs(WFSError)
        /// An OGC API does not offer the requested item, or its response is invalid.
        case ogcAPI(OGCAPIError)
        /// Any other failure, as a sentence.
        case other(String)
    }

    /// The kind of failure.
    package let code: Code

    /// The URL, without secrets.
    package let url: String

    /// The cause of the failure.
    package let cause: Cause

    /// Creates an error.
    ///
    /// - Parameter code: the kind of failure, or `nil` to derive it from the cause.
    package init(_ cause: Cause, url: String, code: Code? = nil) {
        self.code = code ?? cause.code
        self.url = FetchError.redacted(url)
        self.cause = cause
    }

    /// Creates an error from a sentence.
    package init(_ code: Code, url: String, detail: String) { self.init(.other(detail), url: url, code: code) }

    /// The HTTP status of the failed response, if there was one.
    package var status: Int? {
        switch cause {
        case .fetch(let error): error.status
        case .status(let status), .exception(_, let status), .document(_, let status): status
        default: nil
        }
    }

    /// The exception of the service, or `nil`.
    package var exception: ServiceException? {
        if case .exception(let exception, _) = cause { exception } else { nil }
    }

    /// The actual kind of the resource if it differs from the requested kind; `nil` if unknown.
    @inline(never) package var answersAs: AnswerKind? {
        // Not inlined: the optimizer of Swift 6.3.1 fails on it in callers that look at the code before.
        if case .otherKind(let kind, _) = cause { kind } else { nil }
    }

    /// The cause as a message, with the available alternatives.
    package var detail: String { cause.description }

    /// The URL and the cause, in one line.
    package var description: String { "\(url): \(detail)" }
}

extension ServiceError {
    /// Creates the error of an unexpected response.
    ///
    /// The HTTP status is used if the body has no useful information.
    package init(_ error: CapabilitiesError, in response: HTTPResponse, url: String) {
        let cause: Cause =
            switch error {
            case .exception(let exception): .exception(exception, status: response.status)
            case .otherDocument(let text):
                if response.isSuccessful, let kind = AnswerKind(recognizing: response.body) {
                    .otherKind(kind, text: kind == .page ? text : "")
                } else {
                    .document(error, status: response.status)
                }
            case .malformed: .document(error, status: response.status)
            }
        self.init(cause, url: url)
    }

    /// Whether the server sent a response, even if it is not the requested one.
    package var isAnswer: Bool {
        switch cause {
        case .fetch: code == .unreadable
        case .status, .exception, .document, .otherKind, .answer: true
        case .crs, .wms, .wmsc, .wmts, .tms, .wfs, .ogcAPI, .other: code == .unreadable
        }
    }

    /// Whether the server understood the request and may answer another one.
    var mayBeOfOtherKind: Bool {
        code == .unreadable || (isAnswer && [400, 404, 405].contains(status))
    }
}

extension ServiceError.Cause {
    fileprivate var code: ServiceError.Code {
        switch self {
        case .fetch(let error):
            switch error.code {
            case .fileNotFound: .notFound
            case .cancelled: .cancelled
            case .bodyTooLarge: .unreadable
            default: .unavailable
            }
        case .status: .unavailable
        // A page with an error status is an error; a damaged document is unreadable regardless of its status.
        case .document(.otherDocument, let status): (200..<300).contains(status) ? .unreadable : .unavailable
        case .exception, .document, .otherKind, .answer: .unreadable
        case .crs, .wms, .wmsc, .wmts, .tms, .wfs, .ogcAPI, .other: .notOffered
        }
    }
}

extension ServiceError.Cause: CustomStringConvertible {
    /// The cause in one line, with the message of the server if there is one.
    package var description: String {
        switch self {
        case .fetch(let error):
            // A detail may repeat the text of the code.
            error.detail == error.code.words ? error.detail : "\(error.code.words): \(error.detail)"
        case .status(let status): HTTPStatus.words(status)
        case .exception(let exception, let status):
            status == 200
                ? "error from the server: \(exception)" : "error from the server (HTTP \(status)): \(exception)"
        case .document(let error, let status):
            (200..<300).contains(status) ? "\(error)" : "\(HTTPStatus.words(status)): \(error)"
        case .otherKind(let kind, let text):
            "this URL \(kind.words)" + (text.isEmpty ? "" : ", not as a service: \(text)")
        case .answer(let text), .other(let text): text
        case .crs(let error): error.description
        case .wms, .wmsc, .wmts, .tms, .wfs, .ogcAPI: refusal.map { "\($0)" } ?? ""
        }
    }

    /// An error of the negotiation with a service.
    private var refusal: (any Error)? {
        switch self {
        case .wms(let error): error
        case .wmsc(let error): error
        case .wmts(let error): error
        case .tms(let error): error
        case .wfs(let error): error
        case .ogcAPI(let error): error
        default: nil
        }
    }

    /// The unavailable name, a similar one, and the available names.
    private var missing: (kind: String, name: String, near: String?, offers: [String])? {
        switch self {
        case .wms(.layerNotFound(let name, let near, let offers)),
            .wmts(.layerNotFound(let name, let near, let offers)):
            ("layer", name, near, offers)
        case .wfs(.typeNotFound(let name, let near, let offers)): ("feature type", name, near, offers)
        case .ogcAPI(.collectionNotFound(let name, let near, let offers)): ("collection", name, near, offers)
        default: nil
        }
    }
}

extension ServiceError: MapErrorConvertible {
    package var mapError: MapError {
        var error = cause.mapError(code: code)
        let path = try? FileURL.path(of: url)
        error.place = MapError.Place(file: path, url: path == nil ? url : nil)
        error.httpStatus = status ?? error.httpStatus
        return error
    }
}

extension ServiceError.Cause {
    fileprivate func mapError(code: ServiceError.Code) -> MapError {
        let usual: MapError.Code =
            switch code {
            case .notFound: .notFound
            case .unreadable: .malformedDocument
            case .notOffered: .notOffered
            case .cancelled: .cancelled
            default: .unavailable
            }
        switch self {
        case .fetch(let error): return error.mapError
        case .status: return MapError(.httpStatus, description)
        case .exception: return MapError(.serviceException, description)
        case .document(let error, let status):
            let isAnswer = (200..<300).contains(status)
            return MapError(isAnswer ? usual : .httpStatus, description, underlying: error)
        case .otherKind: return MapError(.unknownFormat, description)
        case .answer, .other: return MapError(usual, description)
        case .crs(let error): return error.mapError
        case .wms, .wmsc, .wmts, .tms, .wfs, .ogcAPI:
            guard let missing else { return MapError(usual, description, underlying: refusal) }
            let names = ReadableText.line(missing.offers.joined(separator: ", "), limit: 2000)
            return MapError(
                .notOffered, "unknown \(missing.kind) '\(missing.name)'",
                remedy: missing.offers.isEmpty ? nil : "available: \(names)",
                suggestions: [missing.near].compactMap(\.self), underlying: refusal)
        }
    }
}
