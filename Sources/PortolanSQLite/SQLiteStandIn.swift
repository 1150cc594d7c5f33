#if !Storage && !canImport(Darwin)
/// The replacement for a connection in a build without the trait `Storage`.
///
/// It cannot be opened, so its other members are unreachable.
package final class SQLiteConnection {
    package enum Access: Sendable { case reading, readingUnchanging, writing }

    package static let maximumValueByteCount = 128 << 20

    package init(
        path: String, access: Access, endsWithTask: Bool = true, patience: Int32 = 5000
    ) throws(SQLiteError) {
        throw SQLiteError(
            kind: .notBuiltIn,
            message: "this build has no SQLite, which MBTiles files, GeoPackages and the disk "
                + "cache need; install libsqlite3-dev and build with --traits Storage")
    }

    package static func quoted(_ name: String) -> String { name }

    package func run(
        _ sql: String, _ values: [SQLiteValue] = [], row: (borrowing SQLiteRow) -> Void = { _ in }
    ) throws(SQLiteError) {}

    package func integer(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> Int? { nil }

    package func text(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> String? { nil }

    package func blob(
        _ column: String, _ source: String, _ values: [SQLiteValue], limit: Int
    ) throws(SQLiteError) -> [UInt8]? { nil }

    package func transaction(_ work: () throws(SQLiteError) -> Void) throws(SQLiteError) {}

    package func scan(
        _ columns: [String], _ source: String, _ values: [SQLiteValue], row: (borrowing SQLiteRow) -> Bool
    ) throws(SQLiteError) {}

    package var changeCount: Int { 0 }

    package var lastInsertedID: Int64 { 0 }
}

/// The replacement for a row, which is never instantiated.
package struct SQLiteRow: ~Copyable {
    package func integer(_ column: Int32) -> Int { 0 }
    package func real(_ column: Int32) -> Double { 0 }
    package func optionalReal(_ column: Int32) -> Double? { nil }
    package func bytes(_ column: Int32) -> [UInt8] { [] }
    package func withBytes<Result>(_ column: Int32, _ body: (Span<UInt8>) -> Result) -> Result { body(Span()) }
    package func text(_ column: Int32) -> String { "" }
    package func kind(_ column: Int32) -> SQLiteValueKind { .null }
    package func isNull(_ column: Int32) -> Bool { true }
}
#endif
