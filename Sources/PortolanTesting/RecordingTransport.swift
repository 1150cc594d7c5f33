import Foundation
public import PortolanFetch

/// A transport that passes requests on to another and keeps the answers in a folder, for a ``ReplayTransport``.
///
/// A later answer for the same URL takes the place of the earlier. Secrets in URLs and in header fields are not written;
/// those in bodies are.
public final class RecordingTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let recording: Recording

    /// Makes a transport that writes to a folder, which is made when it is not there.
    ///
    /// - Parameters:
    ///   - transport: gives the answers; see `systemTransport(userAgent:)`.
    ///   - folder: the path of the folder.
    public init(over transport: any HTTPTransport, folder: String) {
        self.transport = transport
        recording = Recording(folder: URL(filePath: folder, directoryHint: .isDirectory))
    }

    /// The answer of the other transport, once it is on disk.
    ///
    /// - Throws: what the other transport throws; ``FetchError/Code/transportFailure`` when it cannot be written.
    public func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
        let response = try await transport.send(request)
        do { try recording.write(response, for: request) } catch {
            let path = recording.file(for: request).path
            throw FetchError(
                .transportFailure, url: request.url,
                detail: "the answer cannot be recorded in \(path): \(error.localizedDescription)")
        }
        return response
    }
}
