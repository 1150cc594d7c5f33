#if PostGIS
import Portolan
import PortolanPostGIS

/// The tables of a PostGIS database, or one table with its attributes, for text and JSON.
struct DatabaseInfo: InfoDocument, Encodable {
    struct Table: Encodable {
        var name: String
        var geometry: String
        var type: String
        var srid: Int
        /// The estimated number of rows.
        var count: Int?
        /// MINX, MINY, MAXX, MAXY in the coordinates of the table.
        var extent: [Double]?
        /// Whether a spatial index exists; `nil` for views.
        var index: Bool?
        var readable: Bool
        /// The attributes and their types; `nil` in the list of all tables.
        var attributes: [Attribute]?
        /// The column with identifiers.
        var id: String?
    }

    struct Attribute: Encodable {
        var name: String
        var type: String
    }

    struct Function: Encodable {
        var name: String
        var query: Bool
    }

    /// The database without user and password.
    var database: String
    var tables: [Table]
    /// The functions that return vector tiles.
    var functions: [Function]

    /// The largest number of tables whose extents are determined.
    private static let extentCount = 100

    /// Reads the tables of a database, or returns `nil` for another source.
    static func reading(
        _ text: String, _ parts: LayerSpecification.Parts?, _ network: NetworkOptions
    ) async throws -> DatabaseInfo? {
        guard let named = try NamedDatabase(text, parts) else { return nil }
        return try await Interruption.cancelling {
            do {
                return named.query.table == nil && named.query.sql == nil
                    ? try await all(in: named.database) : try await one(named.query, in: named.database)
            } catch let error as PostGISError { throw CommandFailure(error) }
        }
    }

    private static func all(in database: PostGISDatabase) async throws -> DatabaseInfo {
        var tables: [Table] = []
        for (number, table) in try await database.tables().enumerated() {
            var entry = Table(
                name: table.title, geometry: table.geometry, type: table.geometryType, srid: table.srid,
                count: table.estimatedCount, index: table.hasIndex, readable: table.isReadable)
            if table.isReadable, number < extentCount {
                var query = PostGISQuery(table: table.title)
                query.geometry = table.geometry
                entry.extent = try await extent(of: query, in: database)
            }
            tables.append(entry)
        }
        let functions = try await database.functions().map { Function(name: $0.title, query: $0.takesQuery) }
        return DatabaseInfo(database: database.place, tables: tables, functions: functions)
    }

    private static func one(_ query: PostGISQuery, in database: PostGISDatabase) async throws -> DatabaseInfo {
        let table = try await database.table(query)
        var entry = Table(
            name: table.title, geometry: table.geometry, type: table.geometryType, srid: table.srid,
            count: table.estimatedCount, index: table.hasIndex, readable: true)
        entry.extent = try await extent(of: query, in: database)
        entry.attributes = table.columns.map { Attribute(name: $0.name, type: $0.kind.rawValue) }
        entry.id = table.key
        return DatabaseInfo(database: database.place, tables: [entry], functions: [])
    }

    private static func extent(of query: PostGISQuery, in database: PostGISDatabase) async throws -> [Double]? {
        try await database.extent(of: query).map { [$0.minX, $0.minY, $0.maxX, $0.maxY] }
    }

    func json() throws(CommandFailure) -> [UInt8] { try JSONText.bytes(self) }

    func table() -> String {
        var text = "\(PlainText.oneLine(database))\nPostGIS\n\n"
        if tables.isEmpty { text += "no table has a geometry column\n" }
        var rows = [["TABLE", "GEOMETRY", "TYPE", "SRID", "ROWS (ABOUT)", "EXTENT", "INDEX"]]
        for table in tables {
            let index = table.readable ? table.index.map { $0 ? "yes" : "no" } ?? "" : "not readable"
            rows.append([
                table.name, table.geometry, table.type, String(table.srid), table.count.map(String.init) ?? "",
                table.extent.map { $0.map(InfoText.short).joined(separator: " ") } ?? "", index,
            ])
        }
        if !tables.isEmpty { text += TextTable.text(rows) }
        for table in tables {
            guard let attributes = table.attributes else { continue }
            text += "\n" + TextTable.text([["ATTRIBUTE", "TYPE"]] + attributes.map { [$0.name, $0.type] })
            if let id = table.id { text += "\nIdentifiers  \(PlainText.oneLine(id))\n" }
        }
        if !functions.isEmpty {
            text +=
                "\n"
                + TextTable.text(
                    [["TILE FUNCTION", "QUERY"]] + functions.map { [$0.name, $0.query ? "yes" : "no"] })
        }
        return text
    }
}
#endif
