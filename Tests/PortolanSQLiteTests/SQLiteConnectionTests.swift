#if Storage
import Foundation
import TestHelpers
import Testing

@testable import PortolanSQLite

@Suite struct SQLiteConnectionTests {
    @Test func `values survive writing and reading`() throws {
        let folder = try TemporaryFolder()
        let connection = try SQLiteConnection(path: folder.path + "/a.db", access: .writing)
        try connection.run("CREATE TABLE t (a, b, c, d, e)")
        try connection.run(
            "INSERT INTO t VALUES (?, ?, ?, ?, ?)",
            [.integer(.max), .real(0.1), .text("a'b\0ö"), .blob([0, 255]), .null])
        var count = 0
        try connection.run("SELECT * FROM t") { row in
            count += 1
            #expect(row.integer(0) == .max && row.real(1) == 0.1 && row.bytes(3) == [0, 255] && row.isNull(4))
            #expect(row.text(2) == "a'b\0ö" && row.optionalReal(4) == nil && row.optionalReal(1) == 0.1)
        }
        #expect(count == 1 && connection.changeCount == 1)
    }

    @Test func `a scan gives the rows of a query, until it is stopped`() throws {
        let folder = try TemporaryFolder()
        let connection = try SQLiteConnection(path: folder.path + "/a.db", access: .writing)
        // More columns than a function may have arguments, too.
        let names = (0..<150).map { "c\($0)" }
        try connection.run("CREATE TABLE t (\(names.joined(separator: ", ")))")
        for row in 0..<5 {
            let values = [SQLiteValue.int(row), .text("ä\(row)"), .blob([UInt8(row)]), .real(0.5), .null]
            try connection.run("INSERT INTO t (c0, c1, c2, c3, c4) VALUES (?, ?, ?, ?, ?)", values)
        }
        func line(_ row: borrowing SQLiteRow) -> String {
            "\(row.integer(0)) \(row.text(1)) \(row.bytes(2)) \(row.real(3)) \(row.kind(4))"
        }
        for columns in [Array(names.prefix(5)), names] {
            var expected: [String] = [], found: [String] = []
            try connection.run("SELECT * FROM t WHERE c0 > ?", [.int(0)]) { expected.append(line($0)) }
            try connection.scan(columns, "FROM t WHERE c0 > ?", [.int(0)]) { row in
                found.append(line(row))
                return true
            }
            #expect(found == expected && found.count == 4)
            try connection.scan(columns, "FROM t WHERE c0 > ?", [.int(0)]) { row in
                found.append(line(row))
                return found.count < 6
            }
            #expect(found == expected + expected.prefix(2))
            #expect(throws: SQLiteError.self) { try connection.scan(columns, "FROM nowhere", []) { _ in true } }
        }
    }

    @Test func `a transaction is applied completely or not at all`() throws {
        let folder = try TemporaryFolder()
        let connection = try SQLiteConnection(path: folder.path + "/a.db", access: .writing)
        try connection.run("CREATE TABLE t (a UNIQUE)")
        #expect(throws: SQLiteError.self) {
            try connection.transaction { () throws(SQLiteError) in
                for value in [1, 2, 1] { try connection.run("INSERT INTO t VALUES (?)", [.int(value)]) }
            }
        }
        #expect(try connection.integer("SELECT count(*) FROM t") == 0)
    }

    @Test func `SQLite errors have a kind and a message`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: SQLiteError.self) {
            _ = try SQLiteConnection(path: folder.path + "/none.db", access: .reading)
        }
        let connection = try SQLiteConnection(path: folder.path + "/a.db", access: .writing)
        let error = #expect(throws: SQLiteError.self) { try connection.run("SELECT * FROM absent") }
        #expect(error?.kind == .schema && error?.message == "no such table: absent", "\(error?.message ?? "")")
    }

    @Test func `system errors have the message of the system`() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: SQLiteError.self) {
            _ = try SQLiteConnection(path: folder.path + "/none/a.db", access: .writing)
        }
        #expect(error?.kind == .cannotOpen && error?.message.hasSuffix(": No such file or directory") == true)
        for (systemError, kind) in [
            (ENOSPC, SQLiteError.Kind.full), (EDQUOT, .full), (EROFS, .notWritable), (EIO, .inputOutput),
        ] {
            // A write that failed, and the index of the log that could not be made larger: SQLITE_IOERR_WRITE, _SHMSIZE.
            for code: Int32 in [10 | 3 << 8, 10 | 19 << 8] {
                let error = SQLiteError(code: code, message: "disk I/O error", systemError: systemError)
                #expect(
                    error.kind == kind
                        && error.message == "disk I/O error: \(unsafe String(cString: strerror(systemError)))")
            }
        }
        // One that SQLite found itself is not the system's.
        #expect(SQLiteError(code: 11, message: "malformed", systemError: ENOSPC).kind == .damaged)
    }

    @Test func `a file on a read-only disk is read without additional files`() throws {
        let folder = try TemporaryFolder()
        let name = "100%?a#b.db", path = folder.path + "/" + name
        do {
            let connection = try SQLiteConnection(path: path, access: .writing)
            try connection.run("PRAGMA journal_mode=WAL")
            try connection.run("CREATE TABLE t (a)")
            try connection.run("INSERT INTO t VALUES (7)")
        }
        let connection = try SQLiteConnection(path: path, access: .readingUnchanging)
        #expect(try connection.integer("SELECT a FROM t") == 7 && folder.files == [name])
        #expect(throws: SQLiteError.self) { try connection.run("DELETE FROM t") }
    }

    @Test func `a replaced file counts as damaged, not as unwritable`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.db"
        let connection = try SQLiteConnection(path: path, access: .writing)
        try connection.run("PRAGMA journal_mode=WAL")
        try connection.run("CREATE TABLE t (a)")
        for name in folder.files {
            try FileManager.default.moveItem(atPath: folder.path + "/" + name, toPath: folder.path + "/old-" + name)
        }
        try folder.write([], to: "a.db")
        do throws(SQLiteError) {
            try connection.run("INSERT INTO t VALUES (1)")
        } catch {
            #expect(error.isDamage, "\(error)")
        }
    }

    @Test func `a blob is read up to a limit, and a column may have any name`() throws {
        let connection = try SQLiteConnection(path: ":memory:", access: .writing)
        let name = SQLiteConnection.quoted("a \"b; --")
        try connection.run("CREATE TABLE t (\(name))")
        try connection.run("INSERT INTO t VALUES (?), (NULL)", [.blob([1, 2, 3])])
        #expect(try connection.blob(name, "FROM t WHERE rowid = ?", [.int(1)], limit: 3) == [1, 2, 3])
        for row in [2, 3] { #expect(try connection.blob(name, "FROM t WHERE rowid = ?", [.int(row)], limit: 3) == nil) }
        let error = #expect(throws: SQLiteError.self) {
            try connection.blob(name, "FROM t WHERE rowid = ?", [.int(1)], limit: 2)
        }
        #expect(error?.kind == .tooLong && error?.isDamage == false)
    }

    /// Views of a kilobyte: rows without end, sums without rows, long values, wide rows.
    static let hostileViews = [
        "WITH RECURSIVE r(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM r) SELECT a FROM r",
        "WITH RECURSIVE r(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM r) SELECT count(*) AS a FROM r",
        "WITH RECURSIVE r(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM r) SELECT sum(length(randomblob(10000000))) AS a FROM r",
        "WITH RECURSIVE r(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM r) SELECT 'x' AS a FROM r ORDER BY a",
    ]

    @Test(arguments: hostileViews)
    func `a statement of an untrusted file is cancelled with its task`(view: String) async throws {
        let folder = try TemporaryFolder(), path = folder.path + "/a.db"
        do {
            let connection = try SQLiteConnection(path: path, access: .writing)
            try connection.run("CREATE VIEW v AS \(view)")
        }
        let work = Task { () throws(SQLiteError) -> Int in
            let connection = try SQLiteConnection(path: path, access: .reading)
            var count = 0
            try connection.run("SELECT a FROM v") { _ in count += 1 }
            return count
        }
        work.cancel()
        let error = await #expect(throws: SQLiteError.self) { try await work.value }
        #expect(error?.kind == .cancelled && error?.isDamage == false)
    }

    @Test(arguments: [
        ("SELECT zeroblob(200000000) AS a", SQLiteError.Kind.tooLong),
        ("SELECT hex(zeroblob(100000000)) AS a", .tooLong),
    ])
    func `a long value of an untrusted file is refused`(view: String, kind: SQLiteError.Kind) throws {
        let folder = try TemporaryFolder(), path = folder.path + "/a.db"
        try SQLiteConnection(path: path, access: .writing).run("CREATE VIEW v AS \(view)")
        let connection = try SQLiteConnection(path: path, access: .reading)
        let error = #expect(throws: SQLiteError.self) { try connection.run("SELECT * FROM v") { _ = $0.bytes(0) } }
        #expect(error?.kind == kind, "\(String(describing: error))")
        // The connection is of use afterwards.
        #expect(try connection.integer("SELECT 1") == 1)
    }
}
#endif
