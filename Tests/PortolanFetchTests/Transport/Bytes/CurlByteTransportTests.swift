#if os(Linux) && Drivers
import Dispatch
import Glibc
import TestHelpers
import PortolanWeb
import Synchronization
import Testing

@testable import PortolanFetch

@Suite struct CurlByteTransportTests {
    private static func endpoint(_ port: UInt16) throws -> ByteEndpoint {
        try ByteEndpoint(.user("tcp://127.0.0.1:\(port)"))
    }

    private let transport = CurlByteTransport(ConnectionSettings())

    private static func receive(_ count: Int, from connection: any ByteConnection) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count, let chunk = try await connection.receive() { bytes += chunk }
        return bytes
    }

    /// Reads a connection to its end.
    private static func count(_ connection: any ByteConnection) async throws -> Int {
        var count = 0
        while let chunk = try await connection.receive() { count += chunk.count }
        return count
    }

    @Test func `bytes are sent and received in order`() async throws {
        let server = try LoopbackListener()
        defer { server.stop() }
        server.start { descriptor in
            while let chunk = LoopbackSocket.read(descriptor) { _ = LoopbackSocket.send(Array(chunk), to: descriptor) }
        }
        let connection = try await transport.connect(to: Self.endpoint(server.port))
        for text in ["a", "bc", "def"] { try await connection.send(Array(text.utf8)) }
        #expect(try await Self.receive(6, from: connection) == Array("abcdef".utf8))
        connection.close()
        #expect(await eventually { server.openConnectionCount == 0 })
    }

    @Test func `megabytes are echoed whole through buffers of kilobytes`() async throws {
        let server = try LoopbackListener()
        defer { server.stop() }
        server.start { descriptor in
            while let chunk = LoopbackSocket.read(descriptor) { _ = LoopbackSocket.send(Array(chunk), to: descriptor) }
        }
        let connection = try await transport.connect(to: Self.endpoint(server.port))
        let sent = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
        async let sending: Void = {
            for start in stride(from: 0, to: sent.count, by: 100_000) {
                try await connection.send(Array(sent[start..<(start + 100_000)]))
            }
        }()
        let received = try await Self.receive(sent.count, from: connection)
        try await sending
        #expect(received == sent)
    }

    @Test func `a client that does not read makes the server wait`() async throws {
        let server = try LoopbackListener()
        defer { server.stop() }
        let sent = Mutex([Int]())
        server.start { descriptor in
            let chunk = [UInt8](repeating: 7, count: 1 << 16)
            let number = sent.withLock { sent in
                sent.append(0)
                return sent.count - 1
            }
            for _ in 0..<400 {
                guard LoopbackSocket.send(chunk, to: descriptor) else { return }
                sent.withLock { $0[number] += chunk.count }
            }
        }
        let connection = try await transport.connect(to: Self.endpoint(server.port))
        #expect(await eventually { sent.withLock { $0.first ?? 0 } > 0 })
        // While another is read to its end; what the system buffers differs, and 26 MB are never buffered.
        let other = try await transport.connect(to: Self.endpoint(server.port))
        #expect(try await Self.count(other) == 400 << 16)
        #expect(sent.withLock { $0[0] } < 400 << 16)
        #expect(try await Self.count(connection) == 400 << 16)
    }

    @Test func `sending resumes when a slow server reads again, even without a reply`() async throws {
        let server = try LoopbackListener()
        defer { server.stop() }
        let mayRead = DispatchSemaphore(value: 0), heard = Mutex(0), sent = Mutex(0), piece = 1 << 20, pieces = 24
        let openedCount = Mutex(0)
        server.start { descriptor in
            // The second is read at once.
            let isFirst = openedCount.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst { mayRead.wait() }
            while let chunk = LoopbackSocket.read(descriptor) { heard.withLock { $0 += chunk.count } }
        }
        let connection = try await transport.connect(to: Self.endpoint(server.port))
        // More than the system buffers.
        async let sending: Void = {
            for _ in 0..<pieces {
                try await connection.send([UInt8](repeating: 7, count: piece))
                sent.withLock { $0 += 1 }
            }
        }()
        #expect(await eventually { sent.withLock { $0 } > 0 && openedCount.withLock { $0 } == 1 })
        let other = try await transport.connect(to: Self.endpoint(server.port))
        for _ in 0..<pieces { try await other.send([UInt8](repeating: 7, count: piece)) }
        #expect(await eventually { heard.withLock { $0 } == piece * pieces })
        other.close()
        #expect(sent.withLock { $0 } < pieces)
        mayRead.signal()
        #expect(await eventually { heard.withLock { $0 } == 2 * piece * pieces })
        try await sending
        connection.close()
    }

    @Test func `closing by the server ends the stream`() async throws {
        let server = try LoopbackListener()
        defer { server.stop() }
        // Shut down here: the listener closes it only when the thread of its connection has been seen to.
        server.start { descriptor in
            _ = LoopbackSocket.send(Array("bye".utf8), to: descriptor)
            _ = shutdown(descriptor, Int32(SHUT_RDWR))
        }
        let connection = try await transport.connect(to: Self.endpoint(server.port))
        #expect(try await Self.receive(10, from: connection) == Array("bye".utf8))
        #expect(try await connection.receive() == nil)
    }

    @Test func `cancelling ends one wait, and closing another`() async throws {
        let server = try LoopbackListener()
        defer { server.stop() }
        server.start { LoopbackSocket.waitForEnd($0) }
        let connection = try await transport.connect(to: Self.endpoint(server.port))
        let waiting = Task { try await connection.receive() }
        waiting.cancel()
        #expect(
            await {
                if case .failure(let error as FetchError) = await waiting.result {
                    error.code == .cancelled
                } else {
                    false
                }
            }())
        let next = Task { try await connection.receive() }
        connection.close()
        #expect(try await next.value == nil)
        #expect(await eventually { server.openConnectionCount == 0 })
        await #expect(throws: FetchError.self) { try await connection.send([1]) }
    }

    @Test func `a closed port and an unknown host are errors`() async throws {
        let (descriptor, port) = try LoopbackSocket.bound()
        defer { LoopbackSocket.end(descriptor) }
        await #expect { _ = try await transport.connect(to: Self.endpoint(port)) } throws: {
            ($0 as? FetchError)?.code == .cannotConnect
        }
        await #expect { _ = try await transport.connect(to: ByteEndpoint("tcp://nobody.invalid:1")) } throws: {
            ($0 as? FetchError)?.code == .cannotResolveHost
        }
    }

    @Test func `a silent TLS server times out, and cancelling ends the wait sooner`() async throws {
        let server = try LoopbackListener()
        defer { server.stop() }
        server.start { LoopbackSocket.waitForEnd($0) }
        var endpoint = try ByteEndpoint(.user("tls://127.0.0.1:\(server.port)"))
        let patient = endpoint
        endpoint.timeout = .milliseconds(50)
        let short = endpoint
        await #expect { _ = try await transport.connect(to: short) } throws: { ($0 as? FetchError)?.code == .timedOut }
        let waiting = Task { [transport] in try await transport.connect(to: patient) }
        #expect(await eventually { server.connectionCount == 2 })
        waiting.cancel()
        #expect(
            await {
                if case .failure(let error as FetchError) = await waiting.result {
                    error.code == .cancelled
                } else {
                    false
                }
            }())
        #expect(await eventually { server.openConnectionCount == 0 })
    }
}
#endif
