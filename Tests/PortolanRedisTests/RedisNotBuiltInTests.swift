#if !Redis
import PortolanFetch
import PortolanRedis
import PortolanWeb
import Testing

/// A store in a build without the trait `Redis`.
@Suite struct RedisNotBuiltInTests {
    @Test func `a store without the trait is an error that names the trait and the package`() async throws {
        let store = try RedisStore(url: "redis://127.0.0.1:1")
        let key = try #require(StoreKey(HTTPRequest(to: "https://t.example/1.png")))
        #expect(!RedisStore.isSupported)
        let error = await #expect(throws: StoreError.self) { _ = try await store.entry(for: key) }
        #expect(error?.code == .notBuiltIn)
        #expect(error?.detail.contains("--traits Redis") == true)
        #expect(error?.detail.contains("libhiredis-dev") == true)
    }
}
#endif
