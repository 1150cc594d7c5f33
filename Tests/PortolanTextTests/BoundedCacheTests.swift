import PortolanText
import TestHelpers
import Testing

@Suite struct BoundedCacheTests {
    @Test func `the cost of cached values never exceeds the limit`() {
        var cache = BoundedCache<Int, Int>(limit: 100)
        var random = SeededGenerator(seed: 3)
        for _ in 0..<10_000 {
            let key = Int.random(in: 0..<60, using: &random)
            if let found = cache.value(for: key) {
                #expect(found == key * 2)
            } else {
                cache.insert(key * 2, for: key, cost: 1 + key % 9)
            }
            #expect(cache.cost <= 100)
        }
        #expect(cache.cost > 40)
    }

    @Test func `recently used values stay, others are removed`() {
        var cache = BoundedCache<Int, String>(limit: 20)
        cache.insert("used", for: -1, cost: 1)
        cache.insert("unused", for: -2, cost: 1)
        for number in 0..<100 {
            #expect(cache.value(for: -1) == "used")
            cache.insert("", for: number, cost: 1)
        }
        #expect(cache.value(for: -2) == nil)
    }

    @Test func `a value too large for the bound is not kept, and one replaced counts once`() {
        var cache = BoundedCache<Int, Int>(limit: 10)
        cache.insert(1, for: 1, cost: 6)
        #expect(cache.value(for: 1) == nil)
        #expect(cache.cost == 0)
        cache.insert(1, for: 1, cost: 2)
        cache.insert(2, for: 1, cost: 3)
        #expect(cache.value(for: 1) == 2)
        #expect(cache.cost == 3)
    }

    @Test func `trimming removes the least recently used values first`() {
        var cache = BoundedCache<Int, Int>(limit: 20)
        for number in 0..<12 { cache.insert(number, for: number, cost: 1) }
        #expect(cache.cost == 12)
        cache.trim(to: 12)
        #expect(cache.cost == 12)
        cache.trim(to: 5)
        #expect(cache.cost == 2)
        #expect(cache.value(for: 11) == 11)
        #expect(cache.value(for: 0) == nil)
        cache.trim(to: 0)
        #expect(cache.cost == 0)
        #expect(cache.value(for: 11) == nil)
    }
}
