package import PortolanWeb

/// Handles `file:` URLs (RFC 8089) of local regular files, with status 200.
///
/// The body limit applies, but timeouts do not.
package struct FileTransport: HTTPTransport {
    /// Creates the transport.
    package init() {}

    /// Returns the content of the file of `request.url`.
    @concurrent
    package func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
        let path = try FileTransport.path(of: request.url)
        let body: [UInt8]
        do throws(LocalFileError) {
            body = try LocalFile(at: path, namedBy: request.origin, policy: request.policy)
                .bytes(limit: request.maximumBodyByteCount, endsWithTask: true)
        } catch { throw FetchError(error, url: request.url) }
        let length = HTTPHeader(name: "Content-Length", value: String(body.count))
        return HTTPResponse(status: 200, headers: [length], body: body, url: request.url)
    }

    /// Returns the path of a `file:` URL; the host must be empty or `localhost`.
    package static func path(of url: String) throws(FetchError) -> String {
        do throws(FileURL.Fault) { return try FileURL.path(of: url) } catch {
            switch error {
            case .invalid(let detail): throw FetchError(.invalidURL, url: url, detail: detail)
            case .scheme(let scheme):
                throw FetchError(.unsupportedScheme, url: url, detail: "scheme \(scheme): must be file")
            }
        }
    }
}

extension FetchError {
    /// Creates the error of a local file that cannot be read.
    package init(_ error: LocalFileError, url: String) {
        switch error.code {
        case .missing: self.init(.fileNotFound, url: url, detail: error.detail)
        case .tooLong: self.init(.bodyTooLarge, url: url, detail: error.detail)
        case .cancelled: self = .cancelled(url: url)
        case .refused(let refusal): self.init(refusal, url: url)
        case .notPermitted, .folder, .notRegular, .system:
            self.init(.unreadableFile, url: url, detail: error.detail)
        }
    }
}
