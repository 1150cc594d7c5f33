#if PostGIS
/// An entry of the list of tables: a table, view or materialized view, and one of its geometry columns.
public struct PostGISTableSummary: Hashable, Sendable {
    /// The schema.
    public let schema: String
    /// The name.
    public let name: String
    /// The geometry column.
    public let geometry: String
    /// The geometry type, such as `MultiPolygon`; `Geometry` if it varies.
    public let geometryType: String
    /// The stated identifier of the coordinate system in the database; 0 if each row has its own.
    public let srid: Int
    /// Whether the column has the type `geography`.
    public let isGeography: Bool
    /// The estimated number of rows, or `nil` if the table was never analysed or is a view.
    public let estimatedCount: Int?
    /// Whether the user may read it.
    public let isReadable: Bool
    /// Whether an index on the geometry exists, or `nil` if none can.
    public let hasIndex: Bool?

    /// The schema and the name in the notation of layers.
    public var title: String {
        [schema, name].map { $0.contains(".") || $0.contains("\"") ? SQLText.identifier($0) : $0 }
            .joined(separator: ".")
    }
}
#endif
