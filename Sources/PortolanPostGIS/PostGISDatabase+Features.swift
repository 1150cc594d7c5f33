#if PostGIS
import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanRaster

extension PostGISDatabase {
    /// The number of rows that are fetched at a time.
    private static let chunk = 2000

    /// Returns the rows of a box as a document of ``/PortolanFormats/FeatureRows``.
    ///
    /// - Parameter columns: the attributes.
    func rows(
        _ statements: PostGISStatements, _ columns: [PostGISTable.Column], in box: Extent, unitsPerPixel: Double
    ) async throws(PostGISError) -> [UInt8] {
        // One more than is drawn, so that the layer notices that there are too many.
        let limit = statements.query.limit + 1, byteLimit = pool.settings.resultByteLimit
        let statement = statements.features(columns, in: box, unitsPerPixel: unitsPerPixel, limit: limit)
        let kinds = Self.documentColumns(statements, columns)
        return try await asking(statements) { (connection, ticket) throws(PostGISError) in
            var writer = FeatureRowsWriter(kinds)
            let count = try Self.fetch(statement, connection, ticket) { (rows) throws(PostGISError) in
                try Self.write(rows, to: &writer, byteLimit, connection.database)
            }
            if count >= limit { writer.cut() }
            return writer.bytes
        }
    }

    /// Returns all features of a table, up to a number, and whether it has more.
    func features(
        _ statements: PostGISStatements, limit: Int, limits: FeatureLimits
    ) async throws(PostGISError) -> (collection: FeatureCollection, isCut: Bool) {
        let columns = statements.attributes
        let statement = statements.features(columns, in: nil, unitsPerPixel: nil, limit: limit + 1)
        let kinds = Self.documentColumns(statements, columns), byteLimit = pool.settings.resultByteLimit
        // Reading a whole table may take longer than a view.
        return try await asking(statements, within: .seconds(24 * 3600)) { (connection, ticket) throws(PostGISError) in
            var all = FeatureCollection(features: [], crs: statements.table.crs), charges: [MemoryCharge] = []
            let count = try Self.fetch(statement, connection, ticket) { (rows) throws(PostGISError) in
                var writer = FeatureRowsWriter(kinds)
                try Self.write(rows, to: &writer, byteLimit, connection.database)
                do throws(FeatureFileError) {
                    let read = try FeatureRows(writer.bytes, limits: limits).collection
                    all.features += read.features
                    all.warnings += read.warnings
                    charges += [read.charge].compactMap(\.self)
                } catch {
                    throw PostGISError(
                        error.code == .memory || error.code == .limitExceeded ? .tooLarge : .failed,
                        database: connection.database, error.detail)
                }
            }
            let isCut = count > limit
            if isCut { all.features.removeLast(all.features.count - min(limit, all.features.count)) }
            return withExtendedLifetime(charges) { (all, isCut) }
        }
    }

    /// Runs a function in a transaction, and names the table in its errors.
    func asking<Value: Sendable>(
        _ statements: PostGISStatements, within time: Duration? = nil,
        _ body: @escaping @Sendable (PQConnection, PQTicket) throws(PostGISError) -> Value
    ) async throws(PostGISError) -> Value {
        do { return try await pool.transaction(within: time, body) } catch {
            throw error.about("table \(statements.table.title)")
        }
    }

    /// Passes the rows of a statement in chunks, through a cursor, and returns their number.
    private static func fetch(
        _ statement: (text: String, parameters: [String?]), _ connection: PQConnection, _ ticket: PQTicket,
        _ take: (PQRows) throws(PostGISError) -> Void
    ) throws(PostGISError) -> Int {
        try connection.send(
            "DECLARE rows NO SCROLL CURSOR FOR \(statement.text)", statement.parameters, ticket)
        var count = 0
        while true {
            let rows = try connection.query("FETCH \(chunk) FROM rows", isBinary: true, ticket)
            try take(rows)
            count += rows.count
            if rows.count < chunk { return count }
        }
    }

    private static func write(
        _ rows: PQRows, to writer: inout FeatureRowsWriter, _ byteLimit: Int, _ database: String
    ) throws(PostGISError) {
        writer.add(rows: rows.encoded())
        guard writer.bytes.count <= byteLimit else {
            throw PostGISError(
                .tooLarge, database: database, "the rows exceed \(byteLimit) bytes",
                remedy: "zoom in, or choose fewer attributes or rows with 'attributes', 'filter' or 'limit'")
        }
    }

    private static func documentColumns(
        _ statements: PostGISStatements, _ columns: [PostGISTable.Column]
    ) -> [(kind: FeatureRows.Column, name: String)] {
        statements.documentColumns(columns).map { isKey, isGeometry, column in
            guard let column, !isGeometry else { return (.geometry, "") }
            if isKey { return (column.kind == .integer ? .integerID : .textID, column.name) }
            let kind: FeatureRows.Column =
                switch column.kind {
                case .bool: .bool
                case .integer: .integer
                case .number: .number
                case .text: .text
                case .json: .json
                }
            return (kind, column.name)
        }
    }
}

extension PostGISStatements {
    /// The attributes of the query, or all except for the identifier.
    var attributes: [PostGISTable.Column] {
        guard let names = query.attributes else { return table.columns.filter { $0.name != table.key } }
        return names.compactMap { name in table.columns.first { $0.name == name } }
    }
}
#endif
