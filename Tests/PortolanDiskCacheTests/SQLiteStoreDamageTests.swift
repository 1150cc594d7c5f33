#if Storage
import Foundation
import PortolanDiskCache
import PortolanFetch
import PortolanSQLite
import PortolanWeb
import TestHelpers
import Testing

@Suite(.timeLimit(.minutes(20))) struct SQLiteStoreDamageTests {
    typealias Store = SQLiteStoreTests

    /// A filled file, with its log written back.
    static func filled(_ folder: TemporaryFolder, _ count: Int = 40) async throws {
        do { try Store.put(SQLiteStore(folder: folder.path), 0..<count) }
        // The task that writes may be the last to let the store go: only then is the log written back, and taken away.
        #expect(await eventually { !folder.files.contains("answers.sqlite3-wal") })
        #expect(folder.files.contains("answers.sqlite3"))
    }

    @Test(arguments: [0, 100, 4096, 40_000]) func `a file that is not a database is set aside`(count: Int) throws {
        let folder = try TemporaryFolder()
        try folder.write([UInt8](repeating: 0x41, count: count), to: "answers.sqlite3")
        let store = SQLiteStore(folder: folder.path)
        try Store.put(store, 0..<2)
        #expect(try store.entry(for: Store.key(1)) == Store.entry(1))
        // An empty file is a new database.
        #expect(
            store.warnings.count == (count == 0 ? 0 : 1)
                && folder.files.contains("answers.sqlite3.damaged") == (count > 0))
        if count > 0 { #expect(try folder.bytes("answers.sqlite3.damaged").count == count) }
    }

    @Test func `a foreign database is set aside`() throws {
        let folder = try TemporaryFolder()
        do {
            let other = try SQLiteConnection(path: folder.path + "/answers.sqlite3", access: .writing)
            try other.run("CREATE TABLE diary (page TEXT)")
        }
        let store = SQLiteStore(folder: folder.path)
        try Store.put(store, 0..<1)
        #expect(store.warnings.count == 1)
        #expect(folder.files.contains("answers.sqlite3.damaged"))
    }

    @Test func `a database of another version is set aside, and not reported as damaged`() async throws {
        let folder = try TemporaryFolder()
        try await Self.filled(folder)
        do {
            let newer = try SQLiteConnection(path: folder.path + "/answers.sqlite3", access: .writing)
            try newer.run("PRAGMA user_version=99")
        }
        let store = SQLiteStore(folder: folder.path)
        try Store.put(store, 0..<1)
        #expect(
            store.warnings.map(\.description) == [
                "the cache has the format of another version and was recreated; the old file is "
                    + "\(folder.path)/answers.sqlite3.other-version"
            ])
        #expect(folder.files.contains("answers.sqlite3.other-version"))
    }

    @Test(arguments: 0..<60) func `a damaged database never returns a wrong response`(seed: Int) async throws {
        let folder = try TemporaryFolder()
        try await Self.filled(folder)
        var bytes = try folder.bytes("answers.sqlite3")
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<(seed % 3 == 0 ? 1 : 200) {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        if seed % 5 == 0 { bytes.removeLast(Int.random(in: 1...bytes.count - 1, using: &random)) }
        try folder.write(bytes, to: "answers.sqlite3")
        let store = SQLiteStore(folder: folder.path)
        for number in 0..<40 {
            if let entry = try? store.entry(for: Store.key(number)) { #expect(entry == Store.entry(number)) }
        }
        // And it goes on working, if need be with a new file.
        for _ in 0..<3 { _ = try? Store.put(store, 100..<110) }
        for number in 100..<110 { #expect(try store.entry(for: Store.key(number)) == Store.entry(number)) }
    }

    /// Bytes 18 and 19 of the header tell the versions for writing and reading (SQLite, Database File Format, 1.3.3).
    @Test(arguments: [18, 19]) func `a file with a later version in its header is set aside`(offset: Int) async throws {
        let folder = try TemporaryFolder()
        try await Self.filled(folder)
        var bytes = try folder.bytes("answers.sqlite3")
        bytes[offset] = 9
        try folder.write(bytes, to: "answers.sqlite3")
        let store = SQLiteStore(folder: folder.path)
        try Store.put(store, 100..<110)
        for number in 100..<110 { #expect(try store.entry(for: Store.key(number)) == Store.entry(number)) }
        #expect(folder.files.contains("answers.sqlite3.damaged"))
    }

    @Test func `a file that is deleted while in use is recreated`() throws {
        let folder = try TemporaryFolder()
        let store = SQLiteStore(folder: folder.path)
        try Store.put(store, 0..<5)
        for name in folder.files { try FileManager.default.removeItem(atPath: folder.path + "/" + name) }
        #expect(try store.entry(for: Store.key(1)) == nil)
        try Store.put(store, 5..<6)
        #expect(try SQLiteStore(folder: folder.path).entry(for: Store.key(5)) == Store.entry(5))
    }

    @Test func `without a usable folder nothing is cached, and a warning says why`() throws {
        let folder = try TemporaryFolder()
        try folder.write([1], to: "file")
        let store = SQLiteStore(folder: folder.path + "/file/cache")
        #expect(throws: StoreError.self) { _ = try store.entry(for: Store.key(1)) }
        // What cannot be written is given up, so that memory does not fill.
        _ = try? Store.put(store, 0..<200)
        #expect(throws: StoreError.self) { _ = try store.entry(for: Store.key(1)) }
        #expect(store.warnings.count == 1 && store.warnings[0].description.contains("/file/cache"))
    }

    @Test func `several stores in one folder see each other's entries`() async throws {
        let folder = try TemporaryFolder()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for part in 0..<4 {
                group.addTask {
                    let store = SQLiteStore(folder: folder.path)
                    for batch in 0..<10 {
                        try Store.put(store, part * 1000 + batch * 10..<part * 1000 + batch * 10 + 10, byteCount: 500)
                    }
                    #expect(store.warnings.isEmpty)
                }
            }
            try await group.waitForAll()
        }
        #expect(try SQLiteStore(folder: folder.path).statistics().count == 400)
    }
}
#endif
