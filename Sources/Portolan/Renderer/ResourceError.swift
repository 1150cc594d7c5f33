package import PortolanCodecs
package import PortolanFetch
package import PortolanServices
import PortolanWeb

/// Why one resource of a picture is missing.
package enum ResourceError: Error, Sendable, CustomStringConvertible {
    /// It could not be fetched.
    case fetch(FetchError)
    /// The server answered with an exception of its own.
    case service(ServiceException, status: Int)
    /// The server answered with an error status.
    case status(Int)
    /// The server answered with nothing.
    case empty
    /// What came is a damaged image.
    case codec(CodecError)

    /// Whether the connection is at fault rather than what was asked.
    package var isConnectionLoss: Bool {
        guard case .fetch(let error) = self else { return false }
        return error.isConnectionLoss
    }

    /// The HTTP status of the answer that is at fault, where there was one.
    package var status: Int? {
        switch self {
        case .fetch(let error): error.status
        case .service(_, let status), .status(let status): status
        case .empty, .codec: nil
        }
    }

    /// Whether a smaller image may be had: the server refused with words of its own that name no other reason, or failed.
    package var mayBeSize: Bool {
        switch self {
        case .service(let exception, _): exception.code.map { !Self.otherReasons.contains($0) } ?? true
        case .status(let status): status == 413 || status == 500
        case .fetch, .empty, .codec: false
        }
    }

    private static let otherReasons: Set<ServiceException.Code> = [
        .invalidFormat, .invalidCRS, .invalidSRS, .layerNotDefined, .styleNotDefined, .missingDimensionValue,
        .invalidDimensionValue, .operationNotSupported,
    ]

    /// Whether it may well be had another time: the server, or the way to it, is at fault.
    var isPassing: Bool {
        switch self {
        case .fetch(let error): error.code != .cancelled
        case .service(_, let status), .status(let status): Freshness.isExcusable(status: status) || status == 200
        case .empty, .codec: true
        }
    }

    /// What is wrong, in one line, with the server's own words where it sent any.
    package var description: String {
        switch self {
        case .fetch(let error):
            // A detail may say no more than the code does.
            error.detail == error.code.words ? error.detail : "\(error.code.words): \(error.detail)"
        case .service(let exception, let status):
            status == 200 ? "the server says: \(exception)" : "the server says (HTTP \(status)): \(exception)"
        case .status(let status): "the server answered with \(HTTPStatus.words(status))"
        case .empty: "the server answered with an empty body"
        case .codec(let error): "\(error)"
        }
    }
}
