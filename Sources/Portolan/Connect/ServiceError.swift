public import PortolanFetch
public import PortolanGeo
public import PortolanServices
import PortolanWeb

/// Why a service cannot be used.
public struct ServiceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String { case unavailable, notFound, unreadable, notOffered, cancelled }
        private let kind: Kind

        /// The service cannot be reached, or answers with an error.
        public static let unavailable = Code(kind: .unavailable)
        /// The file does not exist.
        public static let notFound = Code(kind: .notFound)
        /// The answer cannot be understood.
        public static let unreadable = Code(kind: .unreadable)
        /// The service does not offer what is asked for.
        public static let notOffered = Code(kind: .notOffered)

        /// The task was cancelled.
        public static let cancelled = Code(kind: .cancelled)

        /// The name of the kind.
        public var description: String { kind.rawValue }
    }

    /// What failed, with the facts as fields.
    public enum Cause: Error, Hashable, Sendable {
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
    public let code: Code

    /// The address, without secrets.
    public let url: String

    /// What failed.
    public let cause: Cause

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
    public var status: Int? {
        switch cause {
        case .fetch(let error): error.status
        case .status(let status), .exception(_, let status), .document(_, let status): status
        default: nil
        }
    }

    /// The exception that the service answered with, or `nil`.
    public var exception: ServiceException? {
        if case .exception(let exception, _) = cause { exception } else { nil }
    }

    /// What the address turned out to be, where that is not the kind of service wanted; `nil` when that is not known.
    @inline(never) public var answersAs: AnswerKind? {
        // Not inlined: the optimizer of Swift 6.3.1 fails on it in callers that look at the code before.
        if case .otherKind(let kind, _) = cause { kind } else { nil }
    }

    /// What is wrong, for a person; it names what is offered instead.
    public var detail: String { cause.description }

    /// The address and what is wrong, in one line.
    public var description: String { "\(url): \(detail)" }
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
    public var description: String {
        switch self {
        case .fetch(let error):
            // A detail may say no more than the code does.
            error.detail == error.code.words ? error.detail : "\(error.code.words): \(error.detail)"
        case .status(let status): HTTPStatus.words(status)
        case .exception(let exception, let status):
            status == 200 ? "the server says: \(exception)" : "the server says (HTTP \(status)): \(exception)"
        case .document(let error, let status):
            (200..<300).contains(status) ? "\(error)" : "\(HTTPStatus.words(status)): \(error)"
        case .otherKind(let kind, let text):
            "this address \(kind.words)" + (text.isEmpty ? "" : ", not as a service: \(text)")
        case .answer(let text), .other(let text): text
        case .crs(let error): error.description
        case .wms(let error): error.description
        case .wmsc(let error): error.description
        case .wmts(let error): error.description
        case .tms(let error): error.description
        case .wfs(let error): error.description
        case .ogcAPI(let error): error.description
        }
    }
}
