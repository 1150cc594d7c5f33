import PortolanGeo
import PortolanSQLite

/// The R-tree of a feature table that a GeoPackage gets: the extension `gpkg_rtree_index` (OGC 12-128r17, annex F.3).
///
/// A build of SQLite without R-trees makes none; everything else is the same.
struct GeoPackageIndex {
    private let table: String, geometry: String, key: String

    private var name: String { "rtree_\(table)_\(geometry)" }

    /// Creates the empty index of a table and notes the extension, or returns `nil` if SQLite has no R-trees.
    init?(
        of table: String, geometry: String, key: String, on connection: SQLiteConnection
    ) throws(SQLiteError) {
        (self.table, self.geometry, self.key) = (table, geometry, key)
        let modules = try connection.integer("SELECT count(*) FROM pragma_module_list WHERE name = 'rtree'")
        guard modules ?? 0 > 0 else { return nil }
        try connection.run(
            """
            CREATE TABLE gpkg_extensions (table_name TEXT, column_name TEXT, extension_name TEXT NOT NULL, \
            definition TEXT NOT NULL, scope TEXT NOT NULL, \
            CONSTRAINT ge_tce UNIQUE (table_name, column_name, extension_name))
            """)
        try connection.run(
            """
            INSERT INTO gpkg_extensions VALUES \
            (?, ?, 'gpkg_rtree_index', 'http://www.geopackage.org/spec120/#extension_rtree', 'write-only')
            """, [.text(table), .text(geometry)])
        try connection.run(
            "CREATE VIRTUAL TABLE \(SQLiteConnection.quoted(name)) USING rtree(id, minx, maxx, miny, maxy)")
    }

    /// Adds the box of a row.
    func insert(_ box: BoundingBox, of row: Int, _ connection: SQLiteConnection) throws(SQLiteError) {
        try connection.run(
            "INSERT INTO \(SQLiteConnection.quoted(name)) VALUES (?, ?, ?, ?, ?)",
            [.int(row), .real(box.minX), .real(box.maxX), .real(box.minY), .real(box.maxY)])
    }

    /// Adds the triggers that keep the index up to date when programs change the table.
    func finish(_ connection: SQLiteConnection) throws(SQLiteError) {
        let quoted = SQLiteConnection.quoted, index = quoted(name), geometry = quoted(geometry), key = quoted(key)
        let isFilled = "(NEW.\(geometry) NOTNULL AND NOT ST_IsEmpty(NEW.\(geometry)))"
        let isEmpty = "(NEW.\(geometry) ISNULL OR ST_IsEmpty(NEW.\(geometry)))"
        let box = ["MinX", "MaxX", "MinY", "MaxY"].map { "ST_\($0)(NEW.\(geometry))" }.joined(separator: ", ")
        let insert = "INSERT OR REPLACE INTO \(index) VALUES (NEW.\(key), \(box));"
        let delete = "DELETE FROM \(index) WHERE id = OLD.\(key);"
        let triggers = [
            ("insert", "INSERT", "WHEN \(isFilled)", insert),
            ("update1", "UPDATE OF \(geometry)", "WHEN OLD.\(key) = NEW.\(key) AND \(isFilled)", insert),
            ("update2", "UPDATE OF \(geometry)", "WHEN OLD.\(key) = NEW.\(key) AND \(isEmpty)", delete),
            ("update3", "UPDATE", "WHEN OLD.\(key) != NEW.\(key) AND \(isFilled)", "\(delete) \(insert)"),
            (
                "update4", "UPDATE", "WHEN OLD.\(key) != NEW.\(key) AND \(isEmpty)",
                "DELETE FROM \(index) WHERE id IN (OLD.\(key), NEW.\(key));"
            ),
            ("delete", "DELETE", "WHEN OLD.\(geometry) NOT NULL", delete),
        ]
        for (ending, event, condition, action) in triggers {
            try connection.run(
                """
                CREATE TRIGGER \(quoted("\(name)_\(ending)")) AFTER \(event) ON \(quoted(table)) \(condition) \
                BEGIN \(action) END
                """)
        }
    }
}
