package import PortolanFetch
package import PortolanGeo
package import PortolanServices
import PortolanWeb

/// A reason why a service cannot be used; a program sees it as a ``MapError``.
package struct ServiceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String { case unavailable, notFound, unreadable, notOffered, cancelled }
        private let kind: Kind

        /// The service cannot be reached, or answers with an error.
        package static let unavailable = Code(kind: .unavailable)
        /// The file does not exist.
        package static let notFound = Code(kind: .notFound)
        /// The answer cannot be understood.
        package static let unreadable = Code(kind: .unreadable)
        /// The service does not offer what is asked for.
        package static let notOffered = Code(kind: .notOffered)

        /// The task was cancelled.
        package static let cancelled = Code(kind: .cancelled)

        /// The name of the kind.
        package var description: String { kind.rawValue }
    }

    /// What failed, with the facts as fields.
    package enum Cause: Error, Hashable, Sendable {
        /// The document could not be fetched.
        case fetch(FetchError)
        /// The server answered with an error status and nothing else to go by.
        case status(Int)
        /// The service answered with an exception of its own.
        case exception(ServiceException, status: Int)
        /// The answer is no capabilities document, or a broken one.
        case document(CapabilitiesError, status: Int)
        /// The address is one of something else; the text is what a page says.
        case otherKind(AnswerKind, text: String)
        /// The answer to a query cannot be understood; the text says why.
        case answer(String)
        /// The reference system asked for is not known.
        case crs(CRSError)
        /// A WMS does not offer what is asked for.
        case wms(WMSNegotiationError)
        /// A WMS has no tile set (WMS-C) of what is asked for.
        case wmsc(WMSCError)
        /// A WMTS does not offer what is asked for.
        case wmts(WMTSError)
        /// A Tile Map Service does not offer what is asked for.
        case tms(TMSError)
        /// A WFS does not offer what is asked for.
        case wfs(WFSError)
        /// An OGC API does not offer what is asked for, or answers otherwise than it should.
        case ogcAPI(OGCAPIError)
        /// Anything else, in a sentence.
        case other(String)
    }

    /// The kind of failure.
    package let code: Code

    /// The address, without secrets.
    package let url: String

    /// What failed.
    package let cause: Cause

    /// Makes an error.
    ///
    /// - Parameter code: the kind of failure where the cause alone does not tell it.
    package init(_ cause: Cause, url: String, code: Code? = nil) {
        self.code = code ?? cause.code
        self.url = FetchError.redacted(url)
        self.cause = cause
    }

    /// Makes an error of which there is only a sentence.
    package init(_ code: Code, url: String, detail: String) { self.init(.other(detail), url: url, code: code) }

    /// The HTTP status of the answer that is at fault, where there was one.
    package var status: Int? {
        switch cause {
        case .fetch(let error): error.status
        case .status(let status), .exception(_, let status), .document(_, let status): status
        default: nil
        }
    }

    /// The exception that the service answered with, or `nil`.
    package var exception: ServiceException? {
        if case .exception(let exception, _) = cause { exception } else { nil }
    }

    /// What the address turned out to be, where that is not the kind of service wanted; `nil` when that is not known.
    @inline(never) package var answersAs: AnswerKind? {
        // Not inlined: the optimizer of Swift 6.3.1 fails on it in callers that look at the code before.
        if case .otherKind(let kind, _) = cause { kind } else { nil }
    }

    /// What is wrong, for a person; it names what is offered instead.
    package var detail: String { cause.description }

    /// The address and what is wrong, in one line.
    package var description: String { "\(url): \(detail)" }
}

extension ServiceError {
    /// Why an answer is not the document asked for; a body that says nothing useful is less to go by than its status.
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

    /// Whether the server answered at all, if with something else than was asked for.
    package var isAnswer: Bool {
        switch cause {
        case .fetch: code == .unreadable
        case .status, .exception, .document, .otherKind, .answer: true
        case .crs, .wms, .wmsc, .wmts, .tms, .wfs, .ogcAPI, .other: code == .unreadable
        }
    }

    /// Whether a server has understood that it was asked, and may have an answer to another question.
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
        // A page with an error status is an error; a document that is broken is one whatever its status.
        case .document(.otherDocument, let status): (200..<300).contains(status) ? .unreadable : .unavailable
        case .exception, .document, .otherKind, .answer: .unreadable
        case .crs, .wms, .wmsc, .wmts, .tms, .wfs, .ogcAPI, .other: .notOffered
        }
    }
}

extension ServiceError.Cause: CustomStringConvertible {
    /// What is wrong, in one line, with the server's own words where it sent any.
    package var description: String {
        switch self {
        case .fetch(let error):
            // A detail may say no more than the code does.
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

    /// The error of a negotiation with a service.
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

    /// The name that a service does not offer, one near it, and the names that it offers.
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
                .notOffered, "the service has no \(missing.kind) '\(missing.name)'",
                remedy: missing.offers.isEmpty ? nil : "it offers: \(names)",
                suggestions: [missing.near].compactMap(\.self), underlying: refusal)
        }
    }
}
