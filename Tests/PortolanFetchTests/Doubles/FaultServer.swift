#if os(Linux)
import Glibc
import TestHelpers
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
        /// The body, by its `Content-Length`.
        var body: [UInt8] = []

        /// The method of the request line.
        var method: String { head.split(separator: " ").first.map(String.init) ?? "" }

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
                let length = Self.bodyLength(rest[..<end.lowerBound])
                guard rest.count >= end.upperBound + length else { break }
                let head = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
                rest.removeSubrange(..<end.upperBound)
                let fields = head.split(separator: " ", maxSplits: 2)
                var request = Request(target: fields.count > 1 ? String(fields[1]) : "", head: head)
                request.body = Array(rest.prefix(length))
                rest.removeFirst(length)
                received.withLock { $0.append(request) }
                for step in answer(request) {
                    guard perform(step, descriptor) else { return }
                }
            }
            guard let chunk = LoopbackSocket.read(descriptor) else { return }
            rest += chunk
        }
    }

    private static func bodyLength(_ head: ArraySlice<UInt8>) -> Int {
        Request(target: "", head: String(decoding: head, as: UTF8.self)).header("Content-Length").flatMap { Int($0) }
            ?? 0
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

#if os(Linux)
extension FaultServer.Step {
    /// A whole response with a length.
    static func response(
        _ status: String = "200 OK", headers: [String] = [], body: [UInt8] = []
    ) -> FaultServer.Step {
        let lines = ["HTTP/1.1 \(status)"] + headers + ["Content-Length: \(body.count)"]
        return .send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
    }

    static func response(_ status: String = "200 OK", headers: [String] = [], text: String) -> FaultServer.Step {
        response(status, headers: headers, body: Array(text.utf8))
    }
}
#endif

/// Bodies compressed once with another program (Python's gzip and zlib, level 9).
enum CompressedBodies {
    static let plain = Array(String(repeating: "<Service>tile matrix</Service>\n", count: 8).utf8)

    static let gzip: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 179, 9, 78, 45, 42, 203, 76, 78, 181, 43, 201, 204, 73, 85, 200, 77, 44, 41,
        202, 172, 176, 209, 135, 9, 114, 217, 12, 87, 105, 0, 163, 30, 110, 162, 248, 0, 0, 0,
    ]

    static let deflate: [UInt8] = [
        120, 218, 179, 9, 78, 45, 42, 203, 76, 78, 181, 43, 201, 204, 73, 85, 200, 77, 44, 41, 202, 172, 176, 209, 135,
        9, 114, 217, 12, 87, 105, 0, 188, 157, 89, 145,
    ]

    /// 8 MiB of zero bytes as gzip, 8 KB: written as its runs of equal bytes.
    static let eightMebibytesOfZero: [UInt8] = [
        (31, 1), (139, 1), (8, 1), (0, 5), (2, 1), (3, 1), (236, 1), (193, 1), (1, 2), (0, 3), (128, 1), (144, 1),
        (254, 1), (175, 1), (238, 1), (8, 1), (10, 1), (0, 4094), (128, 1), (219, 1), (131, 1), (3, 1), (2, 1),
        (0, 4), (33, 1), (255, 1), (95, 1), (55, 1), (36, 1), (0, 4033), (156, 1), (5, 1), (69, 1), (188, 1),
        (210, 1), (26, 1), (0, 2), (128, 1), (0, 1),
    ].flatMap { (byte: UInt8, count: Int) in [UInt8](repeating: byte, count: count) }
}
