#if canImport(CSQLite)
import CSQLite
#else
import SQLite3
#endif

/// A value of a column or a parameter.
package enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    /// A whole number.
    package static func int(_ number: Int) -> SQLiteValue { .integer(Int64(number)) }

    /// A number, or null.
    package static func real(orNull number: Double?) -> SQLiteValue { number.map { .real($0) } ?? .null }
}

/// The kinds of values that SQLite keeps.
package enum SQLiteValueKind: Hashable, Sendable {
    case null, integer, real, text, blob
}

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

    func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    func real(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

    func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

    func kind(_ column: Int32) -> SQLiteValueKind {
        switch unsafe sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    func bytes(_ column: Int32) -> [UInt8] {
        // First the pointer, then the count, as SQLite wants it; both hold until the next step or reset.
        guard let pointer = unsafe sqlite3_column_blob(handle, column) else { return [] }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe Array(UnsafeRawBufferPointer(start: pointer, count: count))
    }

    /// A column as UTF-8, whatever encoding the file keeps its texts in.
    func text(_ column: Int32) -> String {
        // First the pointer, then the count, as SQLite wants it; both hold until the next step or reset.
        guard let pointer = unsafe sqlite3_column_text(handle, column) else { return "" }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe String(decoding: UnsafeBufferPointer(start: pointer, count: count), as: UTF8.self)
    }
}

/// The row that a statement is at.
package struct SQLiteRow: ~Copyable {
    let statement: SQLiteStatement

    /// A column as a whole number; 0 when it is none.
    package func integer(_ column: Int32) -> Int { Int(statement.integer(column)) }

    /// A column as a number; 0 when it is none.
    package func real(_ column: Int32) -> Double { statement.real(column) }

    /// A column as a number; nil when it is null.
    package func optionalReal(_ column: Int32) -> Double? {
        statement.isNull(column) ? nil : statement.real(column)
    }

    /// A column as bytes; none when it is null.
    package func bytes(_ column: Int32) -> [UInt8] { statement.bytes(column) }

    /// A column as text; bytes that are no UTF-8 are replaced.
    package func text(_ column: Int32) -> String { statement.text(column) }

    /// What kind of value a column has, as long as it was not read as another.
    package func kind(_ column: Int32) -> SQLiteValueKind { statement.kind(column) }

    /// Whether a column is null.
    package func isNull(_ column: Int32) -> Bool { statement.isNull(column) }
}
