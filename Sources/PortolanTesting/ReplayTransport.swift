import Foundation
public import PortolanFetch

/// A transport that answers with what a ``RecordingTransport`` kept, without the network.
public final class ReplayTransport: HTTPTransport {
    private let recording: Recording

    /// Makes a transport that reads from a folder.
    ///
    /// - Parameter folder: the path of the folder.
    public init(folder: String) {
        recording = Recording(folder: URL(filePath: folder, directoryHint: .isDirectory))
    }

    /// The answer recorded for the URL of `request`; its header fields do not matter.
    ///
    /// - Throws: ``FetchError/Code/noRecording`` when there is none, or it is damaged; the detail says where it is looked
    ///   for and what to do.
    public func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
        if Task.isCancelled { throw .cancelled(url: request.url) }
        let response: HTTPResponse?
        do { response = try recording.read(for: request) } catch {
            throw FetchError(.noRecording, url: request.url, detail: "\(error.detail); record it again")
        }
        guard let response else {
            let path = recording.file(for: request).path
            throw FetchError(
                .noRecording, url: request.url,
                detail: "there is no recording of it (\(path)); run once with a RecordingTransport to make it")
        }
        guard response.body.count <= request.maximumBodyByteCount else {
            throw .bodyTooLarge(url: request.url, limit: request.maximumBodyByteCount, status: response.status)
        }
        return response
    }
}
