import PortolanWeb

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Answers `file:` URLs (RFC 8089) from regular files of this machine, with status 200.
///
/// Timeouts do not hold here; the limit of the body does. Devices, pipes and directories are refused, so that a read ends.
package struct FileTransport: HTTPTransport {
    private static let chunkByteCount = 1 << 20

    /// Makes the transport.
    package init() {}

    /// The content of the file that `request.url` names.
    @concurrent
    package func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
        let path = try FileTransport.path(of: request.url)
        // O_NONBLOCK: opening a pipe nobody writes to must not wait. The path lives, terminated, during the call.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let reason = errno
            let code: FetchError.Code = reason == ENOENT || reason == ENOTDIR ? .fileNotFound : .unreadableFile
            throw FetchError(code, url: request.url, detail: FileTransport.text(of: reason))
        }
        defer { _ = close(descriptor) }
        let size = try FileTransport.size(of: descriptor, request: request)
        let body = try FileTransport.read(descriptor, expected: size, request: request)
        let length = HTTPHeader(name: "Content-Length", value: String(body.count))
        return HTTPResponse(status: 200, headers: [length], body: body, url: request.url)
    }

    /// The path in a `file:` URL; the host must be empty or `localhost`.
    package static func path(of url: String) throws(FetchError) -> String {
        guard let parts = URLParts(url) else {
            throw FetchError(.invalidURL, url: url, detail: URLParts.fault(of: url))
        }
        guard parts.scheme == "file" else {
            throw FetchError(.unsupportedScheme, url: url, detail: "scheme \(parts.scheme): is not file")
        }
        guard parts.host.isEmpty || parts.host == "localhost", parts.userInfo == nil, parts.port == nil else {
            throw FetchError(.invalidURL, url: url, detail: "a file: URL with a host names a file of another machine")
        }
        guard let bytes = PercentEncoding.decode(parts.path.utf8), !bytes.contains(0),
            let path = String(validating: bytes, as: UTF8.self)
        else {
            throw FetchError(.invalidURL, url: url, detail: "the path has a broken escape, a zero byte or is not UTF-8")
        }
        guard path.hasPrefix("/") else {
            throw FetchError(.invalidURL, url: url, detail: "the path is not absolute; write file:///…")
        }
        return path
    }

    private static func size(of descriptor: Int32, request: HTTPRequest) throws(FetchError) -> Int {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw FetchError(.unreadableFile, url: request.url, detail: text(of: errno))
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FetchError(.unreadableFile, url: request.url, detail: "this is not a regular file")
        }
        guard Int(status.st_size) <= request.maximumBodyByteCount else {
            throw .bodyTooLarge(url: request.url, limit: request.maximumBodyByteCount)
        }
        return max(0, Int(status.st_size))
    }

    /// Reads to the end of the file, which may meanwhile be longer or shorter than `expected`.
    private static func read(
        _ descriptor: Int32, expected: Int, request: HTTPRequest
    ) throws(FetchError) -> [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(expected)
        var chunk = [UInt8](repeating: 0, count: min(chunkByteCount, expected + 1))
        while true {
            if Task.isCancelled { throw .cancelled(url: request.url) }
            // At most `buffer.count` bytes are written, to memory that is the chunk's for the duration of the call.
            let count = unsafe chunk.withUnsafeMutableBytes { buffer in
                unsafe systemRead(descriptor, buffer.baseAddress, buffer.count)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw FetchError(.unreadableFile, url: request.url, detail: text(of: errno))
            }
            if count == 0 { return body }
            guard count <= request.maximumBodyByteCount - body.count else {
                throw .bodyTooLarge(url: request.url, limit: request.maximumBodyByteCount)
            }
            body += chunk[..<count]
        }
    }

    private static func text(of reason: Int32) -> String {
        switch reason {
        case ENOENT, ENOTDIR: "there is no such file"
        case EACCES, EPERM: "reading it is not permitted"
        case ELOOP: "its symbolic links go round in a circle"
        case EMFILE, ENFILE: "too many files are open"
        default: "the system reports error \(reason)"
        }
    }
}

/// `read(2)`, under a name of its own so that the transport's `read` does not hide it.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(descriptor, bytes, count)
}
