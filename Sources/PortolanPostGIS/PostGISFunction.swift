#if PostGIS
/// A function that returns vector tiles: `name(z integer, x integer, y integer[, query json]) returns bytea`.
public struct PostGISFunction: Hashable, Sendable {
    /// The schema.
    public let schema: String
    /// The name.
    public let name: String
    /// Whether the function takes the query of a request, as JSON.
    public let takesQuery: Bool
    /// The comment of the function, or `nil`; members of a JSON object in it are those of TileJSON.
    public let comment: String?
    /// Whether the user may call it.
    public let isCallable: Bool
    /// The name of the type of the query.
    let queryType: String

    /// The schema and the name in the notation of layers.
    public var title: String {
        [schema, name].map { $0.contains(".") || $0.contains("\"") ? SQLText.identifier($0) : $0 }
            .joined(separator: ".")
    }
}
#endif
