import PortolanGeo
import PortolanSQLite

/// The mandatory tables of a GeoPackage (OGC 12-128r18, clause 1.1).
enum GeoPackageSchema {
    /// Marks a new file as a GeoPackage of version 1.3.
    static func mark(_ connection: SQLiteConnection) throws(SQLiteError) {
        try connection.run("PRAGMA application_id = 1196444487")  // "GPKG"
        try connection.run("PRAGMA user_version = 10300")
    }

    /// Creates the tables of systems and contents, and returns the ID of a CRS.
    static func layOut(_ connection: SQLiteConnection, in crs: CRS) throws(SQLiteError) -> Int {
        try connection.run(
            """
            CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER PRIMARY KEY, \
            organization TEXT NOT NULL, organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, \
            description TEXT)
            """)
        try connection.run(
            """
            CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, \
            identifier TEXT UNIQUE, description TEXT DEFAULT '', last_change DATETIME NOT NULL DEFAULT \
            (strftime('%Y-%m-%dT%H:%M:%fZ','now')), min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, \
            srs_id INTEGER, CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id))
            """)
        let degrees = """
            GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],\
            UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4326"]]
            """
        var systems = [
            ("Undefined cartesian SRS", -1, "NONE", "undefined"), ("Undefined geographic SRS", 0, "NONE", "undefined"),
            ("WGS 84", 4326, "EPSG", degrees),
        ]
        var number = 4326
        if crs != .crs84, crs != .epsg4326 {
            // A CRS without a code is stored by its definition, or as undefined.
            let definition = crs.esriWellKnownText
            if let (authority, code) = crs.registered, authority == "EPSG" || authority == "ESRI" {
                number = code
                systems.append((crs.name, code, authority, definition ?? "undefined"))
            } else if let definition {
                number = 100_000
                systems.append((crs.name, number, "NONE", definition))
            } else {
                number = crs.isGeographic ? 0 : -1
            }
        }
        for (name, id, organization, definition) in systems {
            try connection.run(
                "INSERT INTO gpkg_spatial_ref_sys VALUES (?, ?, ?, ?, ?, NULL)",
                [.text(name), .int(id), .text(organization), .int(id), .text(definition)])
        }
        return number
    }

    /// Returns a table name that does not conflict with those of SQLite, the standard and indexes.
    static func tableName(_ text: String, otherwise prefix: String) -> String {
        let name = String(text.prefix(60).map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        let isReserved = ["sqlite_", "gpkg_", "rtree_", "portolan_"].contains { name.lowercased().hasPrefix($0) }
        return isReserved || name.first.map { $0.isNumber || $0 == "_" } ?? true ? prefix + name : name
    }
}
