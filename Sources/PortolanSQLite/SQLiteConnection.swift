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

/// A connection to an SQLite file, for one thread at a time.
///
/// The handle is valid from `init` to `deinit` and never leaves the connection and its statements, so the class is
/// safe. Statements are prepared once. SQL text comes only from the program: values are passed as parameters, and names
/// from a file (such as a table of a GeoPackage) are quoted with ``quoted(_:)``.
@safe package final class SQLiteConnection {
    /// The mode in which a file is opened.
    package enum Access: Sendable {
        /// For reading.
        case reading
        /// For reading a file without writers on a read-only disk; its log is ignored.
        case readingUnchanging
        /// For reading and writing; the file is created if it does not exist.
        case writing
    }

    private let handle: OpaquePointer
    private var statements: [String: SQLiteStatement] = [:]
    private let watch: SQLiteWatch

    /// The maximum length of a value in an untrusted file: even a small view could create values of any length.
    package static let maximumValueByteCount = 128 << 20
    /// The maximum memory of SQLite in this process: two values of maximum length and overhead, because a row could
    /// have thousands.
    private static let maximumHeapByteCount: sqlite3_int64 = 320 << 20
    /// Sets the limit once, with the first connection.
    private static let limitHeap: Void = { _ = sqlite3_hard_heap_limit64(maximumHeapByteCount) }()

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - endsWithTask: whether reading ends when the reading task is cancelled. A cache is read for other tasks as
    ///     well.
    ///   - patience: the time to wait for other processes, in milliseconds.
    package init(
        path: String, access: Access, endsWithTask: Bool = true, patience: Int32 = 5000
    ) throws(SQLiteError) {
        watch = SQLiteWatch(endsWithTask: endsWithTask)
        // Opening a pipe would block until another process writes to it. The path is valid and null-terminated during
        // the call.
        var there = stat()
        if unsafe stat(path, &there) == 0, there.st_mode & S_IFMT != S_IFREG {
            throw SQLiteError(kind: .cannotOpen, message: "not a file")
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
        // The path is valid and null-terminated during the call. NOMUTEX: the owner of the connection serialises its
        // use.
        let result = unsafe sqlite3_open_v2(place, &opened, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard result == SQLITE_OK, let handle = unsafe opened else {
            let message = unsafe SQLiteConnection.message(opened), systemError = unsafe sqlite3_system_errno(opened)
            _ = unsafe sqlite3_close_v2(opened)
            throw SQLiteError(code: result, message: message, systemError: systemError)
        }
        unsafe self.handle = unsafe handle
        _ = unsafe sqlite3_busy_timeout(handle, patience)
        _ = Self.limitHeap
        // An untrusted file: its schema must not call functions with side effects or be inconsistent, and its views
        // must terminate.
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
        // A pattern is compared at each position of a text within a single step.
        (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100),
        (SQLITE_LIMIT_ATTACHED, 0),
        (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]

    /// Returns a path in the syntax of SQLite URIs.
    private static func escaped(_ path: String) -> String {
        path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
    }

    deinit {
        for statement in statements.values { statement.close() }
        _ = unsafe sqlite3_close_v2(handle)
    }

    /// Runs a statement and passes each row to `row`.
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

    /// Returns the first column of the first row as a number, or `nil` without a row.
    package func integer(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> Int? {
        var number: Int?
        try run(sql, values) { row in if number == nil { number = row.integer(0) } }
        return number
    }

    /// Returns the first column of the first row as text, or `nil` without a row.
    package func text(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> String? {
        var text: String?
        try run(sql, values) { row in if text == nil { text = row.text(0) } }
        return text
    }

    /// Returns the first column of the first row as bytes, or `nil` without a row or if it is null.
    ///
    /// - Parameters:
    ///   - column: the name of a column, or another expression.
    ///   - source: the rest of the statement, such as `FROM tiles WHERE …`.
    ///   - limit: the maximum number of bytes; longer values are not copied.
    /// - Throws: ``SQLiteError`` of the kind ``SQLiteError/Kind/tooLong`` for a longer value.
    package func blob(
        _ column: String, _ source: String, _ values: [SQLiteValue], limit: Int
    ) throws(SQLiteError) -> [UInt8]? {
        var found: [UInt8]?, isTooLong = false
        let isLong = "length(\(column)) > \(limit)"
        try run("SELECT \(isLong), CASE WHEN \(isLong) THEN NULL ELSE \(column) END \(source)", values) { row in
            isTooLong = row.integer(0) != 0
            found = row.isNull(1) ? nil : row.bytes(1)
        }
        guard !isTooLong else { throw SQLiteError(kind: .tooLong, message: "a blob exceeds \(limit) bytes") }
        return found
    }

    /// Returns a table or column name quoted for SQL, whatever characters it contains.
    package static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

    /// Runs `work` in a transaction: either all changes take effect, or none.
    package func transaction(_ work: () throws(SQLiteError) -> Void) throws(SQLiteError) {
        try run("BEGIN IMMEDIATE")
        do {
            try work()
            try run("COMMIT")
        } catch {
            // After some failures SQLite has already rolled back, and reports that here.
            _ = try? run("ROLLBACK")
            throw error
        }
    }

    /// The number of rows that the last statement changed.
    package var changeCount: Int { Int(unsafe sqlite3_changes(handle)) }

    /// The row ID of the last inserted row.
    package var lastInsertedID: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    private func prepared(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        if let statement = statements[sql] { return statement }
        var prepared: OpaquePointer?
        // -1: up to the null terminator, which Swift adds for the call.
        let result = unsafe sqlite3_prepare_v2(handle, sql, -1, &prepared, nil)
        guard result == SQLITE_OK, let pointer = unsafe prepared else { throw failure(result) }
        let statement = unsafe SQLiteStatement(pointer)
        statements[sql] = statement
        return statement
    }

    /// The maximum number of function arguments.
    var functionArgumentLimit: Int { Int(unsafe sqlite3_limit(handle, SQLITE_LIMIT_FUNCTION_ARG, -1)) }

    /// Defines a function that passes its arguments to a scan, until ``undefine(_:)``; the scan must stay alive until
    /// then.
    func define(_ name: String, _ scan: SQLiteScan) throws(SQLiteError) {
        let flags = SQLITE_UTF8 | SQLITE_DIRECTONLY
        // The scan is not retained: the function is removed first.
        let result = unsafe sqlite3_create_function_v2(
            handle, name, -1, flags, Unmanaged.passUnretained(scan).toOpaque(), nil,
            { context, count, values in
                guard let values = unsafe values, let data = unsafe sqlite3_user_data(context) else { return }
                let scan = unsafe Unmanaged<SQLiteScan>.fromOpaque(data).takeUnretainedValue()
                // An error ends the statement from within.
                if unsafe !scan.take(values, count) { unsafe sqlite3_result_error(context, "enough", -1) }
            }, { _ in }, nil)
        try check(result)
    }

    /// Removes a function.
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
        case .tooManySteps?: return SQLiteError(kind: .endless, message: "a statement needs too many steps")
        case nil: break
        }
        return SQLiteError(
            code: code, message: unsafe SQLiteConnection.message(handle),
            systemError: unsafe sqlite3_system_errno(handle))
    }

    private static func message(_ handle: OpaquePointer?) -> String {
        // The text belongs to the connection and is valid until its next call; it is copied here.
        guard let text = unsafe sqlite3_errmsg(handle) else { return "no memory" }
        return unsafe String(cString: text)
    }
}
#endif
