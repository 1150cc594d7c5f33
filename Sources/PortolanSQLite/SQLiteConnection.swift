#if Storage || canImport(Darwin)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif
#if canImport(Darwin)
import SQLite3
#else
import CSQLite
#endif

/// A connection to an SQLite file; for one thread at a time.
///
/// The handle is valid from `init` to `deinit` and never leaves the connection and its statements, so the class is safe.
/// Statements are prepared once. Text of a program is the only SQL there is: values go in as parameters, and a name that
/// a file gives (a table of a GeoPackage) goes in ``quoted(_:)``.
@safe package final class SQLiteConnection {
    /// The mode in which a file is opened.
    package enum Access: Sendable {
        /// For reading.
        case reading
        /// For reading a file that nobody writes to, on a disk that is only read; its log is passed over.
        case readingUnchanging
        /// For reading and writing; the file is made where it does not exist.
        case writing
    }

    private let handle: OpaquePointer
    private var statements: [String: SQLiteStatement] = [:]
    private let watch: SQLiteWatch

    /// The most bytes of a value in an untrusted file: a view of a kilobyte may make values of any length.
    package static let maximumValueByteCount = 128 << 20
    /// The most bytes that SQLite may allocate in this process, two of the longest values and what else is open: a row may have
    /// thousands of them.
    private static let maximumHeapByteCount: sqlite3_int64 = 320 << 20
    /// Set once, with the first connection.
    private static let limitHeap: Void = { _ = sqlite3_hard_heap_limit64(maximumHeapByteCount) }()

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - endsWithTask: whether reading ends when the task that reads is cancelled. A cache is read for others, too.
    ///   - patience: milliseconds to wait for another process.
    package init(
        path: String, access: Access, endsWithTask: Bool = true, patience: Int32 = 5000
    ) throws(SQLiteError) {
        watch = SQLiteWatch(endsWithTask: endsWithTask)
        // Opening a pipe waits for somebody who writes to it. The path lives, terminated, during the call.
        var there = stat()
        if unsafe stat(path, &there) == 0, there.st_mode & S_IFMT != S_IFREG {
            throw SQLiteError(kind: .cannotOpen, message: "it is no file")
        }
        var opened: OpaquePointer?
        var place = path, mode = SQLITE_OPEN_READONLY
        switch access {
        case .reading: break
        case .readingUnchanging:
            place = "file:" + Self.escaped(path) + "?immutable=1"
            mode |= SQLITE_OPEN_URI
        case .writing: mode = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        }
        // The path lives, terminated, during the call. NOMUTEX: whoever holds the connection sees to its single use.
        let result = unsafe sqlite3_open_v2(place, &opened, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard result == SQLITE_OK, let handle = unsafe opened else {
            let message = unsafe SQLiteConnection.message(opened), systemError = unsafe sqlite3_system_errno(opened)
            _ = unsafe sqlite3_close_v2(opened)
            throw SQLiteError(code: result, message: message, systemError: systemError)
        }
        unsafe self.handle = unsafe handle
        _ = unsafe sqlite3_busy_timeout(handle, patience)
        _ = Self.limitHeap
        // An untrusted file: its schema must not call functions with effects, nor lie about itself, and its views must end.
        if access != .writing {
            unsafe watch.watch(handle)
            for (limit, most) in Self.limits { _ = unsafe sqlite3_limit(handle, limit, most) }
        }
        try run("PRAGMA trusted_schema=OFF")
        try run("PRAGMA cell_size_check=ON")
    }

    /// The limits for statements on untrusted files.
    private static let limits: [(Int32, Int32)] = [
        (SQLITE_LIMIT_LENGTH, Int32(maximumValueByteCount)),
        // A pattern is tried at each place of a text, all of that in one step.
        (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100),
        (SQLITE_LIMIT_ATTACHED, 0),
        (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]

    /// A path as URIs of SQLite have it.
    private static func escaped(_ path: String) -> String {
        path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
    }

    deinit {
        for statement in statements.values { statement.close() }
        _ = unsafe sqlite3_close_v2(handle)
    }

    /// Runs a statement and gives each row to `row`.
    package func run(
        _ sql: String, _ values: [SQLiteValue] = [], row: (borrowing SQLiteRow) -> Void = { _ in }
    ) throws(SQLiteError) {
        watch.begin()
        let statement = try prepared(sql)
        defer { statement.reset() }
        try check(statement.bind(values))
        while true {
            let result = statement.step()
            if result == SQLITE_DONE { return }
            guard result == SQLITE_ROW else { throw failure(result) }
            row(SQLiteRow(statement: statement))
        }
    }

    /// The first column of the first row as a number; nil when there is no row.
    package func integer(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> Int? {
        var number: Int?
        try run(sql, values) { row in if number == nil { number = row.integer(0) } }
        return number
    }

    /// The first column of the first row as text; nil when there is no row.
    package func text(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> String? {
        var text: String?
        try run(sql, values) { row in if text == nil { text = row.text(0) } }
        return text
    }

    /// The first column of the first row as bytes; nil when there is no row, or it is null.
    ///
    /// - Parameters:
    ///   - column: the name of a column, or what else may stand between `SELECT` and `FROM`.
    ///   - source: the rest of the statement, as `FROM tiles WHERE …`.
    ///   - limit: the most bytes; more are not copied.
    /// - Throws: with the kind ``SQLiteError/Kind/tooLong`` when there are more.
    package func blob(
        _ column: String, _ source: String, _ values: [SQLiteValue], limit: Int
    ) throws(SQLiteError) -> [UInt8]? {
        var found: [UInt8]?, isTooLong = false
        let isLong = "length(\(column)) > \(limit)"
        try run("SELECT \(isLong), CASE WHEN \(isLong) THEN NULL ELSE \(column) END \(source)", values) { row in
            isTooLong = row.integer(0) != 0
            found = row.isNull(1) ? nil : row.bytes(1)
        }
        guard !isTooLong else { throw SQLiteError(kind: .tooLong, message: "a blob is longer than \(limit) bytes") }
        return found
    }

    /// A name of a table or a column as it stands in SQL, whatever characters it has.
    package static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

    /// Does `work` in one transaction: all of it happens, or nothing.
    package func transaction(_ work: () throws(SQLiteError) -> Void) throws(SQLiteError) {
        try run("BEGIN IMMEDIATE")
        do {
            try work()
            try run("COMMIT")
        } catch {
            // After some failures SQLite has rolled back by itself, and says so here.
            _ = try? run("ROLLBACK")
            throw error
        }
    }

    /// Rows that the last statement changed.
    package var changeCount: Int { Int(unsafe sqlite3_changes(handle)) }

    /// The number of the row that was inserted last.
    package var lastInsertedID: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    private func prepared(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        if let statement = statements[sql] { return statement }
        var prepared: OpaquePointer?
        // -1: up to the terminating zero, which Swift puts there for the call.
        let result = unsafe sqlite3_prepare_v2(handle, sql, -1, &prepared, nil)
        guard result == SQLITE_OK, let pointer = unsafe prepared else { throw failure(result) }
        let statement = unsafe SQLiteStatement(pointer)
        statements[sql] = statement
        return statement
    }

    /// The most arguments that a function may have.
    var functionArgumentLimit: Int { Int(unsafe sqlite3_limit(handle, SQLITE_LIMIT_FUNCTION_ARG, -1)) }

    /// Makes a function for which a scan gets its arguments, until ``undefine(_:)``; the scan must live as long.
    func define(_ name: String, _ scan: SQLiteScan) throws(SQLiteError) {
        let flags = SQLITE_UTF8 | SQLITE_DIRECTONLY
        // The scan is not retained: the function is gone before it is.
        let result = unsafe sqlite3_create_function_v2(
            handle, name, -1, flags, Unmanaged.passUnretained(scan).toOpaque(), nil,
            { context, count, values in
                guard let values = unsafe values, let data = unsafe sqlite3_user_data(context) else { return }
                let scan = unsafe Unmanaged<SQLiteScan>.fromOpaque(data).takeUnretainedValue()
                // An error is what ends a statement from within.
                if unsafe !scan.take(values, count) { unsafe sqlite3_result_error(context, "enough", -1) }
            }, { _ in }, nil)
        try check(result)
    }

    /// Forgets a function.
    func undefine(_ name: String) {
        _ = unsafe sqlite3_create_function_v2(
            handle, name, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, nil, nil, nil, nil, nil)
    }

    private func check(_ result: Int32) throws(SQLiteError) {
        guard result == SQLITE_OK else { throw failure(result) }
    }

    private func failure(_ code: Int32) -> SQLiteError {
        switch code & 0xFF == SQLITE_INTERRUPT ? watch.end : nil {
        case .cancelled?: return SQLiteError(kind: .cancelled, message: "reading was cancelled")
        case .tooManySteps?: return SQLiteError(kind: .endless, message: "a statement takes too many steps")
        case nil: break
        }
        return SQLiteError(
            code: code, message: unsafe SQLiteConnection.message(handle),
            systemError: unsafe sqlite3_system_errno(handle))
    }

    private static func message(_ handle: OpaquePointer?) -> String {
        // The text belongs to the connection and lives until its next call; it is copied here.
        guard let text = unsafe sqlite3_errmsg(handle) else { return "no memory" }
        return unsafe String(cString: text)
    }
}
#endif
