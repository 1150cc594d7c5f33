#if PostGIS
public import PortolanGeo

/// A table, view or query with a geometry column.
public struct PostGISTable: Hashable, Sendable {
    /// A column with an attribute.
    public struct Column: Hashable, Sendable {
        /// The kinds of values that attributes have.
        public enum Kind: String, Hashable, Sendable {
            case bool = "Boolean"
            case integer = "Integer"
            case number = "Number"
            case text = "String"
            /// JSON, which is text in tiles.
            case json = "JSON"
        }

        /// The name.
        public let name: String
        /// The kind of its values.
        public let kind: Kind
    }

    /// The schema; empty for a query.
    public let schema: String
    /// The name; empty for a query.
    public let name: String
    /// The geometry column.
    public let geometry: String
    /// The geometry type, such as `MultiPolygon`; `Geometry` if it varies.
    public let geometryType: String
    /// The identifier of the coordinate system in the database; 0 if it is unknown.
    public let srid: Int
    /// The coordinate system, or `nil` if it is unknown.
    public let crs: CRS?
    /// Whether the column has the type `geography`.
    public let isGeography: Bool
    /// The column with identifiers, or `nil`.
    public let key: String?
    /// Whether the identifiers are integers.
    public let hasIntegerKey: Bool
    /// The attributes.
    public let columns: [Column]
    /// Whether an index on the geometry exists, or `nil` if none can.
    public let hasIndex: Bool?
    /// The estimated number of rows, or `nil` if it is unknown.
    public let estimatedCount: Int?

    /// The schema and the name, or `query`.
    public var title: String { name.isEmpty ? "query" : "\(schema).\(name)" }
}
#endif
