#if Storage
import Foundation
import PortolanDiskCache
import PortolanFetch
import PortolanWeb
import Synchronization
import TestHelpers
import Testing

@Suite(.timeLimit(.minutes(20))) struct SQLiteStoreTests {
    static func url(_ number: Int) -> String { "https://t.example/secret-token/5/\(number)/1.png?key=geheim" }

    static func key(_ number: Int) throws -> StoreKey { try #require(StoreKey(HTTPRequest(to: url(number)))) }

    static func entry(_ number: Int, byteCount: Int = 5000) -> StoredResponse {
        var random = SeededGenerator(seed: UInt64(number))
        return StoredResponse(
            status: 200,
            headers: [
                HTTPHeader(name: "Content-Type", value: "image/png"), HTTPHeader(name: "ETag", value: "\"\(number)\""),
            ], body: (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &random) },
            responseTime: 1000 + number, delay: 2)
    }

    static func put(_ store: SQLiteStore, _ numbers: Range<Int>, byteCount: Int = 5000) throws {
        for number in numbers {
            store.put(
                entry(number, byteCount: byteCount), for: try key(number),
                place: StoredResponse.Location(url: url(number)))
        }
        try store.flush()
    }

    @Test func `an entry is read back unchanged, also by another process`() throws {
        let folder = try TemporaryFolder()
        let store = SQLiteStore(folder: folder.path + "/new/cache")
        for (number, count) in [0, 1, 7, 8, 9, 4096, 100_000].enumerated() {
            let entry = Self.entry(number, byteCount: count)
            store.put(entry, for: try Self.key(number), place: StoredResponse.Location(url: Self.url(number)))
            #expect(try store.entry(for: Self.key(number)) == entry)
        }
        try store.flush()
        let other = SQLiteStore(folder: folder.path + "/new/cache")
        for (number, count) in [0, 1, 7, 8, 9, 4096, 100_000].enumerated() {
            #expect(try other.entry(for: Self.key(number)) == Self.entry(number, byteCount: count))
        }
        #expect(try other.entry(for: Self.key(99)) == nil)
        #expect(store.warnings.isEmpty)
        #expect(other.warnings.isEmpty)
    }

    @Test func `a revalidated entry does not replace a newer one`() throws {
        let folder = try TemporaryFolder()
        let store = SQLiteStore(folder: folder.path), other = SQLiteStore(folder: folder.path)
        var old = Self.entry(0)
        try Self.put(store, 0..<1)
        old.headers.append(HTTPHeader(name: "Cache-Control", value: "max-age=5"))
        // Not written yet.
        store.put(Self.entry(50), for: try Self.key(0), place: StoredResponse.Location(url: Self.url(0)))
        store.confirm(old, for: try Self.key(0))
        #expect(try store.entry(for: Self.key(0)) == Self.entry(50))
        try store.flush()
        // Written, by another process.
        other.put(Self.entry(60), for: try Self.key(0), place: StoredResponse.Location(url: Self.url(0)))
        try other.flush()
        store.confirm(Self.entry(50), for: try Self.key(0))
        try store.flush()
        #expect(try store.entry(for: Self.key(0)) == Self.entry(60))
    }

    @Test func `a read-only folder can be read`() throws {
        let folder = try TemporaryFolder()
        do {
            let store = SQLiteStore(folder: folder.path + "/50%?#")
            try Self.put(store, 0..<3)
        }
        // As on a disk that is only read, the lock cannot be opened for writing.
        let lock = folder.path + "/50%?#/lock"
        try FileManager.default.removeItem(atPath: lock)
        try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
        let store = SQLiteStore(folder: folder.path + "/50%?#")
        #expect(try store.entry(for: Self.key(1)) == Self.entry(1))
        _ = try? Self.put(store, 5..<6)
        #expect(try store.entry(for: Self.key(2)) == Self.entry(2) && store.entry(for: Self.key(5)) == nil)
        #expect(store.warnings.count == 1 && store.warnings[0].description.contains("is read-only"))
    }

    @Test func `after the clock was set back, new entries outlive future-dated ones`() throws {
        let folder = try TemporaryFolder()
        let time = Mutex(2_000_000_000_000)
        let store = SQLiteStore(folder: folder.path, byteBudget: 1 << 20) { time.withLock { $0 } }
        try Self.put(store, 0..<80)
        time.withLock { $0 -= 10 * 86_400_000 }
        for number in 100..<140 { try Self.put(store, number..<number + 1) }
        for number in 120..<140 { #expect(try store.entry(for: Self.key(number)) != nil, "\(number)") }
    }

    @Test func `entries are replaced, confirmed and removed`() throws {
        let folder = try TemporaryFolder()
        let store = SQLiteStore(folder: folder.path)
        try Self.put(store, 0..<3)
        var confirmed = Self.entry(1)
        confirmed.headers = [HTTPHeader(name: "Cache-Control", value: "max-age=5")]
        confirmed.responseTime = 5000
        store.confirm(confirmed, for: try Self.key(1))
        store.confirm(Self.entry(9), for: try Self.key(9))
        store.remove(try Self.key(2))
        store.put(Self.entry(50), for: try Self.key(0), place: StoredResponse.Location(url: Self.url(0)))
        for _ in 0..<2 {
            #expect(try store.entry(for: Self.key(0)) == Self.entry(50))
            #expect(try store.entry(for: Self.key(1)) == confirmed)
            #expect(try store.entry(for: Self.key(2)) == nil)
            try store.flush()
        }
        #expect(try store.entry(for: Self.key(9)) == nil)
        #expect(try store.statistics().count == 2)
        // What is confirmed before it has been written is written so.
        store.put(Self.entry(3), for: try Self.key(3), place: StoredResponse.Location(url: Self.url(3)))
        var third = Self.entry(3)
        third.responseTime = 6000
        store.confirm(third, for: try Self.key(3))
        try store.flush()
        #expect(try SQLiteStore(folder: folder.path).entry(for: Self.key(3)) == third)
    }

    @Test func `the least recently used entries are evicted to stay within the budget`() throws {
        let folder = try TemporaryFolder()
        let clock = Mutex(1_000_000_000)
        let store = SQLiteStore(folder: folder.path, byteBudget: 2 << 20) { clock.withLock { $0 } }
        for number in 0..<600 {
            clock.withLock { $0 += 100_000 }
            try Self.put(store, number..<number + 1, byteCount: 10_000)
            #expect(try store.entry(for: Self.key(0)) != nil, "\(number)")
        }
        let kept = try (0..<600).filter { try store.entry(for: Self.key($0)) != nil }
        #expect(kept.count > 50)
        #expect(kept.count < 200)
        #expect(kept == [0] + Array(600 - (kept.count - 1)..<600))
        let statistics = try store.statistics()
        #expect(statistics.count == kept.count)
        #expect(folder.byteCount <= 2 << 20)
        #expect(try SQLiteStore(folder: folder.path, byteBudget: 1 << 20).statistics().byteCount > 0)
    }

    @Test(arguments: [1 << 20, 3 << 20, 8 << 20])
    func `the folder never exceeds its budget`(budget: Int) throws {
        let folder = try TemporaryFolder()
        let store = SQLiteStore(folder: folder.path, byteBudget: budget)
        var generator = SeededGenerator(seed: 5), most = 0, written = 0, number = 0
        while written < 4 * budget {
            // Many small ones at once, and some as long as may be.
            let isLong = Int.random(in: 0..<20, using: &generator) == 0
            let count = isLong ? 1 : Int.random(in: 1...100, using: &generator)
            let byteCount = isLong ? budget / 8 : Int.random(in: 0...20_000, using: &generator)
            try Self.put(store, number..<number + count, byteCount: byteCount)
            for used in 0..<min(number, 200) { _ = try store.entry(for: Self.key(number - used)) }
            try store.flush()
            most = max(most, folder.byteCount)
            written += count * byteCount
            number += count
        }
        #expect(most <= budget && most > budget / 2, "\(most)")
    }

    @Test func `a response too long for the budget is not cached`() throws {
        let folder = try TemporaryFolder()
        let store = SQLiteStore(folder: folder.path, byteBudget: 1 << 20)
        try Self.put(store, 0..<1, byteCount: 200_000)
        #expect(try store.statistics().count == 0)
    }

    @Test func `entries are removed by URL, area and age`() throws {
        let folder = try TemporaryFolder()
        let store = SQLiteStore(folder: folder.path)
        func fill() throws {
            for (number, place) in [
                StoredResponse.Location(url: "https://a.example/x/1.png", bounds: [0, 0, 10, 10]),
                StoredResponse.Location(url: "https://a.example/y/1.png", bounds: [20, 0, 30, 10]),
                StoredResponse.Location(url: "https://b.example/x/1.png"),
            ].enumerated() {
                let key = try #require(StoreKey(HTTPRequest(to: place.url)))
                store.put(Self.entry(number * 100), for: key, place: place)
            }
        }
        for (selection, removed) in [
            (StoreSelection(), 3), (StoreSelection(prefix: "https://a.example"), 2),
            (StoreSelection(prefix: "https://a.example/x/"), 1), (StoreSelection(prefix: "https://c.example"), 0),
            (StoreSelection(prefix: "no address"), 0), (StoreSelection(bounds: [9, 9, 21, 21]), 2),
            (StoreSelection(bounds: [10, 10, 20, 20]), 0), (StoreSelection(before: 1101), 2),
            (StoreSelection(prefix: "https://a.example", before: 1001), 1),
        ] {
            _ = try store.removeAll()
            try fill()
            #expect(try store.removeAll(selection) == removed, "\(selection)")
            #expect(try store.statistics().count == 3 - removed)
        }
    }

    @Test func `the files contain no URLs and no keys`() throws {
        let folder = try TemporaryFolder()
        let store = SQLiteStore(folder: folder.path)
        try Self.put(store, 0..<20)
        for name in folder.files {
            let text = String(decoding: try folder.bytes(name), as: UTF8.self)
            for word in ["t.example", "secret-token", "geheim"] { #expect(!text.contains(word), "\(name)") }
        }
        let rights = try FileManager.default.attributesOfItem(atPath: store.path)[.posixPermissions] as? Int
        #expect(rights == 0o600)
    }
}
#endif
