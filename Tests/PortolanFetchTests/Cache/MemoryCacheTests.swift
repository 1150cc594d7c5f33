import PortolanFetch
import Testing

struct MemoryCacheTests {
    @Test func `hits, misses and evictions are counted`() {
        let cache = MemoryCache<String, Int>(byteBudget: 20)
        cache.insert(1, for: "a", cost: 10)
        cache.insert(2, for: "b", cost: 10)
        #expect(cache.value(for: "a") == 1)
        #expect(cache.value(for: "x") == nil)
        cache.insert(3, for: "c", cost: 10)
        #expect(cache.value(for: "b") == nil)
        cache.insert(4, for: "c", cost: 5)
        let statistics = cache.statistics
        #expect(statistics.hits == 1)
        #expect(statistics.misses == 2)
        #expect(statistics.evictions == 1)
        #expect(statistics.count == 2)
        #expect(statistics.cost == 15)
    }

    @Test func `fifty entries are kept by default`() {
        let cache = MemoryCache<Int, Int>()
        for key in 0..<60 { cache.insert(key, for: key, cost: 1) }
        #expect(cache.statistics.count == 50)
        let unbounded = MemoryCache<Int, Int>(maximumCount: nil)
        for key in 0..<60 { unbounded.insert(key, for: key, cost: 1) }
        #expect(unbounded.statistics.count == 60)
    }

    @Test func `the pins of an owner replace its former ones`() {
        let cache = MemoryCache<String, Int>(byteBudget: 20)
        let view = PinOwner()
        let other = PinOwner()
        cache.pin(["a", "b"], for: view)
        cache.pin(["b"], for: other)
        cache.insert(1, for: "a", cost: 10)
        cache.insert(2, for: "b", cost: 10)
        cache.insert(3, for: "c", cost: 10)
        #expect(cache.value(for: "c") == nil)
        #expect(cache.statistics.pinnedCost == 20)
        cache.pin(["c"], for: view)
        #expect(cache.statistics.pinnedCost == 10)
        cache.insert(3, for: "c", cost: 10)
        #expect(cache.value(for: "a") == nil)
        #expect(cache.value(for: "b") == 2)
        #expect(cache.value(for: "c") == 3)
        cache.unpin(view)
        cache.unpin(other)
        #expect(cache.statistics.pinnedCost == 0)
    }

    @Test func `releasing pins over the budget evicts at once`() {
        let cache = MemoryCache<Int, Int>(byteBudget: 20)
        let view = PinOwner()
        cache.pin([1, 2, 3], for: view)
        for key in 1...3 { cache.insert(key, for: key, cost: 10) }
        #expect(cache.statistics.cost == 30)
        cache.unpin(view)
        #expect(cache.statistics.cost == 20)
        #expect(cache.statistics.evictions == 1)
    }

    @Test func `removal includes pinned entries`() {
        let cache = MemoryCache<Int, Int>()
        cache.pin([1, 2], for: PinOwner())
        for key in 1...6 { cache.insert(key, for: key, cost: 10) }
        #expect(cache.remove(6) == 6)
        cache.remove { $0 % 2 == 0 }
        #expect(cache.statistics.count == 3)
        #expect(cache.statistics.evictions == 0)
        cache.removeAll()
        #expect(cache.statistics.count == 0)
        #expect(cache.statistics.cost == 0)
        #expect(cache.statistics.pinnedCost == 0)
    }

    /// A value that uses its cache when it goes.
    private final class Reentrant: Sendable {
        let cache: MemoryCache<Int, Reentrant>
        init(_ cache: MemoryCache<Int, Reentrant>) { self.cache = cache }
        deinit { _ = cache.statistics }
    }

    @Test func `a value may use the cache when it is released`() {
        let cache = MemoryCache<Int, Reentrant>(byteBudget: 20)
        for key in 0..<10 { cache.insert(Reentrant(cache), for: key % 4, cost: 10) }
        cache.remove(1)
        cache.removeAll()
        #expect(cache.statistics.count == 0)
    }

    @Test func `many tasks can share the cache`() async {
        let cache = MemoryCache<Int, Int>(byteBudget: 500, maximumCount: 40)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    let owner = PinOwner()
                    for step in 0..<500 {
                        cache.pin([step % 10, task], for: owner)
                        if cache.value(for: step % 60) == nil { cache.insert(step, for: step % 60, cost: 10) }
                    }
                    cache.unpin(owner)
                }
            }
        }
        let statistics = cache.statistics
        #expect(statistics.hits + statistics.misses == 4000)
        #expect(statistics.cost <= 500)
        #expect(statistics.count <= 40)
        #expect(statistics.cost == statistics.count * 10)
        #expect(statistics.pinnedCost == 0)
    }
}
