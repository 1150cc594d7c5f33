#if Storage || canImport(Darwin)
#if canImport(Darwin)
import SQLite3
#else
import CSQLite
#endif

extension SQLiteConnection {
    /// The name of the function that receives the rows.
    ///
    /// It cannot be called from the schema of a file.
    private static let function = "portolan_row"

    /// Passes each row of a query to `row`, for queries with very many rows.
    ///
    /// The columns are the arguments of a function in a statement with a single result, which SQLite calls directly
    /// with the values. Stepping through rows and reading each column would take twice as long.
    ///
    /// - Parameters:
    ///   - columns: the names of columns, or other expressions.
    ///   - source: the rest of the statement, such as `FROM areas WHERE …`, without order or limit.
    ///   - row: returns whether to continue.
    package func scan(
        _ columns: [String], _ source: String, _ values: [SQLiteValue], row: (borrowing SQLiteRow) -> Bool
    ) throws(SQLiteError) {
        let list = columns.joined(separator: ", ")
        guard columns.count <= functionArgumentLimit else {
            var isWanted = true
            return try run("SELECT \(list) \(source)", values) { if isWanted { isWanted = row($0) } }
        }
        let result = withoutActuallyEscaping(row) { row -> Result<Void, SQLiteError> in
            let scan = SQLiteScan(row: row)
            return withExtendedLifetime(scan) {
                do throws(SQLiteError) {
                    try define(Self.function, scan)
                    defer { undefine(Self.function) }
                    try run("SELECT \(Self.function)(\(list)) \(source)", values)
                    return .success(())
                } catch { return scan.isStopped ? .success(()) : .failure(error) }
            }
        }
        try result.get()
    }
}

/// The receiver of the rows of a scan.
final class SQLiteScan {
    private let row: (borrowing SQLiteRow) -> Bool
    private(set) var isStopped = false

    init(row: @escaping (borrowing SQLiteRow) -> Bool) { self.row = row }

    /// Passes a row on, or returns `false` if no more are wanted.
    func take(_ values: UnsafeMutablePointer<OpaquePointer?>, _ count: Int32) -> Bool {
        if !isStopped { isStopped = unsafe !row(SQLiteRow(values: values, count: count)) }
        return !isStopped
    }
}
#endif
