public import PortolanServices

/// Why a resource, or all of a layer, is missing: a cause to decide on, and a sentence for a person.
public struct ResourceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure; its raw value is the `code` of reports.
    public enum Cause: String, Hashable, Sendable, CaseIterable, Codable {
        /// The server could not be reached, or the connection broke.
        case connection
        /// The request was given up.
        case cancelled
        /// It had not come when the time for the picture was over.
        case deadline
        /// The address, the file or the answer is not allowed here, or cannot be used.
        case transfer
        /// There is no such file, or no such entry in an archive.
        case notFound
        /// Nobody is asked, and it is not in the cache.
        case offline
        /// The service answered with an exception of its own.
        case exception
        /// The server answered with an error status.
        case status
        /// The server answered with nothing.
        case empty
        /// What came is no image, or a damaged one.
        case damaged
        /// There is no room for it in the budget of memory.
        case memory
        /// The layer cannot be drawn for this view.
        case notDrawn
        /// The layer cannot be made of its service or file.
        case service
    }

    /// The kind of failure.
    public let cause: Cause
    /// The HTTP status of the answer, or `nil` where none came.
    public let status: Int?
    /// The code of the service's exception, or `nil` where it gave none.
    public let exceptionCode: ServiceException.Code?
    /// The address without secrets, or the file.
    public let place: String
    /// What is wrong, in one line, with the server's own words where it sent any.
    public let message: String

    /// Makes an error.
    public init(
        _ cause: Cause, status: Int? = nil, exceptionCode: ServiceException.Code? = nil, place: String, message: String
    ) {
        self.cause = cause
        self.status = status
        self.exceptionCode = exceptionCode
        self.place = place
        self.message = message
    }

    /// What is wrong, in one line.
    public var description: String { message }

    /// Whether a smaller image may be had: the service refused for no other known reason, or failed.
    var mayBeSize: Bool {
        switch cause {
        case .exception: exceptionCode.map { !Self.otherReasons.contains($0) } ?? true
        case .status: status == 413 || status == 500
        case .connection, .cancelled, .deadline, .transfer, .notFound, .offline, .empty, .damaged, .memory, .notDrawn,
            .service:
            false
        }
    }

    /// Whether the address was refused for its length (RFC 9110, 15.5.15; RFC 6585, 5).
    var isLength: Bool { status == 414 || status == 431 }

    /// Whether the address may have been refused for its length.
    ///
    /// - Parameter address: the address that was asked for.
    func mayBeLength(of address: String) -> Bool {
        switch cause {
        case .status, .exception:
            // Some answer so without a word to what they cannot hold, and to much else.
            isLength || [400, 404, 413].contains(status) && address.utf8.count > Self.longAddress
        case .connection: address.utf8.count > Self.longAddress
        case .cancelled, .deadline, .transfer, .notFound, .offline, .empty, .damaged, .memory, .notDrawn, .service:
            false
        }
    }

    /// What some servers do not take (RFC 9110, 4.1 asks for 8000 bytes).
    static let longAddress = 2000

    /// Whether the service may draw the image in a format named otherwise: it refused for that or no known reason.
    ///
    /// The exceptions of version 1.0.0 have no codes.
    var mayBeFormat: Bool {
        cause == .exception && (exceptionCode == nil || exceptionCode == .invalidFormat)
    }

    private static let otherReasons: Set<ServiceException.Code> = [
        .invalidFormat, .invalidCRS, .invalidSRS, .layerNotDefined, .styleNotDefined, .missingDimensionValue,
        .invalidDimensionValue, .operationNotSupported,
    ]

    /// Whether the server wants no more requests like this one.
    package var asksToStop: Bool {
        switch cause {
        case .status, .exception: status.map { [401, 403, 418, 429].contains($0) } ?? false
        default: false
        }
    }
}
