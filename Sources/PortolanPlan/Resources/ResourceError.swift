public import PortolanServices

/// The reason why a resource, or a whole layer, is missing: a cause for decisions and a message for display.
public struct ResourceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    ///
    /// Its raw value is the `code` of reports.
    public enum Cause: String, Hashable, Sendable, CaseIterable, Codable {
        /// The server could not be reached, or the connection was lost.
        case connection
        /// The request was cancelled.
        case cancelled
        /// It had not arrived by the time limit of the picture.
        case deadline
        /// The address, file or response is not allowed or not usable.
        case transfer
        /// The file, or the entry in an archive, does not exist.
        case notFound
        /// Network access is disabled, and the cache does not contain it.
        case offline
        /// The service returned a service exception.
        case exception
        /// The server returned an error status.
        case status
        /// The response was empty.
        case empty
        /// The response is not an image, or the image is damaged.
        case damaged
        /// The memory budget has no room for it.
        case memory
        /// The layer cannot be drawn for this view.
        case notDrawn
        /// The layer cannot be created from its service or file.
        case service
    }

    /// The kind of failure.
    public let cause: Cause
    /// The HTTP status of the response, or `nil` without a response.
    public let status: Int?
    /// The code of the service exception, or `nil` if it had none.
    public let exceptionCode: ServiceException.Code?
    /// The address without secrets, or the file.
    public let place: String
    /// The failure in one line, with the message of the server if it sent any.
    public let message: String

    /// Creates an error.
    public init(
        _ cause: Cause, status: Int? = nil, exceptionCode: ServiceException.Code? = nil, place: String, message: String
    ) {
        self.cause = cause
        self.status = status
        self.exceptionCode = exceptionCode
        self.place = place
        self.message = message
    }

    /// The failure in one line.
    public var description: String { message }

    /// Whether a smaller image may succeed: the service failed, or refused for no other known reason.
    var mayBeSize: Bool {
        switch cause {
        case .exception: exceptionCode.map { !Self.otherReasons.contains($0) } ?? true
        case .status: status == 413 || status == 500
        case .connection, .cancelled, .deadline, .transfer, .notFound, .offline, .empty, .damaged, .memory, .notDrawn,
            .service:
            false
        }
    }

    /// Whether the address was refused because of its length (RFC 9110, 15.5.15; RFC 6585, 5).
    var isLength: Bool { status == 414 || status == 431 }

    /// Returns whether the address may have been refused because of its length.
    ///
    /// - Parameter address: the requested address.
    func mayBeLength(of address: String) -> Bool {
        switch cause {
        case .status, .exception:
            // Some servers return these statuses without a message for overlong addresses, but also for other reasons.
            isLength || [400, 404, 413].contains(status) && address.utf8.count > Self.longAddress
        case .connection: address.utf8.count > Self.longAddress
        case .cancelled, .deadline, .transfer, .notFound, .offline, .empty, .damaged, .memory, .notDrawn, .service:
            false
        }
    }

    /// The length from which some servers refuse addresses (RFC 9110, 4.1 requires 8000 bytes).
    static let longAddress = 2000

    /// Whether the service may accept the image format by another name: it refused the format, or gave no known reason.
    ///
    /// The exceptions of version 1.0.0 have no codes.
    var mayBeFormat: Bool {
        cause == .exception && (exceptionCode == nil || exceptionCode == .invalidFormat)
    }

    private static let otherReasons: Set<ServiceException.Code> = [
        .invalidFormat, .invalidCRS, .invalidSRS, .layerNotDefined, .styleNotDefined, .missingDimensionValue,
        .invalidDimensionValue, .operationNotSupported,
    ]

    /// Whether the server rejects further requests of this kind.
    package var asksToStop: Bool {
        switch cause {
        case .status, .exception: status.map { [401, 403, 418, 429].contains($0) } ?? false
        default: false
        }
    }
}
