import PortolanFetch
import Testing

struct LeastRecentlyUsedTests {
    typealias List = LeastRecentlyUsed<String, Int>

    @Test func `the least recently used entry is evicted first`() {
        var list = List(maximumCost: 30, maximumCount: nil)
        for (value, key) in ["a", "b", "c"].enumerated() { _ = list.insert(value, for: key, cost: 10) }
        #expect(list.value(for: "a") == 0)
        #expect(list.unpinnedKeysByRecency == ["a", "c", "b"])
        #expect(list.insert(3, for: "d", cost: 15).evicted == [1, 2])
        #expect(list.unpinnedKeysByRecency == ["d", "a"])
        #expect(list.cost == 25)
    }

    @Test func `trimming evicts the least recently used entries, but no pinned ones`() {
        var list = List(maximumCost: 100, maximumCount: nil)
        for (value, key) in ["a", "b", "c", "d"].enumerated() { _ = list.insert(value, for: key, cost: 10) }
        list.pin("a")
        let kept = list.trim(toCost: 40)
        #expect(kept.isEmpty)
        let gone = list.trim(toCost: 25)
        #expect(gone == [1, 2])
        #expect(list.cost == 20)
        let rest = list.trim(toCost: 0)
        #expect(rest == [3])
        #expect(list.cost == 10)
        let again = list.insert(4, for: "e", cost: 90).evicted
        #expect(again.isEmpty, "the bound is what it was")
    }

    @Test func `the number of entries is limited as well`() {
        var list = List(maximumCost: 1000, maximumCount: 2)
        _ = list.insert(0, for: "a", cost: 0)
        _ = list.insert(1, for: "b", cost: 0)
        #expect(list.insert(2, for: "c", cost: 0).evicted == [0])
        #expect(list.count == 2)
    }

    @Test func `an entry is replaced with its cost`() {
        var list = List(maximumCost: 30, maximumCount: nil)
        _ = list.insert(0, for: "a", cost: 25)
        let gone = list.insert(1, for: "a", cost: 5)
        #expect(gone.replaced == 0)
        #expect(gone.evicted == [])
        #expect(list.cost == 5)
        #expect(list.value(for: "a") == 1)
    }

    @Test func `an entry that can never fit evicts nothing`() {
        var list = List(maximumCost: 30, maximumCount: nil)
        _ = list.insert(0, for: "a", cost: 10)
        #expect(list.insert(1, for: "b", cost: 31).evicted == [1])
        #expect(list.insert(2, for: "c", cost: .max).evicted == [2])
        #expect(list.unpinnedKeysByRecency == ["a"])
    }

    @Test func `pinned entries are kept, even over the limits`() {
        var list = List(maximumCost: 30, maximumCount: 2)
        list.pin("a")
        list.pin("b")
        list.pin("c")
        _ = list.insert(0, for: "x", cost: 1)
        _ = list.insert(1, for: "a", cost: 20)
        #expect(list.insert(2, for: "b", cost: 20).evicted == [0])
        #expect(list.insert(3, for: "c", cost: 20).evicted == [])
        #expect(list.insert(4, for: "y", cost: 1).evicted == [4])
        #expect(list.cost == 60)
        #expect(list.pinnedCost == 60)
        list.unpin("a")
        #expect(list.evict() == [1])
        list.unpin("b")
        list.unpin("c")
        #expect(list.evict() == [2])
        #expect(list.unpinnedKeysByRecency == ["c"])
        #expect(list.pinnedCost == 0)
    }

    @Test func `an entry must be unpinned as often as it was pinned`() {
        var list = List(maximumCost: 10, maximumCount: nil)
        _ = list.insert(0, for: "a", cost: 10)
        list.pin("a")
        list.pin("a")
        list.unpin("a")
        #expect(list.insert(1, for: "b", cost: 1).evicted == [1])
        list.unpin("a")
        list.unpin("a")
        #expect(list.insert(1, for: "b", cost: 1).evicted == [0])
    }

    /// The same rules, written the slow and obvious way.
    private struct Oracle {
        var entries: [(key: Int, value: Int, cost: Int)] = []
        var pins: [Int: Int] = [:]

        mutating func trim() {
            while entries.reduce(0, { $0 + $1.cost }) > 100 || entries.count > 8 {
                guard let index = entries.lastIndex(where: { pins[$0.key] == nil }) else { return }
                entries.remove(at: index)
            }
        }

        mutating func insert(_ value: Int, _ key: Int, _ cost: Int) {
            entries.removeAll { $0.key == key }
            let pinned = entries.filter { pins[$0.key] != nil }
            let fits = pinned.reduce(cost) { $0 + $1.cost } <= 100 && pinned.count < 8
            if pins[key] == nil && !fits { return }
            entries.insert((key, value, cost), at: 0)
            trim()
        }

        mutating func touch(_ key: Int) -> Int? {
            guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
            entries.insert(entries.remove(at: index), at: 0)
            return entries[0].value
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `the list agrees with a naive implementation over random events`(seed: UInt64) {
        var state = seed
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var list = LeastRecentlyUsed<Int, Int>(maximumCost: 100, maximumCount: 8)
        var oracle = Oracle()
        for step in 0..<5000 {
            let key = random(20)
            switch random(6) {
            case 0, 1:
                let cost = random(40)
                _ = list.insert(step, for: key, cost: cost)
                oracle.insert(step, key, cost)
            case 2: #expect(list.value(for: key) == oracle.touch(key))
            case 3:
                let isNew = oracle.pins[key] == nil
                list.pin(key)
                oracle.pins[key, default: 0] += 1
                if isNew { _ = oracle.touch(key) }
            case 4:
                list.unpin(key)
                if let pins = oracle.pins[key] {
                    oracle.pins[key] = pins > 1 ? pins - 1 : nil
                    if pins == 1 { _ = oracle.touch(key) }
                }
                _ = list.evict()
                oracle.trim()
            default:
                _ = list.remove(key)
                oracle.entries.removeAll { $0.key == key }
            }
            #expect(Set(list.keys) == Set(oracle.entries.map(\.key)), "step \(step)")
            #expect(list.cost == oracle.entries.reduce(0) { $0 + $1.cost }, "step \(step)")
            let unpinned = oracle.entries.filter { oracle.pins[$0.key] == nil }.map(\.key)
            #expect(list.unpinnedKeysByRecency == unpinned, "step \(step)")
        }
    }
}
