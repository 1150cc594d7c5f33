#if Storage || canImport(Darwin)
#if canImport(Darwin)
import SQLite3
#else
import CSQLite
#endif

/// A prepared statement of a ``SQLiteConnection``, which closes it.
///
/// The connection keeps it as long as it lives itself, and closes it once, so the class is safe.
@safe final class SQLiteStatement {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { unsafe self.handle = unsafe handle }

    func close() { _ = unsafe sqlite3_finalize(handle) }

    func step() -> Int32 { unsafe sqlite3_step(handle) }

    /// Makes it ready for its next run, and lets go of what was bound.
    func reset() {
        _ = unsafe sqlite3_reset(handle)
        _ = unsafe sqlite3_clear_bindings(handle)
    }

    /// Binds the parameters in order; SQLite copies texts and blobs.
    func bind(_ values: [SQLiteValue]) -> Int32 {
        // The value that SQLite defines as SQLITE_TRANSIENT: no address, a sign that it is to copy.
        let copying = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        for (place, value) in values.enumerated() {
            let index = Int32(place) + 1
            let result: Int32 =
                switch value {
                case .null: unsafe sqlite3_bind_null(handle, index)
                case .integer(let number): unsafe sqlite3_bind_int64(handle, index, number)
                case .real(let number): unsafe sqlite3_bind_double(handle, index, number)
                case .text(let text):
                    unsafe sqlite3_bind_text(handle, index, text, Int32(clamping: text.utf8.count), copying)
                case .blob(let bytes) where bytes.isEmpty: unsafe sqlite3_bind_zeroblob(handle, index, 0)
                case .blob(let bytes):
                    // `count` bytes of memory that is the array's during the call.
                    unsafe bytes.withUnsafeBytes { buffer in
                        unsafe sqlite3_bind_blob64(
                            handle, index, buffer.baseAddress, UInt64(buffer.count), copying)
                    }
                }
            guard result == SQLITE_OK else { return result }
        }
        return SQLITE_OK
    }

    /// The value of a column of the row that it is at, which lives until the next step.
    ///
    /// It is of a connection without mutexes, for which SQLite makes no difference between protected values and others.
    func value(_ column: Int32) -> OpaquePointer? { unsafe sqlite3_column_value(handle, column) }
}

/// The row that a statement is at.
///
/// Its values live until the statement's next step, and longer than the row, which is lent for less.
@safe package struct SQLiteRow: ~Copyable {
    private let statement: SQLiteStatement?
    /// As many as there are columns, where a function was given them.
    private let values: UnsafeMutablePointer<OpaquePointer?>?
    private let count: Int32

    init(statement: SQLiteStatement) {
        self.statement = statement
        unsafe values = nil
        count = 0
    }

    init(values: UnsafeMutablePointer<OpaquePointer?>, count: Int32) {
        statement = nil
        unsafe self.values = unsafe values
        self.count = count
    }

    @inline(__always)
    private func value(_ column: Int32) -> OpaquePointer? {
        guard let values = unsafe values else { return unsafe statement?.value(column) }
        precondition(column >= 0 && column < count, "a column of the row")
        return unsafe values[Int(column)]
    }

    /// A column as a whole number; 0 when it is none.
    package func integer(_ column: Int32) -> Int { unsafe Int(sqlite3_value_int64(value(column))) }

    /// A column as a number; 0 when it is none.
    package func real(_ column: Int32) -> Double { unsafe sqlite3_value_double(value(column)) }

    /// A column as a number; nil when it is null.
    package func optionalReal(_ column: Int32) -> Double? { isNull(column) ? nil : real(column) }

    /// A column as bytes; none when it is null.
    package func bytes(_ column: Int32) -> [UInt8] {
        withBytes(column) { span in
            var bytes: [UInt8] = []
            bytes.append(copying: span)
            return bytes
        }
    }

    /// Lends a column's bytes; none when it is null.
    package func withBytes<Result>(_ column: Int32, _ body: (Span<UInt8>) -> Result) -> Result {
        let value = unsafe value(column)
        // First the pointer, then the count, as SQLite wants it; both hold until the next step.
        guard let pointer = unsafe sqlite3_value_blob(value) else { return body(Span()) }
        let count = Int(unsafe sqlite3_value_bytes(value))
        return unsafe body(
            UnsafeBufferPointer(start: pointer.assumingMemoryBound(to: UInt8.self), count: count).span)
    }

    /// A column as text in UTF-8, whatever encoding the file keeps its texts in; bytes that are no UTF-8 are replaced.
    package func text(_ column: Int32) -> String {
        let value = unsafe value(column)
        // First the pointer, then the count, as SQLite wants it; both hold until the next step.
        guard let pointer = unsafe sqlite3_value_text(value) else { return "" }
        let count = Int(unsafe sqlite3_value_bytes(value))
        return unsafe String(decoding: UnsafeBufferPointer(start: pointer, count: count), as: UTF8.self)
    }

    /// What kind of value a column has, as long as it was not read as another.
    package func kind(_ column: Int32) -> SQLiteValueKind {
        switch unsafe sqlite3_value_type(value(column)) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    /// Whether a column is null.
    package func isNull(_ column: Int32) -> Bool { unsafe sqlite3_value_type(value(column)) == SQLITE_NULL }
}
#endif
