#if os(Linux)
import Glibc

/// The socket calls that test servers on 127.0.0.1 need.
package enum LoopbackSocket {
    /// The system provides no socket.
    package struct Failure: Error {
        package init() {}
    }

    /// A socket that listens on a free port.
    package static func listen() throws -> (descriptor: Int32, port: UInt16) {
        let (descriptor, port) = try bound()
        guard Glibc.listen(descriptor, 512) == 0 else {
            _ = close(descriptor)
            throw Failure()
        }
        return (descriptor, port)
    }

    /// A socket that holds a port and does not listen, so that connections to it are refused.
    package static func bound() throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure() }
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        // The rebound pointers cover exactly one sockaddr_in, whose size is `length`.
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard isBound else {
            _ = close(descriptor)
            throw Failure()
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    package static func end(_ descriptor: Int32) { _ = close(descriptor) }

    package static func connect(port: UInt16) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = loopback(port: port)
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        // As above.
        let isConnected = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe Glibc.connect(descriptor, pointer, length) == 0
            }
        }
        if isConnected { return descriptor }
        _ = close(descriptor)
        return nil
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        return address
    }

    package static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Returns the header of a request, or `nil` if the connection ends before it is complete.
    package static func readHead(_ descriptor: Int32) -> String? {
        var received: [UInt8] = []
        while true {
            if let end = received.firstRange(of: Array("\r\n\r\n".utf8)) {
                return String(decoding: received[..<end.lowerBound], as: UTF8.self)
            }
            guard let chunk = read(descriptor) else { return nil }
            received += chunk
        }
    }

    package static func readAll(_ descriptor: Int32) -> [UInt8] {
        var received: [UInt8] = []
        while let chunk = read(descriptor) { received += chunk }
        return received
    }

    /// Waits until the other side has disconnected.
    package static func waitForEnd(_ descriptor: Int32) { while read(descriptor) != nil {} }

    /// The received bytes, at least one, or `nil` when the other side has disconnected.
    package static func read(_ descriptor: Int32) -> ArraySlice<UInt8>? {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
        return count > 0 ? chunk[..<count] : nil
    }
}
#endif
