#if Storage || canImport(Darwin)
#if canImport(Darwin)
import SQLite3
#else
import CSQLite
#endif

extension SQLiteConnection {
    /// The name of the function that gets the rows; nothing that stands in a file can call it.
    private static let function = "portolan_row"

    /// Gives each row of a query to `row`, for queries of very many.
    ///
    /// The columns are the arguments of a function in one statement with a single result, which SQLite calls with the values
    /// as they are: to step from row to row and to ask for each column takes twice as long.
    ///
    /// - Parameters:
    ///   - columns: names of columns, or what else may stand between `SELECT` and `FROM`.
    ///   - source: the rest of the statement, as `FROM areas WHERE …`, without an order or limit.
    ///   - row: says whether it wants more rows.
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

/// Who gets the rows of a scan.
final class SQLiteScan {
    private let row: (borrowing SQLiteRow) -> Bool
    private(set) var isStopped = false

    init(row: @escaping (borrowing SQLiteRow) -> Bool) { self.row = row }

    /// Takes a row, or says that no more are wanted.
    func take(_ values: UnsafeMutablePointer<OpaquePointer?>, _ count: Int32) -> Bool {
        if !isStopped { isStopped = unsafe !row(SQLiteRow(values: values, count: count)) }
        return !isStopped
    }
}
#endif
