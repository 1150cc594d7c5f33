public import PortolanFetch

/// The kinds of SQLite files that hold tiles.
public enum TileArchiveKind: String, Hashable, Sendable {
    /// MBTiles.
    case mbtiles = "MBTiles"
    /// A GeoPackage.
    case geoPackage = "GeoPackage"

    /// The kind of a file, by its tables; `nil` when it is neither.
    ///
    /// - Throws: ``/PortolanFetch/StoreError`` when the file cannot be read as one of SQLite.
    public init?(path: String) throws(StoreError) {
        var names: Set<String> = []
        do throws(SQLiteError) {
            let connection = try SQLiteConnection(path: path, access: .reading)
            try connection.run(
                "SELECT lower(name) FROM sqlite_schema WHERE lower(name) IN ('gpkg_contents', 'metadata', 'tiles')"
            ) { names.insert($0.text(0)) }
        } catch { throw error.storeError(at: path) }
        if names.contains("gpkg_contents") {
            self = .geoPackage
        } else if names.contains("metadata"), names.contains("tiles") {
            self = .mbtiles
        } else {
            return nil
        }
    }
}
