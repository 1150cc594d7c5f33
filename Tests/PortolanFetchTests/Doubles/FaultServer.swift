#if os(Linux)
import Glibc
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

    struct CannotListen: Error {}

    private struct State {
        var requests: [Request] = []
        var connectionCount = 0
        var open: Set<Int32> = []
        var isStopped = false
    }

    private let state = Mutex(State())
    private let listener: Int32
    private let answer: @Sendable (Request) -> [Step]
    let port: UInt16

    init(_ answer: @escaping @Sendable (Request) -> [Step]) throws {
        self.answer = answer
        (listener, port) = try FaultServer.listen()
        // The threads hold the server until `stop`.
        startThread { self.acceptConnections() }
    }

    func url(_ target: String, host: String = "127.0.0.1") -> String { "http://\(host):\(port)\(target)" }

    var requests: [Request] { state.withLock { $0.requests } }

    var connectionCount: Int { state.withLock { $0.connectionCount } }

    var openConnectionCount: Int { state.withLock { $0.open.count } }

    /// Ends all connections and threads.
    func stop() {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            _ = shutdown(listener, Int32(SHUT_RDWR))
            for descriptor in state.open { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    private static func listen() throws -> (Int32, UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw CannotListen() }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        // The rebound pointers cover exactly one sockaddr_in, whose size `length` tells.
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, length) == 0 && Glibc.listen(descriptor, 512) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard isBound else {
            _ = close(descriptor)
            throw CannotListen()
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    private func acceptConnections() {
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { break }
            let isWanted = state.withLock { state in
                state.connectionCount += 1
                if !state.isStopped { state.open.insert(descriptor) }
                return !state.isStopped
            }
            guard isWanted else {
                _ = close(descriptor)
                continue
            }
            startThread {
                self.serve(descriptor)
                self.state.withLock { state in
                    state.open.remove(descriptor)
                    _ = close(descriptor)
                }
            }
        }
        _ = close(listener)
    }

    private func serve(_ descriptor: Int32) {
        var received: [UInt8] = []
        let headEnd = Array("\r\n\r\n".utf8)
        while true {
            while let end = received.firstRange(of: headEnd) {
                let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
                received.removeSubrange(..<end.upperBound)
                let fields = head.split(separator: " ", maxSplits: 2)
                let request = Request(target: fields.count > 1 ? String(fields[1]) : "", head: head)
                state.withLock { $0.requests.append(request) }
                for step in answer(request) {
                    guard perform(step, descriptor) else { return }
                }
            }
            var chunk = [UInt8](repeating: 0, count: 4096)
            let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { return }
            received += chunk[..<count]
        }
    }

    /// False when the connection is over.
    private func perform(_ step: Step, _ descriptor: Int32) -> Bool {
        switch step {
        case .send(let bytes):
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = unsafe rest.withUnsafeBytes {
                    unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        case .pause(let milliseconds):
            usleep(milliseconds * 1000)
            return true
        case .stall:
            var chunk = [UInt8](repeating: 0, count: 256)
            while unsafe recv(descriptor, &chunk, chunk.count, 0) > 0 {}
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

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Runs `body` on a new detached thread.
private func startThread(_ body: @escaping @Sendable () -> Void) {
    let retained = unsafe Unmanaged.passRetained(ThreadBody(body))
    var thread = pthread_t()
    let result = unsafe pthread_create(
        &thread, nil,
        { context in
            if let context = unsafe context {
                unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
            }
            return nil
        }, retained.toOpaque())
    precondition(result == 0, "no thread for the test server")
    pthread_detach(thread)
}
#endif
