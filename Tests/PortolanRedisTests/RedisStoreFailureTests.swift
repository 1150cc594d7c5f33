#if Redis
import PortolanFetch
import PortolanRedis
import PortolanTesting
import PortolanWeb
import Synchronization
import TestHelpers
import Testing

@Suite(.onRedisServer, .timeLimit(.minutes(20))) struct RedisStoreFailureTests {
    final class Count: Sendable {
        private let number = Mutex(0)
        func next() -> Int {
            number.withLock { number in
                number += 1
                return number
            }
        }
    }

    static func failure(_ store: RedisStore) async -> StoreError? {
        do throws(StoreError) {
            _ = try await store.entry(for: Entry.key(1))
            return nil
        } catch { return error }
    }

    @Test func `an unavailable server is an error, and is used again when it is back`() async throws {
        let server = try await RedisServer()
        let store = try server.store()
        try await store.put(Entry.entry([1]), for: Entry.key(1), place: Entry.place)
        server.stop()
        let first = try #require(await Self.failure(store))
        #expect(first.code == .unavailable)
        #expect(first.place == server.url)
        // However it fails after that, it is one failure.
        #expect(await Self.failure(store) == first)
        #expect(await store.lease(for: Entry.key(1)) == nil)
        #expect(store.warnings.map(\.description) == ["the cache is disabled: \(first)"])
        try await server.start()
        try await store.put(Entry.entry([2]), for: Entry.key(1), place: Entry.place)
        #expect(try await store.entry(for: Entry.key(1))?.body == [2])
    }

    @Test func `a connection closed while idle is not a failure`() async throws {
        let server = try await RedisServer()
        let store = try server.store()
        try await store.put(Entry.entry([1]), for: Entry.key(1), place: Entry.place)
        for _ in 0..<3 {
            server.says("CLIENT KILL TYPE normal SKIPME yes")
            #expect(try await store.entry(for: Entry.key(1))?.body == [1])
        }
        #expect(store.warnings.isEmpty)
    }

    @Test func `after a failure the server is not contacted for a while`() async throws {
        let server = try await RedisServer()
        let store = try server.store { $0.pause = .seconds(3600) }
        server.stop()
        let first = try #require(await Self.failure(store))
        try await server.start()
        #expect(await Self.failure(store) == first)
        let other = try server.store()
        #expect(await Self.failure(other) == nil)
    }

    @Test func `a server that dies during many look-ups leaves none waiting`() async throws {
        let server = try await RedisServer()
        let store = try server.store()
        let big = Entry.entry(Array(repeating: 1, count: 500_000))
        for number in 0..<8 { try await store.put(big, for: Entry.key(number), place: Entry.place) }
        let count = Count()
        await withTaskGroup { group in
            for number in 0..<200 {
                group.addTask {
                    if let found = try? await store.entry(for: Entry.key(number % 8)) { #expect(found == big) }
                    if count.next() == 20 { server.stop() }
                }
            }
        }
        #expect(count.next() == 201)
    }

    @Test(
        arguments: [
            ("redis://", "NOAUTH", true), ("redis://:wrong@", "WRONGPASS", false),
            ("redis://nobody:right@", "WRONGPASS", false), ("redis://:right@", "", false),
            ("redis://default:right@", "", false),
        ])
    func `the password must be correct`(beginning: String, words: String, isAlone: Bool) async throws {
        let server = try await RedisServer("--requirepass", "right")
        let store = try RedisStore(url: beginning + "127.0.0.1:\(server.port)")
        let failure = await Self.failure(store)
        if words.isEmpty {
            #expect(failure == nil)
        } else {
            #expect(failure?.code == .cannotOpen)
            #expect(failure?.detail.hasPrefix(words) == true)
            #expect(store.warnings.count == 1 && !store.warnings[0].description.contains("right"))
        }
    }

    @Test(
        arguments: [
            ("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", "not a Redis server"),
            ("+PONG\r\n$99999999999999999999999\r\n", "not a Redis server"), ("", "lost"),
            ("-DENIED Redis is running in protected mode\r\n", "DENIED"),
            ("+PONG\r\n$5\r\nab", "lost"),
        ])
    func `a server that is not Redis is detected`(says: String, reason: String) async throws {
        let listener = try LoopbackListener()
        listener.start { descriptor in
            _ = LoopbackSocket.read(descriptor)
            _ = LoopbackSocket.send(Array(says.utf8), to: descriptor)
        }
        defer { listener.stop() }
        let store = try RedisStore(url: "redis://127.0.0.1:\(listener.port)")
        let failure = await Self.failure(store)
        #expect(failure?.detail.contains(reason) == true, "\(String(describing: failure))")
    }

    @Test func `a silent server times out after the reply limit`() async throws {
        let listener = try LoopbackListener()
        listener.start { LoopbackSocket.waitForEnd($0) }
        defer { listener.stop() }
        var settings = RedisStore.Settings()
        settings.replyTimeout = .milliseconds(30)
        let store = try RedisStore(url: "redis://127.0.0.1:\(listener.port)", settings: settings)
        #expect(await Self.failure(store)?.detail == "no reply from the server within 30 ms")
    }

    @Test func `an endless reply is given up`() async throws {
        let listener = try LoopbackListener()
        let chunk = Array(repeating: UInt8(ascii: "x"), count: 1 << 16)
        listener.start { descriptor in
            _ = LoopbackSocket.send(Array("+PONG\r\n$2000000000\r\n".utf8), to: descriptor)
            while LoopbackSocket.send(chunk, to: descriptor) {}
        }
        defer { listener.stop() }
        var settings = RedisStore.Settings()
        settings.maximumBodyByteCount = 1000
        settings.replyTimeout = .seconds(60)
        let store = try RedisStore(url: "redis://127.0.0.1:\(listener.port)", settings: settings)
        #expect(await Self.failure(store)?.detail.contains("exceeds") == true)
    }

    @Test func `a full server stores nothing new, and the error names the setting`() async throws {
        let server = try await RedisServer("--maxmemory", "3mb", "--maxmemory-policy", "noeviction")
        let store = try server.store()
        var failure: StoreError?
        var kept = 0
        do throws(StoreError) {
            for number in 0..<100 {
                try await store.put(
                    Entry.entry(Array(repeating: 1, count: 200_000)), for: Entry.key(number), place: Entry.place)
                kept += 1
            }
        } catch { failure = error }
        #expect(failure?.code == .full)
        #expect(failure?.detail.contains("allkeys-lru") == true)
        #expect(store.warnings.count == 1 && store.warnings[0].description.hasPrefix("the cache stores nothing new"))
        // What is there is read on.
        #expect(kept > 0)
        #expect(try await store.entry(for: Entry.key(0)) != nil)
        #expect(try await store.statistics().byteBudget == 3 << 20)
        #expect(server.says("CONFIG SET maxmemory-policy allkeys-lru") == "+OK\r\n")
        try await store.put(Entry.entry([1]), for: Entry.key(99), place: Entry.place)
        #expect(try await store.entry(for: Entry.key(99))?.body == [1])
    }

    @Test func `a server with a budget evicts old entries without a warning`() async throws {
        let server = try await RedisServer("--maxmemory", "3mb", "--maxmemory-policy", "allkeys-lru")
        let store = try server.store()
        for number in 0..<60 {
            try await store.put(
                Entry.entry(Array(repeating: 1, count: 200_000)), for: Entry.key(number), place: Entry.place)
        }
        #expect(try await store.entry(for: Entry.key(59)) != nil)
        #expect(try await store.statistics().count < 20)
        #expect(store.warnings.isEmpty)
    }
}
#endif
