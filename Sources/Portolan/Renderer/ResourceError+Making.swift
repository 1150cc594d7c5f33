import PortolanCodecs
import PortolanFetch
package import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanWeb

extension ResourceError {
    /// Why a transfer brought nothing.
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
            // A detail may say no more than the code does.
            message: error.detail == error.code.words ? error.detail : "\(error.code.words): \(error.detail)")
    }

    /// That a resource had not come when the time for the picture was over.
    static func late(_ resource: Resource.Location) -> ResourceError {
        ResourceError(
            .deadline, place: FetchError.redacted(resource.description),
            message: "not received before the deadline of the picture")
    }

    /// The exception that a service answered with.
    init(_ exception: ServiceException, in response: HTTPResponse) {
        let status = response.status
        self.init(
            .exception, status: status, exceptionCode: exception.code, place: FetchError.redacted(response.url),
            message: status == 200
                ? "error from the server: \(exception)" : "error from the server (HTTP \(status)): \(exception)")
    }

    /// The error status that a server answered with.
    static func status(of response: HTTPResponse) -> ResourceError {
        ResourceError(
            .status, status: response.status, place: FetchError.redacted(response.url),
            message: "\(HTTPStatus.words(response.status))")
    }

    /// That a server answered with nothing.
    static func empty(_ response: HTTPResponse) -> ResourceError {
        ResourceError(
            .empty, status: response.status, place: FetchError.redacted(response.url),
            message: "empty response body")
    }

    /// That a file is of no format of images that is known.
    static func noPicture(_ response: HTTPResponse) -> ResourceError {
        ResourceError(
            .damaged, status: response.status, place: FetchError.redacted(response.url),
            message: "not an image of a known format")
    }

    /// Why what came is no image.
    init(_ error: CodecError, in response: HTTPResponse) {
        self.init(
            .damaged, status: response.status, place: FetchError.redacted(response.url), message: error.description)
    }

    /// That there is no memory for what came.
    init(_ error: MemoryError, size: ImageSize, in response: HTTPResponse) {
        self.init(
            .memory, status: response.status, place: FetchError.redacted(response.url),
            message: "an image of \(size) pixels: \(error)")
    }

    /// Whether the connection is at fault rather than what was asked.
    var isConnectionLoss: Bool { cause == .connection }

    /// Whether it may well be had another time: the server, or the way to it, is at fault.
    var isPassing: Bool {
        switch cause {
        case .cancelled, .deadline, .memory, .notDrawn, .service: false
        case .connection, .transfer, .notFound, .offline, .empty, .damaged: true
        case .exception, .status: status.map { Freshness.isExcusable(status: $0) || $0 == 200 } ?? true
        }
    }
}
