import PortolanFetch
import PortolanTesting
import Synchronization

/// A server of one file by ranges, whose faults are those that tests need.
final class RangeServer: Sendable {
    struct Behaviour: Sendable {
        var tag: String? = "\"1\""
        /// Whether `Range` is ignored.
        var sendsWhole = false
        /// Whether `If-Match` is ignored.
        var ignoresConditions = false
        var encoding: String?
        var cacheControl: String? = "max-age=3600"
    }

    private let state: Mutex<(file: [UInt8], behaviour: Behaviour, isGone: Bool)>
    private let asked = Mutex<[String]>([])

    init(_ file: [UInt8], _ behaviour: Behaviour = Behaviour()) { state = Mutex((file, behaviour, false)) }

    /// The ranges requested so far, with the statuses of the responses.
    var log: [String] { asked.withLock { $0 } }

    /// Puts another file in the place of the first one.
    func replace(_ file: [UInt8], tag: String?) {
        state.withLock {
            $0.file = file
            $0.behaviour.tag = tag
        }
    }

    /// Answers no more.
    func stop() { state.withLock { $0.isGone = true } }

    var transport: StubTransport { StubTransport { request throws(FetchError) in try self.answer(request) } }

    private func answer(_ request: HTTPRequest) throws(FetchError) -> HTTPResponse {
        let (file, behaviour, isGone) = state.withLock { $0 }
        if isGone { throw FetchError(.cannotConnect, url: request.url, detail: "nobody is there") }
        let response = Self.response(to: request, file, behaviour)
        asked.withLock { $0.append("\(request.header("Range")?.dropFirst(6) ?? "all") \(response.status)") }
        guard response.body.count <= request.maximumBodyByteCount else {
            throw FetchError.bodyTooLarge(url: request.url, limit: request.maximumBodyByteCount)
        }
        return response
    }

    private static func response(to request: HTTPRequest, _ file: [UInt8], _ behaviour: Behaviour) -> HTTPResponse {
        var headers: [HTTPHeader] = []
        if let tag = behaviour.tag { headers.append(HTTPHeader(name: "ETag", value: tag)) }
        if let control = behaviour.cacheControl { headers.append(HTTPHeader(name: "Cache-Control", value: control)) }
        func made(_ status: Int, _ body: [UInt8] = []) -> HTTPResponse {
            HTTPResponse(status: status, headers: headers, body: body, url: request.url)
        }
        if !behaviour.ignoresConditions, let wanted = request.header("If-Match"), wanted != behaviour.tag {
            return made(412)
        }
        if let known = request.header("If-None-Match"), known == behaviour.tag { return made(304) }
        let ends = request.header("Range")?.dropFirst(6).split(separator: "-").compactMap { Int($0) } ?? []
        guard !behaviour.sendsWhole, ends.count == 2 else { return made(200, file) }
        guard ends[0] < file.count else { return made(416) }
        let last = min(ends[1], file.count - 1)
        headers.append(HTTPHeader(name: "Content-Range", value: "bytes \(ends[0])-\(last)/\(file.count)"))
        if let encoding = behaviour.encoding { headers.append(HTTPHeader(name: "Content-Encoding", value: encoding)) }
        return made(206, Array(file[ends[0]...last]))
    }
}
