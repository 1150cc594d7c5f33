import Foundation
public import PortolanFetch
import PortolanWeb

/// Recorded responses on disk, one file per request, which ``RecordingTransport`` writes and ``ReplayTransport`` reads.
///
/// A file has the URL without secrets, the status, the header fields and the body, as text that `less` can show up to
/// the body. Header fields with secrets (`Set-Cookie`, `Authorization` and so on) are left out.
struct Recording {
    /// The error of a recording.
    struct Fault: Error {
        let detail: String
    }

    private static let firstLine = "portolan-recording 1"
    private static let unrecordedHeaders = [
        "Set-Cookie", "WWW-Authenticate", "Proxy-Authenticate", "Authorization", "Authentication-Info", "Cookie",
    ]

    let folder: URL

    /// Returns the file of a request: the same for the same URL, regardless of the secrets in it and the header fields.
    func file(for request: HTTPRequest) -> URL {
        let shown = FetchError.redacted(request.url)
        // 64-bit FNV-1a: the name need only be the same on each machine.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in Recording.key(request.url).utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let words = shown.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.joined(separator: "-").suffix(60)
        let digits = String(hash, radix: 16)
        return folder.appending(path: "\(words)-\(String(repeating: "0", count: 16 - digits.count))\(digits).http")
    }

    /// Returns the key of a request, for a URL of any length.
    private static func key(_ url: String) -> String {
        guard let parts = URLParts(url) else { return FetchError.redactedWhole(url) }
        let fields = (parts.query ?? "").split(separator: "&", omittingEmptySubsequences: false)
        return ([parts.origin + parts.path] + fields.map { FetchError.redactedWhole("http://x/?" + $0) })
            .joined(separator: "&")
    }

    func write(_ response: HTTPResponse, for request: HTTPRequest) throws {
        var lines = [Recording.firstLine, "url: \(FetchError.redactedWhole(request.url))"]
        lines += ["answered-by: \(FetchError.redactedWhole(response.url))", "status: \(response.status)"]
        for header in response.headers where !Recording.unrecordedHeaders.contains(where: header.isNamed) {
            lines.append("header: \(header.name): \(header.value)")
        }
        let text = (lines + ["body: \(response.body.count)", ""]).joined(separator: "\n")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(Array(text.utf8) + response.body).write(to: file(for: request), options: .atomic)
    }

    /// Returns the recorded response to a request, or `nil` without a recording.
    func read(for request: HTTPRequest) throws(Fault) -> HTTPResponse? {
        let file = file(for: request)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        guard let data = try? Data(contentsOf: file) else { throw Fault(detail: "cannot read \(file.path)") }
        var rest = Array(data)[...]
        func line() -> String? {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            defer { rest = rest[(end + 1)...] }
            return String(decoding: rest[..<end], as: UTF8.self)
        }
        guard line() == Recording.firstLine else { throw Fault(detail: "\(file.path) is not a recording") }
        var response = HTTPResponse(status: 0, url: request.url)
        while let text = line() {
            let parts = text.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
            guard parts.count == 2 else { break }
            switch parts[0] {
            case "status": response.status = Int(parts[1]) ?? 0
            case "answered-by" where !parts[1].contains("***"): response.url = String(parts[1])
            case "header":
                let field = parts[1].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                guard field.count == 2 else { throw Fault(detail: "\(file.path) has an invalid header: \(text)") }
                response.headers.append(
                    HTTPHeader(name: String(field[0]), value: String(field[1].drop { $0 == " " })))
            case "body":
                guard (100...599).contains(response.status), Int(parts[1]) == rest.count else {
                    throw Fault(detail: "\(file.path) is damaged: status \(response.status), \(rest.count) bytes")
                }
                response.body = Array(rest)
                return response
            default: continue
            }
        }
        throw Fault(detail: "\(file.path) is damaged: no body")
    }
}

/// A transport that passes requests to another one and records the responses in a folder, for a ``ReplayTransport``.
///
/// A later response for the same URL replaces the earlier one. Secrets in URLs and header fields are not written, but
/// those in bodies are.
public final class RecordingTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let recording: Recording

    /// Creates a transport that writes to a folder, which is created if necessary.
    ///
    /// - Parameters:
    ///   - transport: provides the responses; see `systemTransport(userAgent:)`.
    ///   - folder: the path of the folder.
    public init(over transport: any HTTPTransport, folder: String) {
        self.transport = transport
        recording = Recording(folder: URL(filePath: folder, directoryHint: .isDirectory))
    }

    /// Returns the response of the other transport after it was recorded.
    ///
    /// - Throws: the errors of the other transport, or ``FetchError/Code/transportFailure`` if it cannot be written.
    public func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
        let response = try await transport.send(request)
        do { try recording.write(response, for: request) } catch {
            let path = recording.file(for: request).path
            throw FetchError(
                .transportFailure, url: request.url,
                detail: "cannot record the response in \(path): \(error.localizedDescription)")
        }
        return response
    }
}

/// A transport that responds with the recordings of a ``RecordingTransport``, without the network.
public final class ReplayTransport: HTTPTransport {
    private let recording: Recording

    /// Creates a transport that reads from a folder.
    ///
    /// - Parameter folder: the path of the folder.
    public init(folder: String) {
        recording = Recording(folder: URL(filePath: folder, directoryHint: .isDirectory))
    }

    /// Returns the recorded response for the URL of `request`, ignoring its header fields.
    ///
    /// - Throws: ``FetchError/Code/noRecording`` if it is missing or damaged; the detail states its location and the
    ///   remedy.
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
                detail: "no recording (\(path)); run once with a RecordingTransport to make it")
        }
        guard response.body.count <= request.maximumBodyByteCount else {
            throw .bodyTooLarge(url: request.url, limit: request.maximumBodyByteCount, status: response.status)
        }
        return response
    }
}
