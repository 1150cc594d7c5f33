extension SQLiteConnection {
    /// The column `tile_data` of the first row of a selection, as `FROM tiles WHERE …`; nil when there is none, or null.
    ///
    /// - Throws: ``SQLiteError``, when it is longer than `limit` bytes as well.
    package func tile(_ selection: String, _ values: [SQLiteValue], limit: Int) throws(SQLiteError) -> [UInt8]? {
        var found: [UInt8]?, isTooLong = false
        // The length first: what is too long is not copied.
        let sql =
            "SELECT length(tile_data) > \(limit), CASE WHEN length(tile_data) > \(limit) THEN NULL "
            + "ELSE tile_data END \(selection)"
        try run(sql, values) { row in
            isTooLong = row.integer(0) != 0
            found = row.isNull(1) ? nil : row.bytes(1)
        }
        guard !isTooLong else { throw SQLiteError(code: 18, words: "a tile is longer than \(limit) bytes") }
        return found
    }

    /// A name of a table or a column as it stands in SQL, whatever characters it has.
    package static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
}
