#if !Storage && !canImport(Darwin)
import PortolanDiskCache
import PortolanFetch
import PortolanWeb
import TestHelpers
import Testing

/// The disk cache in a build without the trait `Storage`.
@Suite struct StorageNotBuiltInTests {
    @Test func `the cache without the trait is an error that names trait and package, with one warning`() throws {
        let folder = try TemporaryFolder()
        let store = SQLiteStore(folder: folder.path + "/cache")
        let key = try #require(StoreKey(HTTPRequest(to: "https://t.example/1.png")))
        for _ in 0..<2 {
            let error = #expect(throws: StoreError.self) { _ = try store.entry(for: key) }
            #expect(error?.code == .notBuiltIn)
            #expect(error?.detail.contains("--traits Storage") == true)
            #expect(error?.detail.contains("libsqlite3-dev") == true)
        }
        #expect(store.warnings.count == 1)
    }
}
#endif
