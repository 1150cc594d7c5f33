#if PostGIS
import PortolanGeo
import PortolanWeb

/// Reads the tables and functions of a database.
struct PostGISCatalog {
    let connection: PQConnection
    let ticket: PQTicket

    private var database: String { connection.database }

    // MARK: - The extension

    /// Returns the prefix of PostGIS's functions and operators: the quoted schema and a full stop.
    func extensionPrefix() throws(PostGISError) -> String {
        let rows = try connection.query(
            "SELECT n.nspname FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace "
                + "WHERE e.extname = 'postgis'", ticket)
        guard rows.count == 1, let schema = rows[0, 0] else {
            throw PostGISError(
                .noPostGIS, database: database, "the database does not have PostGIS",
                remedy: "run CREATE EXTENSION postgis in it")
        }
        return SQLText.identifier(schema) + "."
    }

    // MARK: - Tables

    /// Returns the tables, views and materialized views with a geometry column, one entry for each column.
    func tables(_ prefix: String) throws(PostGISError) -> [PostGISTableSummary] {
        let rows = try connection.query(
            """
            SELECT n.nspname, c.relname, a.attname, \(prefix)postgis_typmod_type(a.atttypmod),
              \(prefix)postgis_typmod_srid(a.atttypmod), t.typname, c.reltuples::bigint, c.relkind,
              pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND
                (pg_catalog.has_table_privilege(c.oid, 'SELECT')
                 OR pg_catalog.has_any_column_privilege(c.oid, 'SELECT')),
              \(Self.indexCondition)
            FROM pg_catalog.pg_class c
              JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
              JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
              JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
            WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p') AND NOT c.relispartition
              AND t.typname IN ('geometry', 'geography')
              AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_t%'
            ORDER BY n.nspname, c.relname, a.attnum LIMIT 10000
            """, ticket)
        return (0..<rows.count).map { row in
            let isGeography = rows[row, 5] == "geography", count = rows.integer(row, 6) ?? -1
            let srid = rows.integer(row, 4) ?? 0, kind = rows[row, 7] ?? ""
            return PostGISTableSummary(
                schema: rows[row, 0] ?? "", name: rows[row, 1] ?? "", geometry: rows[row, 2] ?? "",
                geometryType: rows[row, 3] ?? "Geometry", srid: isGeography && srid == 0 ? 4326 : srid,
                isGeography: isGeography, estimatedCount: count < 0 || kind == "v" ? nil : count,
                isReadable: rows.flag(row, 8), hasIndex: kind == "v" || kind == "f" ? nil : rows.flag(row, 9))
        }
    }

    /// Whether a column of a table has a spatial index.
    private static let indexCondition = """
        EXISTS (SELECT 1 FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
          JOIN pg_catalog.pg_am m ON m.oid = x.relam
          WHERE i.indrelid = c.oid AND m.amname IN ('gist', 'spgist', 'brin') AND a.attnum = ANY(i.indkey::int2[]))
        """

    /// Returns the table of a query, or the result of its statement.
    func table(of query: PostGISQuery, _ prefix: String) throws(PostGISError) -> (table: PostGISTable, source: String) {
        if let statement = query.sql {
            guard query.table == nil else {
                throw PostGISError(.invalid, database: database, "'table' and 'sql' exclude each other")
            }
            // A comment at the end must not hide the parenthesis.
            let source = "(\(statement)\n)"
            do { return (try described(source, oid: nil, "", "", query, prefix), source) } catch {
                throw error.about("query")
            }
        }
        guard let text = query.table, let parts = SQLText.parts(of: text) else {
            throw PostGISError(
                .invalid, database: database, "invalid table name '\(query.table ?? "")'",
                remedy: "write table=schema.name, with double quotes around a name that contains a full stop")
        }
        // As in SQL, a name in capitals may be one in small letters.
        let names = [parts[parts.count - 1], parts.count == 2 ? parts[0] : nil]
        let found = try connection.query(
            """
            SELECT c.oid, n.nspname, c.relname FROM pg_catalog.pg_class c
              JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p') AND c.relname IN ($1, $3)
              AND CASE WHEN $2::text IS NULL THEN pg_catalog.pg_table_is_visible(c.oid) ELSE n.nspname IN ($2, $4) END
            ORDER BY c.relname = $1 DESC, n.nspname = $2 DESC LIMIT 1
            """, names + names.map { $0?.lowercased() }, ticket)
        guard found.count > 0, let oid = found[0, 0], let schema = found[0, 1], let name = found[0, 2] else {
            let tables = try tables(prefix), known = tables.map(\.title)
            let near = NearName.nearest(to: text, in: known + tables.map(\.name)).map { "did you mean '\($0)'? " } ?? ""
            let listed = known.prefix(10).joined(separator: ", ")
            throw PostGISError(
                .missing, database: database, subject: "table \(text)", "there is no such table",
                remedy: near + (known.isEmpty ? "no table has a geometry column" : "available: \(listed)"))
        }
        let source = "\(SQLText.identifier(schema)).\(SQLText.identifier(name))"
        do { return (try described(source, oid: oid, schema, name, query, prefix), source) } catch {
            throw error.about("table \(schema).\(name)")
        }
    }

    private func described(
        _ source: String, oid: String?, _ schema: String, _ name: String, _ query: PostGISQuery, _ prefix: String
    ) throws(PostGISError) -> PostGISTable {
        let shape = try connection.query("SELECT * FROM \(source) AS t LIMIT 0", ticket)
        let types = try connection.query(
            "SELECT $1::regtype::oid, $2::regtype::oid", ["\(prefix)geometry", "\(prefix)geography"], ticket)
        let (geometryType, geographyType) = (UInt32(types[0, 0] ?? ""), UInt32(types[0, 1] ?? ""))
        var geometries: [(name: String, isGeography: Bool, modifier: Int32)] = [], columns: [PostGISTable.Column] = []
        var keyKinds: [String: PostGISTable.Column.Kind] = [:]
        for index in 0..<shape.columnCount {
            let column = shape.column(index)
            if column.type == geometryType || column.type == geographyType {
                geometries.append((column.name, column.type == geographyType, column.modifier))
            } else if let kind = Self.kind(of: column.type) {
                columns.append(PostGISTable.Column(name: column.name, kind: kind))
                keyKinds[column.name] = kind
            }
        }
        let geometry = try geometry(query, among: geometries)
        var key = query.key
        if let key, keyKinds[key] == nil { throw unknown("id", key, among: columns.map(\.name)) }
        var hasIndex: Bool?, count: Int?
        if let oid {
            let facts = try connection.query(
                """
                SELECT (SELECT k.attname FROM pg_catalog.pg_index p
                    JOIN pg_catalog.pg_attribute k ON k.attrelid = p.indrelid AND k.attnum = p.indkey[0]
                    WHERE p.indrelid = c.oid AND p.indisprimary AND p.indnkeyatts = 1),
                  \(Self.indexCondition), c.relkind, c.reltuples::bigint
                FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
                WHERE c.oid = $1::oid AND a.attname = $2
                """, [oid, geometry.name], ticket)
            if facts.count > 0 {
                if key == nil, let primary = facts[0, 0], keyKinds[primary] != nil { key = primary }
                let kind = facts[0, 2] ?? "", rows = facts.integer(0, 3) ?? -1
                hasIndex = kind == "v" || kind == "f" ? nil : facts.flag(0, 1)
                count = kind == "v" || rows < 0 ? nil : rows
            }
        }
        let type = try connection.query(
            "SELECT \(prefix)postgis_typmod_type($1::int), \(prefix)postgis_typmod_srid($1::int)",
            [String(geometry.modifier)], ticket)
        var srid = geometry.modifier < 0 ? 0 : type.integer(0, 1) ?? 0
        if srid == 0, geometry.isGeography { srid = 4326 }
        if srid == 0 {
            let column = "t.\(SQLText.identifier(geometry.name))"
            let sample = try connection.query(
                "SELECT \(prefix)ST_SRID(\(column)) FROM \(source) AS t WHERE \(column) IS NOT NULL LIMIT 1", ticket)
            if sample.count > 0 { srid = sample.integer(0, 0) ?? 0 }
        }
        return PostGISTable(
            schema: schema, name: name, geometry: geometry.name, geometryType: type[0, 0] ?? "Geometry", srid: srid,
            crs: try system(srid, query, prefix), isGeography: geometry.isGeography, key: key,
            hasIntegerKey: key.map { keyKinds[$0] == .integer } ?? false, columns: columns, hasIndex: hasIndex,
            estimatedCount: count)
    }

    private func geometry(
        _ query: PostGISQuery, among known: [(name: String, isGeography: Bool, modifier: Int32)]
    ) throws(PostGISError) -> (name: String, isGeography: Bool, modifier: Int32) {
        if let wanted = query.geometry {
            guard let found = known.first(where: { $0.name == wanted }) else {
                throw unknown("geometry", wanted, among: known.map(\.name))
            }
            return found
        }
        guard let first = known.first else {
            throw PostGISError(.geometry, database: database, "it has no geometry column")
        }
        guard known.count == 1 else {
            throw PostGISError(
                .geometry, database: database, "it has several geometry columns",
                remedy: "choose one with geometry=: " + known.map(\.name).joined(separator: ", "))
        }
        return first
    }

    func unknown(_ key: String, _ name: String, among known: [String]) -> PostGISError {
        let near = NearName.nearest(to: name, in: known).map { "did you mean '\($0)'? " } ?? ""
        return PostGISError(
            .missing, database: database, "'\(key)' names no usable column: '\(name)'",
            remedy: near + "available: " + known.prefix(20).joined(separator: ", "))
    }

    /// Returns the kind of the values of a type (pg_type.dat), or `nil` for binary data.
    private static func kind(of type: UInt32) -> PostGISTable.Column.Kind? {
        switch type {
        case 16: .bool
        case 20, 21, 23: .integer
        case 700, 701, 1700: .number
        case 114, 3802: .json
        case 17: nil
        default: .text
        }
    }

    /// Returns the coordinate system of the key `crs`, or that of the SRID.
    ///
    /// - Returns: `nil` if the SRID is 0 or unknown to Portolan.
    private func system(_ srid: Int, _ query: PostGISQuery, _ prefix: String) throws(PostGISError) -> CRS? {
        if let name = query.crs {
            do { return try CRS(name) } catch {
                throw PostGISError(.invalid, database: database, "the value of 'crs' cannot be used: \(error)")
            }
        }
        guard srid != 0 else { return nil }
        let rows = try connection.query(
            "SELECT auth_name, auth_srid FROM \(prefix)spatial_ref_sys WHERE srid = $1::int", [String(srid)], ticket)
        guard rows.count > 0, rows[0, 0]?.uppercased() == "EPSG", let code = rows.integer(0, 1) else { return nil }
        return try? CRS("EPSG:\(code)")
    }

    // MARK: - Functions

    /// Returns the functions that return vector tiles.
    ///
    /// - Parameter name: the only function, as `name` or `schema.name`, or `nil` for all.
    func functions(named name: String? = nil) throws(PostGISError) -> [PostGISFunction] {
        var parts: [String] = []
        if let name {
            guard let found = SQLText.parts(of: name) else {
                throw PostGISError(
                    .invalid, database: database, "invalid function name '\(name)'", remedy: "write schema.name")
            }
            parts = found
        }
        let rows = try connection.query(
            """
            SELECT n.nspname, p.proname, p.pronargs, pg_catalog.obj_description(p.oid, 'pg_proc'),
              pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_function_privilege(p.oid, 'EXECUTE'),
              pg_catalog.split_part(p.proargtypes::text, ' ', 4)
            FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
            WHERE p.prokind = 'f' AND p.proargtypes::text IN ('23 23 23', '23 23 23 114', '23 23 23 3802')
              AND (p.prorettype = 17 OR p.prorettype = 2249 AND p.proallargtypes[p.pronargs + 1] = 17)
              AND n.nspname NOT IN ('pg_catalog', 'information_schema')
              AND ($1::text IS NULL OR p.proname = $1
                   AND CASE WHEN $2::text IS NULL THEN pg_catalog.pg_function_is_visible(p.oid) ELSE n.nspname = $2 END)
            ORDER BY n.nspname, p.proname, p.pronargs DESC LIMIT 10000
            """, [parts.last, parts.count == 2 ? parts[0] : nil], ticket)
        var found: [PostGISFunction] = []
        for row in 0..<rows.count {
            let function = PostGISFunction(
                schema: rows[row, 0] ?? "", name: rows[row, 1] ?? "", takesQuery: rows.integer(row, 2) == 4,
                comment: rows[row, 3], isCallable: rows.flag(row, 4),
                queryType: rows[row, 5] == "3802" ? "jsonb" : "json")
            // Of functions with one name, that with the query comes first.
            if found.last?.title != function.title { found.append(function) }
        }
        return found
    }

    // MARK: - Extents

    /// Returns the extent of a column in its own coordinates: that of the statistics, or else the exact one if it is found
    /// soon; `nil` if the table is empty or the time is not sufficient.
    func extent(of table: PostGISTable, _ source: String, _ prefix: String) -> Extent? {
        let column = "t.\(SQLText.identifier(table.geometry))" + (table.isGeography ? "::\(prefix)geometry" : "")
        func box(_ statement: String, _ parameters: [String?]) -> Extent? {
            do throws(PostGISError) {
                let rows = try connection.query(
                    "SELECT ST.x1, ST.y1, ST.x2, ST.y2 FROM (SELECT \(prefix)ST_XMin(b) AS x1, \(prefix)ST_YMin(b) AS y1, "
                        + "\(prefix)ST_XMax(b) AS x2, \(prefix)ST_YMax(b) AS y2 FROM (\(statement)) AS q(b)) AS ST",
                    parameters, ticket)
                guard rows.count == 1 else { return nil }
                let sides = (0..<4).compactMap { rows[0, $0].flatMap { Double($0) } }
                guard sides.count == 4 else { return nil }
                // A single point has an extent as well.
                let least = max(abs(sides[0]), abs(sides[1]), 1) * 1e-9
                return Extent(
                    center: Coordinate(x: (sides[0] + sides[2]) / 2, y: (sides[1] + sides[3]) / 2),
                    width: max(sides[2] - sides[0], least), height: max(sides[3] - sides[1], least))
            } catch { return nil }
        }
        if !table.name.isEmpty, !table.isGeography {
            let estimated = savepoint {
                box(
                    "SELECT \(prefix)ST_EstimatedExtent($1, $2, $3)", [table.schema, table.name, table.geometry])
            }
            if let estimated { return estimated }
        }
        return savepoint {
            guard
                (try? connection.query("SELECT pg_catalog.set_config('statement_timeout', '3000', true)", ticket))
                    != nil
            else { return nil }
            return box("SELECT \(prefix)ST_Extent(\(column)) FROM \(source) AS t", [])
        }
    }

    /// Runs queries whose failure does not end the transaction.
    private func savepoint(_ body: () -> Extent?) -> Extent? {
        guard (try? connection.execute("SAVEPOINT portolan", ticket)) != nil else { return nil }
        let found = body()
        try? connection.execute("ROLLBACK TO SAVEPOINT portolan", ticket)
        return found
    }
}
#endif
