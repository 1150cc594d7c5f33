import PortolanCodecs
import PortolanFetch
package import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanVectorTiles
import PortolanWeb

extension ResourceError {
    /// Creates the error of a failed transfer.
    package init(_ error: FetchError) {
        let cause: Cause =
            switch error.code {
            case .cancelled: .cancelled
            case .fileNotFound: .notFound
            case .offline: .offline
            default: error.isConnectionLoss ? .connection : .transfer
            }
        self.init(
            cause, status: error.status, place: FetchError.redacted(error.url),
            // The detail may repeat the text of the code.
            message: error.detail == error.code.words ? error.detail : "\(error.code.words): \(error.detail)")
    }

    /// Returns the error of a resource that was not received before the deadline.
    static func late(_ resource: Resource.Location) -> ResourceError {
        ResourceError(
            .deadline, place: FetchError.redacted(resource.description),
            message: "not received before the deadline of the picture")
    }

    /// Creates the error of a service exception.
    init(_ exception: ServiceException, in response: HTTPResponse) {
        let status = response.status
        self.init(
            .exception, status: status, exceptionCode: exception.code, place: FetchError.redacted(response.url),
            message: status == 200
                ? "error from the server: \(exception)" : "error from the server (HTTP \(status)): \(exception)")
    }

    /// Returns the error of an error status.
    static func status(of response: HTTPResponse) -> ResourceError {
        ResourceError(
            .status, status: response.status, place: FetchError.redacted(response.url),
            message: "\(HTTPStatus.words(response.status))")
    }

    /// Returns the error of an empty response.
    static func empty(_ response: HTTPResponse) -> ResourceError {
        ResourceError(
            .empty, status: response.status, place: FetchError.redacted(response.url),
            message: "empty response body")
    }

    /// Returns the error of a file without a known image format.
    static func noPicture(_ response: HTTPResponse) -> ResourceError {
        ResourceError(
            .damaged, status: response.status, place: FetchError.redacted(response.url),
            message: "not an image of a known format")
    }

    /// Creates the error of an image that cannot be decoded.
    init(_ error: CodecError, in response: HTTPResponse) {
        self.init(
            .damaged, status: response.status, place: FetchError.redacted(response.url), message: error.description)
    }

    /// Creates the error of a vector tile that cannot be decoded.
    init(_ error: VectorTileError, in response: HTTPResponse) {
        self.init(
            .damaged, status: response.status, place: FetchError.redacted(response.url),
            message: "invalid vector tile: \(error)")
    }

    /// Creates the error of a response that exceeds the memory budget.
    init(_ error: MemoryBudget.ExceededError, size: ImageSize, in response: HTTPResponse) {
        self.init(
            .memory, status: response.status, place: FetchError.redacted(response.url),
            message: "an image of \(size) pixels: \(error)")
    }

    /// Whether the connection is the cause, and not the request.
    var isConnectionLoss: Bool { cause == .connection }

    /// Whether the error may be temporary, caused by the server or the network.
    var isPassing: Bool {
        switch cause {
        case .cancelled, .deadline, .memory, .notDrawn, .service: false
        case .connection, .transfer, .notFound, .offline, .empty, .damaged: true
        case .exception, .status: status.map { Freshness.isExcusable(status: $0) || $0 == 200 } ?? true
        }
    }
}
