#if PostGIS
/// The choice of a table and its rows.
///
/// The condition and the statement come from the user: a command line, a map document or the configuration of a server, never from
/// clients.
public struct PostGISQuery: Hashable, Sendable {
    /// The table as `name` or `schema.name`, with quotes around names that contain a full stop; `nil` for a query.
    public var table: String?
    /// A statement whose rows are used in place of a table.
    public var sql: String?
    /// The geometry column, or `nil` for the only one.
    public var geometry: String?
    /// The column with unique identifiers, or `nil` for the primary key.
    public var key: String?
    /// The attributes, or `nil` for all.
    public var attributes: [String]?
    /// An SQL condition for the rows.
    public var filter: String?
    /// The EPSG code or other name of the coordinate system, if the table does not state it.
    public var crs: String?
    /// Whether shapes are simplified to a sixteenth of a pixel.
    public var simplifies = true
    /// The maximum number of rows of a cell or a tile.
    public var limit = 20_000

    /// Creates a choice of all rows of a table.
    public init(table: String? = nil) { self.table = table }
}
#endif
