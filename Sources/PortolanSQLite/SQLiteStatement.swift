#if Storage || canImport(Darwin)
#if canImport(Darwin)
import SQLite3
#else
import CSQLite
#endif

/// A prepared statement of a ``SQLiteConnection``.
///
/// The connection retains it as long as it lives, and finalises it once, so the class is safe.
@safe final class SQLiteStatement {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { unsafe self.handle = unsafe handle }

    func close() { _ = unsafe sqlite3_finalize(handle) }

    func step() -> Int32 { unsafe sqlite3_step(handle) }

    /// Resets the statement for its next run, and clears its bindings.
    func reset() {
        _ = unsafe sqlite3_reset(handle)
        _ = unsafe sqlite3_clear_bindings(handle)
    }

    /// Binds the parameters in order; SQLite copies texts and blobs.
    func bind(_ values: [SQLiteValue]) -> Int32 {
        // The value of SQLITE_TRANSIENT, which is not an address but tells SQLite to copy.
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
                    // `count` bytes of memory that the array owns during the call.
                    unsafe bytes.withUnsafeBytes { buffer in
                        unsafe sqlite3_bind_blob64(
                            handle, index, buffer.baseAddress, UInt64(buffer.count), copying)
                    }
                }
            guard result == SQLITE_OK else { return result }
        }
        return SQLITE_OK
    }

    /// Returns the value of a column of the current row, valid until the next step.
    ///
    /// The connection has no mutexes, so SQLite treats unprotected values like protected ones.
    func value(_ column: Int32) -> OpaquePointer? { unsafe sqlite3_column_value(handle, column) }
}

/// The current row of a statement.
///
/// Its values are valid until the next step of the statement, which is longer than the row is borrowed.
@safe package struct SQLiteRow: ~Copyable {
    private let statement: SQLiteStatement?
    /// One value per column, if a function received them.
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

    /// Returns a column as an integer, or 0 for another type.
    package func integer(_ column: Int32) -> Int { unsafe Int(sqlite3_value_int64(value(column))) }

    /// Returns a column as a number, or 0 for another type.
    package func real(_ column: Int32) -> Double { unsafe sqlite3_value_double(value(column)) }

    /// Returns a column as a number, or `nil` for null.
    package func optionalReal(_ column: Int32) -> Double? { isNull(column) ? nil : real(column) }

    /// Returns a column as bytes, empty for null.
    package func bytes(_ column: Int32) -> [UInt8] {
        withBytes(column) { span in
            var bytes: [UInt8] = []
            bytes.append(copying: span)
            return bytes
        }
    }

    /// Calls `body` with the bytes of a column, empty for null.
    package func withBytes<Result>(_ column: Int32, _ body: (Span<UInt8>) -> Result) -> Result {
        let value = unsafe value(column)
        // SQLite requires this order: first the pointer, then the count. Both are valid until the next step.
        guard let pointer = unsafe sqlite3_value_blob(value) else { return body(Span()) }
        let count = Int(unsafe sqlite3_value_bytes(value))
        return unsafe body(
            UnsafeBufferPointer(start: pointer.assumingMemoryBound(to: UInt8.self), count: count).span)
    }

    /// Returns a column as text, whatever encoding the file has; invalid UTF-8 is replaced.
    package func text(_ column: Int32) -> String {
        let value = unsafe value(column)
        // SQLite requires this order: first the pointer, then the count. Both are valid until the next step.
        guard let pointer = unsafe sqlite3_value_text(value) else { return "" }
        let count = Int(unsafe sqlite3_value_bytes(value))
        return unsafe String(decoding: UnsafeBufferPointer(start: pointer, count: count), as: UTF8.self)
    }

    /// Returns the type of a column's value, if it has not been read as another type.
    package func kind(_ column: Int32) -> SQLiteValueKind {
        switch unsafe sqlite3_value_type(value(column)) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    /// Returns whether a column is null.
    package func isNull(_ column: Int32) -> Bool { unsafe sqlite3_value_type(value(column)) == SQLITE_NULL }
}
#endif
