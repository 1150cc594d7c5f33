#if os(Linux)
import Glibc
import TestHelpers
import Synchronization

/// An HTTP server on 127.0.0.1 that passes requests on to a real one and does something wrong with the answer.
final class FaultyProxy: Sendable {
    /// The fault of a response.
    enum Fault: Sendable {
        /// It is passed on as it came.
        case none
        /// The connection ends without a byte.
        case silence
        /// The whole length is announced, but the connection ends after this number of bytes of the body.
        case closing(after: Int)
        /// The body is cut to this number of bytes, as stated by the header: the HTTP response is valid, the image is
        /// not.
        case truncating(to: Int)
        /// So many bytes of the body come, and then nothing more for ever.
        case stalling(after: Int)
        /// The body is another, under the header of the real answer, its status and its type.
        case replacing(String)
    }

    private struct State {
        var fault: @Sendable (_ target: String) -> Fault
        var targets: [String] = []
    }

    private let state: Mutex<State>
    private let listener: LoopbackListener
    private let realPort: UInt16
    /// Where it listens.
    var port: UInt16 { listener.port }

    /// Makes a proxy of the server whose address is `http://127.0.0.1:PORT/…`.
    init(of url: String) throws {
        let digits = url.split(separator: ":").last?.prefix { $0.isNumber } ?? ""
        guard let realPort = UInt16(digits) else { throw LoopbackSocket.Failure() }
        self.realPort = realPort
        state = Mutex(State(fault: { _ in .none }))
        listener = try LoopbackListener()
        // The threads hold the proxy until `stop`.
        listener.start { self.serve($0) }
    }

    /// An address of the real server, as it is reached through here.
    func url(_ real: String) -> String { real.replacing(":\(realPort)", with: ":\(port)") }

    /// The current faults, by path and query.
    func setFault(_ fault: @escaping @Sendable (_ target: String) -> Fault) { state.withLock { $0.fault = fault } }

    /// The current fault of all requests.
    func setFault(_ fault: Fault) { setFault { _ in fault } }

    /// The paths and queries so far.
    var targets: [String] { state.withLock { $0.targets } }

    /// Ends all connections and threads.
    func stop() { listener.stop() }

    /// Serves one request; the connection then ends, so that each fault has its own.
    private func serve(_ descriptor: Int32) {
        guard let head = LoopbackSocket.readHead(descriptor) else { return }
        let fields = head.split(separator: " ", maxSplits: 2)
        let target = fields.count > 1 ? String(fields[1]) : "/"
        let fault = state.withLock { state in
            state.targets.append(target)
            return state.fault(target)
        }
        if case .silence = fault { return }
        guard let answer = realAnswer(to: head, target: target) else { return }
        var body = answer.body
        var length = body.count
        var stalls = false
        switch fault {
        case .none, .silence: break
        case .closing(let count): body = Array(body.prefix(count))
        case .truncating(let count):
            body = Array(body.prefix(count))
            length = body.count
        case .stalling(let count):
            body = Array(body.prefix(count))
            stalls = true
        case .replacing(let text):
            body = Array(text.utf8)
            length = body.count
        }
        let header = answer.head + ["Content-Length: \(length)", "Connection: close"]
        guard LoopbackSocket.send(Array((header.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body, to: descriptor)
        else { return }
        if stalls { LoopbackSocket.waitForEnd(descriptor) }
    }

    /// The real server's answer; the `Host` stays the client's, so that addresses in documents lead through here.
    private func realAnswer(to head: String, target: String) -> (head: [String], body: [UInt8])? {
        guard let descriptor = LoopbackSocket.connect(port: realPort) else { return nil }
        defer { _ = close(descriptor) }
        let host = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("host:") } ?? "Host: 127.0.0.1"
        // An answer of HTTP 1.0 ends with its connection and is not in chunks.
        guard LoopbackSocket.send(Array("GET \(target) HTTP/1.0\r\n\(host)\r\n\r\n".utf8), to: descriptor) else {
            return nil
        }
        let answer = LoopbackSocket.readAll(descriptor)
        guard let end = answer.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        var lines = String(decoding: answer[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n").map(String.init)
        guard let status = lines.first else { return nil }
        lines[0] = "HTTP/1.1 " + status.drop { $0 != " " }.dropFirst()
        lines.removeAll { line in
            ["content-length:", "connection:", "transfer-encoding:"].contains { line.lowercased().hasPrefix($0) }
        }
        return (lines, Array(answer[end.upperBound...]))
    }
}
#endif
