import PortolanFetch
import Synchronization
import Testing

@Suite struct FallbackStoreTests {
    static let key = StoreKey(bytes: Array(repeating: 1, count: 32))
    static let place = StoredResponse.Location(url: "http://t.example/1")

    static func entry(_ byte: UInt8) -> StoredResponse {
        StoredResponse(status: 200, headers: [], body: [byte], responseTime: 1)
    }

    @Test func `the second store is used only while the first fails`() async throws {
        let first = DictionaryStore(), second = DictionaryStore()
        let store = FallbackStore(first, else: second)
        try await store.put(Self.entry(1), for: Self.key, place: Self.place)
        #expect(first.all == [Self.entry(1)])
        #expect(second.all.isEmpty)
        first.failure.withLock { $0 = StoreError(.unavailable, place: "first", detail: "gone") }
        #expect(try await store.entry(for: Self.key) == nil)
        try await store.put(Self.entry(2), for: Self.key, place: Self.place)
        #expect(try await store.entry(for: Self.key) == Self.entry(2))
        try await store.confirm(Self.entry(3), for: Self.key)
        #expect(second.all == [Self.entry(3)])
        #expect(try await store.statistics().count == 1)
        first.failure.withLock { $0 = nil }
        #expect(try await store.entry(for: Self.key) == Self.entry(1))
    }

    @Test func `removal applies to both stores, even if the first fails`() async throws {
        let first = DictionaryStore(), second = DictionaryStore()
        let store = FallbackStore(first, else: second)
        for one in [first, second] {
            try one.put(Self.entry(1), for: Self.key, place: Self.place)
            try one.put(Self.entry(2), for: StoreKey(bytes: [2]), place: Self.place)
        }
        try await store.remove(Self.key)
        #expect(first.all == [Self.entry(2)])
        #expect(second.all == [Self.entry(2)])
        first.failure.withLock { $0 = StoreError(.unavailable, place: "first", detail: "gone") }
        await #expect(throws: StoreError.self) { _ = try await store.removeAll(StoreSelection()) }
        #expect(second.all.isEmpty)
    }
}

@Suite struct StoreErrorTests {
    @Test func `text from a file is printed on one line without control characters`() {
        let error = StoreError(.damaged, place: "a", detail: "no table 'x\u{1B}[2J\n\u{7F}\u{9B}\u{2028}é'")
        #expect(error.detail == "no table 'x [2J é'")
        #expect(error.description == "a: " + error.detail)
        let long = StoreError(.damaged, place: "a", detail: String(repeating: "x", count: 100_000))
        #expect(long.detail.count <= 2003)
    }
}
