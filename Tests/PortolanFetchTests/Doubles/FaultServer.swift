#if os(Linux)
import Glibc
import PortolanTestSupport
import Synchronization

/// An HTTP server on 127.0.0.1 that misbehaves to order: what it sends for each request is a list of steps.
final class FaultServer: Sendable {
    enum Step: Sendable {
        case send([UInt8])
        case pause(milliseconds: UInt32)
        /// Waits until the client has gone.
        case stall
        /// Ends the connection with RST.
        case reset
        /// Ends the connection.
        case close

        static func text(_ text: String) -> Step { .send(Array(text.utf8)) }
    }

    struct Request: Sendable {
        /// Path and query of the request line.
        let target: String
        /// The header as it came.
        let head: String

        func header(_ name: String) -> String? {
            for line in head.split(separator: "\r\n").dropFirst() {
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                if parts.count == 2, parts[0].lowercased() == name.lowercased() {
                    return String(parts[1].drop { $0 == " " })
                }
            }
            return nil
        }
    }

    private let received = Mutex<[Request]>([])
    private let listener: LoopbackListener
    private let answer: @Sendable (Request) -> [Step]

    init(_ answer: @escaping @Sendable (Request) -> [Step]) throws {
        self.answer = answer
        listener = try LoopbackListener()
        // The threads hold the server until `stop`.
        listener.start { self.serve($0) }
    }

    var port: UInt16 { listener.port }

    func url(_ target: String, host: String = "127.0.0.1") -> String { "http://\(host):\(port)\(target)" }

    var requests: [Request] { received.withLock { $0 } }

    var connectionCount: Int { listener.connectionCount }

    var openConnectionCount: Int { listener.openConnectionCount }

    /// Ends all connections and threads.
    func stop() { listener.stop() }

    private func serve(_ descriptor: Int32) {
        var rest: [UInt8] = []
        let headEnd = Array("\r\n\r\n".utf8)
        while true {
            while let end = rest.firstRange(of: headEnd) {
                let head = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
                rest.removeSubrange(..<end.upperBound)
                let fields = head.split(separator: " ", maxSplits: 2)
                let request = Request(target: fields.count > 1 ? String(fields[1]) : "", head: head)
                received.withLock { $0.append(request) }
                for step in answer(request) {
                    guard perform(step, descriptor) else { return }
                }
            }
            guard let chunk = LoopbackSocket.read(descriptor) else { return }
            rest += chunk
        }
    }

    /// False when the connection is over.
    private func perform(_ step: Step, _ descriptor: Int32) -> Bool {
        switch step {
        case .send(let bytes):
            return LoopbackSocket.send(bytes, to: descriptor)
        case .pause(let milliseconds):
            usleep(milliseconds * 1000)
            return true
        case .stall:
            LoopbackSocket.waitForEnd(descriptor)
            return false
        case .reset:
            var option = linger(l_onoff: 1, l_linger: 0)
            let size = socklen_t(MemoryLayout<linger>.size)
            _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, size)
            return false
        case .close:
            return false
        }
    }
}
#endif
