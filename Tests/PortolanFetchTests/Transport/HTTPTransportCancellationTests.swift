#if os(Linux)
import Glibc
import PortolanFetch
import TestHelpers
import Testing

@Suite(.timeLimit(.minutes(20)))
struct HTTPTransportCancellationTests {
    /// A request whose time limits are out of reach, however busy the machine is.
    private static func request(_ url: String) -> HTTPRequest {
        HTTPRequest(
            to: url, timeouts: HTTPRequest.Timeouts(connect: .seconds(900), stall: .seconds(900), total: .seconds(900)))
    }

    private static func codes(
        _ tasks: [Task<Result<HTTPResponse, FetchError>, Never>]
    ) async -> Set<FetchError.Code?> {
        var codes: Set<FetchError.Code?> = []
        for task in tasks {
            if case .failure(let error) = await task.value { codes.insert(error.code) } else { codes.insert(nil) }
        }
        return codes
    }

    private static func start(
        _ transport: any HTTPTransport, _ request: HTTPRequest
    ) -> Task<Result<HTTPResponse, FetchError>, Never> {
        start { () throws(FetchError) in try await transport.send(request) }
    }

    private static func start(
        _ fetcher: Fetcher, _ request: HTTPRequest
    ) -> Task<Result<HTTPResponse, FetchError>, Never> {
        start { () throws(FetchError) in try await fetcher.fetch(request) }
    }

    private static func start(
        _ get: @escaping @Sendable () async throws(FetchError) -> HTTPResponse
    ) -> Task<Result<HTTPResponse, FetchError>, Never> {
        Task {
            do throws(FetchError) {
                return .success(try await get())
            } catch {
                return .failure(error)
            }
        }
    }

    /// Descriptors of this process, as /proc/self/fd lists them, that are connected to `port` on either side.
    private static func openDescriptorCount(port: UInt16) throws -> Int {
        let folder = unsafe try #require(unsafe opendir("/proc/self/fd"))
        defer { _ = unsafe closedir(folder) }
        var count = 0
        while let entry = unsafe readdir(folder) {
            // d_name is terminated within its 256 bytes.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            guard let descriptor = Int32(name) else { continue }
            var address = sockaddr_in()
            // Each call writes at most the one sockaddr_in that `length` tells.
            let isConnected = unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
                    guard unsafe getpeername(descriptor, pointer, &length) == 0 else { return false }
                    if UInt16(bigEndian: unsafe UnsafeRawPointer(pointer).load(as: sockaddr_in.self).sin_port) == port {
                        return true
                    }
                    length = socklen_t(MemoryLayout<sockaddr_in>.size)
                    return unsafe getsockname(descriptor, pointer, &length) == 0
                }
            }
            if isConnected, UInt16(bigEndian: address.sin_port) == port { count += 1 }
        }
        return count
    }

    @Test(arguments: TestTransport.allCases)
    func `a cancelled request is not sent`(over kind: TestTransport) async throws {
        let server = try FaultServer { _ in [.response(text: "x")] }
        defer { server.stop() }
        let transport = kind.make()
        let request = Self.request(server.url("/"))
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await Self.start(transport, request).value
        }
        let cancelled = Task { () -> FetchError.Code? in
            while !Task.isCancelled { await Task.yield() }
            do throws(FetchError) {
                _ = try await transport.send(request)
                return nil
            } catch {
                return error.code
            }
        }
        cancelled.cancel()
        #expect(await cancelled.value == .cancelled)
        #expect(server.requests.isEmpty)
        task.cancel()
        #expect(try await task.value.get().status == 200)
    }

    @Test(arguments: TestTransport.allCases)
    func `releasing a transport frees its cancelled transfers`(over kind: TestTransport) async throws {
        let server = try FaultServer { _ in [.stall] }
        defer { server.stop() }
        do {
            let transport = kind.make()
            let request = Self.request(server.url("/"))
            let task = Self.start(transport, request)
            #expect(await eventually { server.requests.count == 1 })
            task.cancel()
            #expect(await Self.codes([task]) == [.cancelled])
        }
        #expect(await eventually { server.openConnectionCount == 0 })
    }

    @Test(arguments: TestTransport.allCases)
    func `an idle connection is closed with its transport`(over kind: TestTransport) async throws {
        let server = try FaultServer { _ in [.response(text: "x")] }
        defer { server.stop() }
        do {
            let transport = kind.make()
            _ = try await transport.send(Self.request(server.url("/")))
            #expect(server.openConnectionCount == 1)
        }
        #expect(await eventually { server.openConnectionCount == 0 })
    }

    @Test(arguments: TestTransport.allCases)
    func `cancelling 500 requests in flight leaves nothing behind`(over kind: TestTransport) async throws {
        // Both ends of 500 connections are in this process.
        var limit = rlimit()
        _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(max(limit.rlim_cur, 4096), limit.rlim_max)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let server = try FaultServer { _ in [.stall] }
        defer { server.stop() }
        let transport = kind.make()
        let gone: @Sendable () -> Bool
        do {
            let fetcher = Fetcher(transport: transport, maximumConnectionsPerHost: 500)
            gone = { [weak fetcher] in fetcher == nil }
            for round in 1...2 {
                let tasks = (0..<500).map { Self.start(fetcher, Self.request(server.url("/\($0)"))) }
                #expect(await eventually { server.requests.count == 500 * round })
                #expect(try Self.openDescriptorCount(port: server.port) == 1000)
                for task in tasks { task.cancel() }
                #expect(await Self.codes(tasks) == [.cancelled])
                #expect(await eventually { server.openConnectionCount == 0 })
                #expect(try Self.openDescriptorCount(port: server.port) == 0)
                #expect(await eventually { fetcher.transferCounts == (0, 0, 0) && fetcher.waiterCount == 0 })
            }
        }
        // No task of it is left that would hold it.
        #expect(await eventually { gone() })
    }

    @Test(arguments: TestTransport.allCases)
    func `cancelling at any moment completes each task once`(over kind: TestTransport) async throws {
        let server = try FaultServer { request in
            request.target.hasSuffix("0") ? [.stall] : [.response(text: request.target)]
        }
        defer { server.stop() }
        let transport = kind.make()
        let tasks = (0..<300).map { Self.start(transport, Self.request(server.url("/\($0)"))) }
        for (number, task) in tasks.enumerated() where number % 2 == 0 {
            if number % 6 == 0 { await Task.yield() }
            task.cancel()
        }
        #expect(await Self.codes(tasks).isSubset(of: [nil, .cancelled]))
    }
}
#endif
