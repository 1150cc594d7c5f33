#if os(Linux)
import Synchronization
import TestHelpers

/// A web server on 127.0.0.1 with responses by path, which keeps the requested targets.
final class SmallWebServer: Sendable {
    struct Answer: Sendable {
        var status = 200
        var type = "text/plain"
        var headers: [String] = []
        var body: [UInt8] = []
    }

    private let listener: LoopbackListener
    private let asked = Mutex<[String]>([])

    var url: String { "http://127.0.0.1:\(listener.port)" }
    /// The targets of the requests so far.
    var targets: [String] { asked.withLock { $0 } }

    init(_ answer: @escaping @Sendable (_ target: String) -> Answer) throws {
        listener = try LoopbackListener()
        listener.start { [self] descriptor in
            guard let head = LoopbackSocket.readHead(descriptor) else { return }
            let target = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
            asked.withLock { $0.append(target) }
            let answer = answer(target)
            let lines =
                [
                    "HTTP/1.1 \(answer.status) Status", "Content-Type: \(answer.type)",
                    "Content-Length: \(answer.body.count)", "Connection: close",
                ] + answer.headers
            _ = LoopbackSocket.send(
                Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + answer.body, to: descriptor)
        }
    }

    func stop() { listener.stop() }
}
#endif
