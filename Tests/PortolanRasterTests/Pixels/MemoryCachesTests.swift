import PortolanRaster
import Synchronization
import Testing

@Suite struct MemoryCachesTests {
    private final class Cache: TrimmableCache {
        private let count: Mutex<Int>
        init(_ count: Int) { self.count = Mutex(count) }
        var byteCount: Int { count.withLock(\.self) }
        func fill(to count: Int) { self.count.withLock { $0 = count } }
        func trim(to byteCount: Int) { count.withLock { $0 = min($0, byteCount) } }
    }

    private func caches(_ counts: [Int]) -> (MemoryCaches, [Cache]) {
        let all = counts.map(Cache.init)
        var caches = MemoryCaches()
        for cache in all { caches.add("kind", cache) }
        return (caches, all)
    }

    @Test func `caches within the limit keep everything, others shrink in proportion`() {
        let (caches, all) = caches([100, 300, 0])
        caches.settle(within: 400)
        #expect(all.map(\.byteCount) == [100, 300, 0])
        caches.settle(within: 320)
        #expect(all.map(\.byteCount) == [70, 210, 0])
        caches.settle(within: 0)
        #expect(all.map(\.byteCount) == [0, 0, 0])
    }

    @Test func `memory moves to the cache that is used`() {
        let (caches, all) = caches([800, 200])
        for _ in 0..<40 {
            all[1].fill(to: all[1].byteCount + 200)
            caches.settle(within: 1000)
        }
        #expect(all[0].byteCount < 80 && all[1].byteCount > 600)
        #expect(all[0].byteCount + all[1].byteCount <= 1000)
    }

    @Test func `a cache shared by several layers counts once`() {
        let cache = Cache(100)
        var caches = MemoryCaches()
        for kind in ["a", "b", "a"] { caches.add(kind, cache) }
        #expect(caches.byteCounts == ["a": 100])
    }
}
