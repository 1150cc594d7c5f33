import PortolanArchives
import PortolanFetch
import PortolanPlan
import PortolanWeb

/// The failure of reading an archive on a server by range requests.
enum RemoteArchiveError: Error, Sendable {
    /// The archive changed again after reading was restarted.
    case changed
    /// A range could not be transferred.
    case fetch(FetchError)
    /// The server answered with something other than the range.
    case range(ByteRange.Fault)
    /// The file ends before bytes that it refers to.
    case ended(byteCount: Int)
    /// The archive does not follow the format.
    case archive(PMTilesError)
    /// The image does not follow the format.
    case image(ArchiveError)

    /// The failure, without the address, with a remedy.
    private var detail: String {
        switch self {
        case .changed, .range(.changed):
            "the file was replaced while it was read, more than once; try again when its update is complete"
        case .fetch(let error) where error.code == .bodyTooLarge:
            "the server ignored the range request and sent the whole file, which has more than "
                + "\(RemoteRanges.wholeByteLimit >> 20) MiB; download it and draw the file, or use a server "
                + "that supports range requests"
        case .fetch(let error): error.detail == error.code.words ? error.detail : "\(error.code.words): \(error.detail)"
        case .range(.status(let status)): "the server answered a range request with \(HTTPStatus.words(status))"
        case .range(.encoded(let encoding)):
            "the server sent a range with Content-Encoding \(encoding), which cannot be unpacked; turn off compression "
                + "of such files on the server"
        case .range(.mismatch(let detail)): detail
        case .ended(let byteCount): "the file ends at byte \(byteCount), before bytes that it refers to"
        case .archive(let error): error.code == .wrongFormat ? error.reason : error.description
        case .image(let error): error.detail
        }
    }

    /// The failure as that of a resource at an address.
    func resourceError(at url: String) -> ResourceError {
        let place = FetchError.redacted(url)
        switch self {
        case .fetch(let error) where error.code != .bodyTooLarge: return ResourceError(error)
        case .range(.status(let status)):
            return ResourceError(.status, status: status, place: place, message: detail)
        case .fetch, .range(.encoded), .range(.mismatch): return ResourceError(.transfer, place: place, message: detail)
        case .changed, .range(.changed), .ended, .archive, .image:
            return ResourceError(.damaged, place: place, message: detail)
        }
    }

    /// The failure as that of a service at an address.
    func serviceError(at url: String) -> ServiceError {
        switch self {
        case .fetch(let error) where error.code != .bodyTooLarge: ServiceError(.fetch(error), url: url)
        case .range(.status(let status)): ServiceError(.status(status), url: url)
        case .changed, .range(.changed): ServiceError(.unavailable, url: url, detail: detail)
        case .fetch, .range: ServiceError(.notOffered, url: url, detail: detail)
        case .ended, .archive, .image: ServiceError(.unreadable, url: url, detail: detail)
        }
    }
}
