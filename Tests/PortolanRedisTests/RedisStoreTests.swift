#if Redis
import PortolanFetch
import PortolanRedis
import PortolanWeb
import TestHelpers
import Testing

/// Against a real server; one that says that hiredis is missing would mean that nothing of this is tested.
@Suite(.onRedisServer, .timeLimit(.minutes(20))) struct RedisStoreTests {
    @Test func `hiredis is available`() {
        #expect(RedisStore.isSupported, "Scripts/install test installs libhiredis-dev; then remove .build")
    }

    @Test func `an entry is read back unchanged, by another worker and over a socket`() async throws {
        let server = try await RedisServer()
        let store = try server.store(), other = try server.store()
        let local = try RedisStore(url: server.socketURL + "?db=0")
        for (number, count) in [0, 1, 4096, 1_000_000].enumerated() {
            var random = SeededGenerator(seed: UInt64(number))
            let entry = Entry.entry((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
            try await store.put(entry, for: Entry.key(number), place: Entry.place)
            for store in [store, other, local] { #expect(try await store.entry(for: Entry.key(number)) == entry) }
        }
        let negative = Entry.entry([], status: 404)
        try await store.put(negative, for: Entry.key(9), place: Entry.place)
        #expect(try await other.entry(for: Entry.key(9)) == negative)
        #expect(try await other.entry(for: Entry.key(10)) == nil)
        let elsewhere = try RedisStore(url: server.url + "/1")
        let prefixed = try server.store { $0.keyPrefix = "other:" }
        #expect(try await elsewhere.entry(for: Entry.key(9)) == nil)
        #expect(try await prefixed.entry(for: Entry.key(9)) == nil)
        #expect(store.warnings.isEmpty)
        #expect(other.warnings.isEmpty)
        #expect(local.warnings.isEmpty)
    }

    @Test func `entries are replaced, confirmed and removed`() async throws {
        let server = try await RedisServer()
        let store = try server.store()
        try await store.put(Entry.entry([1]), for: Entry.key(1), place: Entry.place)
        try await store.put(Entry.entry([2]), for: Entry.key(1), place: Entry.place)
        #expect(try await store.entry(for: Entry.key(1))?.body == [2])
        let confirmed = Entry.entry([2], time: 2_000_000)
        try await store.confirm(confirmed, for: Entry.key(1))
        #expect(try await store.entry(for: Entry.key(1)) == confirmed)
        // Its place is known after that as before.
        #expect(try await store.removeAll(StoreSelection(bounds: Entry.place.bounds, before: 2_000_000)) == 0)
        // What another worker has put in meanwhile is not what was confirmed.
        try await store.confirm(Entry.entry([1], time: 3_000_000), for: Entry.key(1))
        #expect(try await store.entry(for: Entry.key(1)) == confirmed)
        try await store.confirm(confirmed, for: Entry.key(2))
        #expect(try await store.entry(for: Entry.key(2)) == nil)
        try await store.remove(Entry.key(1))
        #expect(try await store.entry(for: Entry.key(1)) == nil)
    }

    @Test func `an entry expires on the server`() async throws {
        let server = try await RedisServer()
        let store = try server.store { $0.lifetime = .milliseconds(20) }
        try await store.put(Entry.entry([1]), for: Entry.key(1), place: Entry.place)
        #expect(await eventually { (try? await store.entry(for: Entry.key(1))) == .some(nil) })
        let lasting = try server.store { $0.lifetime = .seconds(Int64.max) }
        try await lasting.put(Entry.entry([1]), for: Entry.key(2), place: Entry.place)
        try await lasting.confirm(Entry.entry([1]), for: Entry.key(2))
        #expect(server.says("PTTL \(lasting.name(of: Entry.key(2)))").hasPrefix(":3"))
    }

    @Test(arguments: ["SETRANGE KEY 5 x", "SETRANGE KEY 20 x", "APPEND KEY x", "SET KEY x", "DEL KEY|LPUSH KEY x"])
    func `a damaged value is never returned, and is removed`(damage: String) async throws {
        let server = try await RedisServer()
        let store = try server.store()
        try await store.put(Entry.entry([1, 2, 3]), for: Entry.key(1), place: Entry.place)
        let name = store.name(of: Entry.key(1))
        for line in damage.split(separator: "|") { server.says(String(line).replacing("KEY", with: name)) }
        #expect(server.says("EXISTS \(name)") == ":1\r\n")
        #expect(try await store.entry(for: Entry.key(1)) == nil)
        #expect(server.says("EXISTS \(name)") == ":0\r\n")
        #expect(store.warnings.isEmpty)
    }

    @Test func `an oversized entry is neither stored nor read`() async throws {
        let server = try await RedisServer()
        let store = try server.store { $0.maximumBodyByteCount = 1000 }
        try await store.put(Entry.entry([1]), for: Entry.key(1), place: Entry.place)
        try await store.put(
            Entry.entry(Array(repeating: 1, count: 1001)), for: Entry.key(1), place: Entry.place)
        #expect(try await store.entry(for: Entry.key(1)) == nil)
        // Something of another program's, of 200 MB.
        server.says("SETRANGE \(store.name(of: Entry.key(2))) 200000000 x")
        #expect(try await store.entry(for: Entry.key(2)) == nil)
        #expect(server.says("EXISTS \(store.name(of: Entry.key(2)))") == ":0\r\n")
    }

    @Test func `a selection is removed from among thousands, and no other entries`() async throws {
        let server = try await RedisServer()
        let store = try server.store { $0.keyPrefix = "a*[b]?:" }
        let other = try server.store { $0.keyPrefix = "axb:" }
        try await other.put(Entry.entry([1]), for: Entry.key(1), place: Entry.place)
        try await withThrowingTaskGroup { group in
            for number in 0..<2500 {
                group.addTask {
                    let place = StoredResponse.Location(
                        url: "https://\(number % 2 == 0 ? "t" : "u").example/\(number)", bounds: [0, 0, 1, 1])
                    try await store.put(Entry.entry([1], time: number), for: Entry.key(number), place: place)
                }
            }
            try await group.waitForAll()
        }
        let statistics = try await store.statistics()
        #expect(statistics.count == 2500)
        #expect(statistics.byteCount > 250_000)
        #expect(statistics.byteBudget == .max)
        #expect(try await store.removeAll(StoreSelection(prefix: "https://u.example/7")) == 1)
        #expect(try await store.removeAll(StoreSelection(prefix: "https://t.example")) == 1250)
        #expect(try await store.removeAll(StoreSelection(before: 1000)) == 499)
        #expect(try await store.removeAll(StoreSelection(bounds: [5, 5, 6, 6])) == 0)
        #expect(try await store.removeAll() == 750)
        #expect(try await store.statistics().count == 0)
        #expect(try await other.entry(for: Entry.key(1)) != nil)
    }

    @Test func `many concurrent tasks each get their own entry`() async throws {
        let server = try await RedisServer()
        let store = try server.store()
        try await withThrowingTaskGroup { group in
            for number in 0..<300 {
                group.addTask {
                    let entry = Entry.entry(Array(repeating: UInt8(number % 256), count: number * 50))
                    try await store.put(entry, for: Entry.key(number), place: Entry.place)
                    #expect(try await store.entry(for: Entry.key(number)) == entry)
                    #expect(try await store.entry(for: Entry.key(number + 1000)) == nil)
                }
            }
            try await group.waitForAll()
        }
        // All of them over one connection.
        #expect(server.says("INFO clients").contains("connected_clients:2\r\n"))
    }
}
#endif
