#if Redis
import PortolanFetch
import PortolanRedis
import PortolanTesting
import PortolanWeb
import Synchronization
import TestHelpers
import Testing

@Suite(.onRedisServer, .timeLimit(.minutes(20))) struct RedisStoreLeaseTests {
    static func wanted(_ number: Int) -> CacheRequest<[UInt8], FetchError> {
        CacheRequest(
            request: HTTPRequest(to: "https://t.example/\(number).png"), rule: CacheRule(), missing: { $0 }
        ) { response throws(FetchError) in response.body }
    }

    static func cache(_ store: any ResponseStore, _ transport: StubTransport) -> ResponseCache {
        ResponseCache(fetcher: Fetcher(transport: transport), store: store) { 1_000_000 }
    }

    static func transport(cacheControl: String = "max-age=600") -> StubTransport {
        StubTransport { request throws(FetchError) in
            // Time for the others to come and wait.
            try? await Task.sleep(for: .milliseconds(20))
            return HTTPResponse(
                status: 200, headers: [HTTPHeader(name: "Cache-Control", value: cacheControl)],
                body: Array(request.url.utf8), url: request.url)
        }
    }

    @Test func `of many workers one fetches each URL, and all get the response`() async throws {
        let server = try await RedisServer()
        let transport = Self.transport()
        let workers = try (0..<4).map { _ in Self.cache(try server.store { $0.leaseTime = .seconds(60) }, transport) }
        try await withThrowingTaskGroup { group in
            for worker in workers {
                for number in 0..<25 {
                    group.addTask {
                        let answer = try await worker.answer(to: Self.wanted(number))
                        #expect(answer.value == Array("https://t.example/\(number).png".utf8))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(transport.requests.count == 25)
        #expect(workers.allSatisfy { $0.warnings.isEmpty })
        // No lease is left behind.
        #expect(server.says("DBSIZE") == ":25\r\n")
    }

    @Test func `a lease is exclusive until its worker ends it`() async throws {
        let server = try await RedisServer()
        let one = try server.store { $0.leaseTime = .seconds(60) },
            two = try server.store { $0.leaseTime = .seconds(60) }
        let lease = try #require(await one.lease(for: Entry.key(1)))
        let isEnded = Mutex(false)
        async let waiting = (two.lease(for: Entry.key(1)), isEnded.withLock { $0 })
        // It looks whether the first is there: it waits.
        #expect(await eventually { server.says("INFO commandstats").contains("cmdstat_exists") })
        // Another key is free.
        await two.lease(for: Entry.key(2))?.end()
        isEnded.withLock { $0 = true }
        await lease.end()
        let (second, wasEnded) = await waiting
        #expect(second != nil)
        #expect(wasEnded)
        // A client that has waited holds nothing: it reads the store again.
        #expect(server.says("DBSIZE") == ":0\r\n")
    }

    @Test func `a worker that dies delays the others by its lease at most`() async throws {
        let server = try await RedisServer()
        let transport = Self.transport()
        let store = try server.store()
        let key = try #require(StoreKey(Self.wanted(1).request))
        server.says("SET \(store.leaseName(of: key)) dead NX PX 50")
        #expect(try await Self.cache(store, transport).answer(to: Self.wanted(1)).origin == .network)
        #expect(try await Self.cache(store, transport).answer(to: Self.wanted(1)).origin == .store)
    }

    @Test func `a lease that never ends is not waited for`() async throws {
        let server = try await RedisServer()
        let store = try server.store { $0.leaseTime = .milliseconds(20) }
        server.says("SET \(store.leaseName(of: Entry.key(1))) other")
        #expect(await store.lease(for: Entry.key(1)) != nil)
        #expect(server.says("GET \(store.leaseName(of: Entry.key(1)))") == "$5\r\nother\r\n")
    }

    @Test func `a lease is renewed while it is held, and that of another worker is untouched`() async throws {
        let server = try await RedisServer()
        let store = try server.store { $0.leaseTime = .seconds(45) }
        let name = store.leaseName(of: Entry.key(1))
        let lease = try #require(await store.lease(for: Entry.key(1)))
        server.says("PEXPIRE \(name) 600000")
        // Milliseconds that are left; fewer than none when there is no lease.
        #expect(
            await eventually { (0...45_000).contains(Int(server.says("PTTL \(name)").dropFirst().dropLast(2)) ?? -2) })
        server.says("SET \(name) another")
        await lease.end()
        #expect(server.says("EXISTS \(name)") == ":1\r\n")
    }

    @Test func `a response that may not be stored is fetched by each worker`() async throws {
        let server = try await RedisServer()
        let transport = Self.transport(cacheControl: "no-store")
        let workers = try (0..<3).map { _ in Self.cache(try server.store(), transport) }
        try await withThrowingTaskGroup { group in
            for worker in workers {
                group.addTask {
                    let answer = try await worker.answer(to: Self.wanted(1))
                    #expect(answer.origin == .network)
                }
            }
            try await group.waitForAll()
        }
        #expect(transport.requests.count == 3)
        #expect(server.says("DBSIZE") == ":0\r\n")
    }

    @Test func `a cancelled task does not wait for the lease of another`() async throws {
        let server = try await RedisServer()
        let store = try server.store { $0.leaseTime = .seconds(3600) }
        let lease = try #require(await store.lease(for: Entry.key(1)))
        let waiting = Task { await store.lease(for: Entry.key(1)) }
        waiting.cancel()
        _ = await waiting.value
        await lease.end()
    }
}
#endif
