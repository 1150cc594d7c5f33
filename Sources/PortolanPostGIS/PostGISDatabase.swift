#if PostGIS
import PortolanFeatures
import PortolanFormats
public import PortolanGeo
import PortolanWeb
import Synchronization

/// A PostgreSQL database with PostGIS: its tables, the features in them, and vector tiles that it makes.
///
/// ```swift
/// let database = try PostGISDatabase("postgresql://reader@db.example.org/city")
/// for table in try await database.tables() { print(table.title, table.geometryType) }
/// ```
///
/// Queries run in read-only transactions with a time limit, on a few connections that several tasks share, each in a
/// thread of its own. A cancelled task cancels its query in the database. The password is in the URL, in `PGPASSWORD`
/// or in the file that `PGPASSFILE` names, and TLS is chosen by `sslmode` (PostgreSQL, chapter 34).
public final class PostGISDatabase: Sendable {
    /// The host, the port and the database, without user and password.
    public var place: String { pool.address.place }

    let pool: PostGISPool
    private let prefix = Mutex<String?>(nil)

    /// Creates a database; connections are opened by the first queries.
    ///
    /// - Parameter url: `postgresql://[user@]host[:port]/database[?option=value…]`, as libpq reads it.
    /// - Throws: ``PostGISError`` with the code `invalid`.
    public convenience init(_ url: String, settings: PostGISSettings = PostGISSettings()) throws(PostGISError) {
        self.init(PostGISPool(try PostGISAddress(url), settings))
    }

    init(_ pool: PostGISPool) { self.pool = pool }

    /// Runs a function with the tables and functions of the database.
    ///
    /// - Parameter time: the time limit, or `nil` for that of the settings.
    func catalog<Value: Sendable>(
        within time: Duration? = nil,
        _ body: @escaping @Sendable (PostGISCatalog, _ prefix: String) throws(PostGISError) -> Value
    ) async throws(PostGISError) -> Value {
        let known = prefix.withLock(\.self)
        let (value, prefix) = try await pool.transaction(within: time) { (connection, ticket) throws(PostGISError) in
            let catalog = PostGISCatalog(connection: connection, ticket: ticket)
            let prefix: String
            if let known { prefix = known } else { prefix = try catalog.extensionPrefix() }
            return (try body(catalog, prefix), prefix)
        }
        self.prefix.withLock { $0 = prefix }
        return value
    }

    /// Returns the tables, views and materialized views with a geometry column, one entry for each column.
    ///
    /// - Throws: ``PostGISError``.
    public func tables() async throws(PostGISError) -> [PostGISTableSummary] {
        try await catalog { (catalog, prefix) throws(PostGISError) in try catalog.tables(prefix) }
    }

    /// Returns the functions that return vector tiles.
    ///
    /// - Throws: ``PostGISError``.
    public func functions() async throws(PostGISError) -> [PostGISFunction] {
        try await catalog { (catalog, _) throws(PostGISError) in try catalog.functions() }
    }

    /// Returns a table with its attributes.
    ///
    /// - Throws: ``PostGISError``.
    public func table(_ query: PostGISQuery) async throws(PostGISError) -> PostGISTable {
        try await statements(query).table
    }

    /// Returns the extent of a table in its coordinates: that of the statistics, or the exact one if it is found within
    /// three seconds; `nil` otherwise, and for an empty table.
    ///
    /// - Throws: ``PostGISError``.
    public func extent(of query: PostGISQuery) async throws(PostGISError) -> Extent? {
        try await catalog { (catalog, prefix) throws(PostGISError) in
            let (table, source) = try catalog.table(of: query, prefix)
            return catalog.extent(of: table, source, prefix)
        }
    }

    func statements(_ query: PostGISQuery) async throws(PostGISError) -> PostGISStatements {
        try await catalog { (catalog, prefix) throws(PostGISError) in
            let (table, source) = try catalog.table(of: query, prefix)
            for name in query.attributes ?? [] where !table.columns.contains(where: { $0.name == name }) {
                throw catalog.unknown("attributes", name, among: table.columns.map(\.name)).about(table.title)
            }
            return PostGISStatements(table: table, source: source, prefix: prefix, query: query)
        }
    }
}
#endif
