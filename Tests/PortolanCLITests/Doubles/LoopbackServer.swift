import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A small HTTP/1.1 server on a port of the loopback interface; one thread accepts, one a connection answers.
final class LoopbackServer: Sendable {
    struct Answer: Sendable {
        var status = 200
        var type = "application/octet-stream"
        var body: [UInt8] = []
        /// More header lines.
        var headers: [String] = []

        static let notFound = Answer(status: 404, type: "text/plain", body: Array("no such thing".utf8))
    }

    struct Asked: Sendable {
        /// Path and query.
        var target: String
        /// Header lines as they came.
        var headers: [String]
    }

    struct Failure: Error {
        var step: String
        var code: Int32
    }

    /// The response to a request; `nil` leaves the client waiting until it disconnects.
    typealias Route = @Sendable (Asked) -> Answer?

    let port: UInt16
    /// Each request as it comes.
    let requests: AsyncStream<Asked>

    private let listener: Int32
    private let asked = Mutex<[Asked]>([])
    private let arrivals: AsyncStream<Asked>.Continuation
    private let route: Route

    var url: String { "http://127.0.0.1:\(port)" }
    var log: [Asked] { asked.withLock { $0 } }

    init(_ route: @escaping Route) throws {
        self.route = route
        (requests, arrivals) = AsyncStream.makeStream(of: Asked.self)
        #if canImport(Darwin)
        let listener = socket(AF_INET, SOCK_STREAM, 0)
        #else
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        guard listener >= 0 else { throw Failure(step: "socket", code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        // `sockaddr` is how the calls see every kind of address; its length goes with it.
        let bound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                guard unsafe bind(listener, generic, length) == 0, listen(listener, 64) == 0 else { return false }
                return unsafe getsockname(listener, generic, &length) == 0
            }
        }
        guard bound else { throw Failure(step: "bind", code: errno) }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        let thread = Thread { [self] in accept() }
        thread.start()
    }

    /// Takes no more connections; the thread ends, and with it the last use of this value.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        arrivals.finish()
    }

    private func accept() {
        while true {
            let connection = systemAccept(listener)
            if connection < 0 { return }
            let thread = Thread { [self] in
                serve(connection)
                close(connection)
            }
            thread.start()
        }
    }

    private func serve(_ connection: Int32) {
        guard let head = read(connection) else { return }
        let lines = head.split(separator: "\r\n").map(String.init)
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count > 1 else { return }
        let request = Asked(target: String(words[1]), headers: Array(lines.dropFirst()))
        asked.withLock { $0.append(request) }
        arrivals.yield(request)
        guard let answer = route(request) else {
            while read(connection) != nil {}
            return
        }
        let top =
            "HTTP/1.1 \(answer.status) Status\r\nContent-Type: \(answer.type)\r\nContent-Length: \(answer.body.count)"
            + answer.headers.map { "\r\n" + $0 }.joined()
            + "\r\nConnection: close\r\n\r\n"
        send(Array(top.utf8) + answer.body, on: connection)
    }

    /// The head of a request, or `nil` when the client has gone.
    private func read(_ connection: Int32) -> String? {
        var head: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while !head.contains(subsequence: Array("\r\n\r\n".utf8)) {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe systemRead(connection, $0.baseAddress, $0.count) }
            guard count > 0, head.count < 1 << 20 else { return nil }
            head += chunk[..<count]
        }
        return String(decoding: head, as: UTF8.self)
    }

    private func send(_ bytes: [UInt8], on connection: Int32) {
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes[sent...].withUnsafeBytes {
                unsafe systemSend(connection, $0.baseAddress, $0.count, flags)
            }
            guard count > 0 else { return }
            sent += count
        }
    }
}

extension [UInt8] {
    fileprivate func contains(subsequence other: [UInt8]) -> Bool {
        guard count >= other.count else { return false }
        return indices.dropLast(other.count - 1).contains { self[$0..<$0 + other.count].elementsEqual(other) }
    }
}

// The calls under names that methods of this file do not hide; the buffers are the callers' for the duration.
private func systemAccept(_ listener: Int32) -> Int32 { accept(listener, nil, nil) }

private func systemRead(_ connection: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(connection, bytes, count)
}

private func systemSend(_ connection: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
    unsafe send(connection, bytes, count, flags)
}
