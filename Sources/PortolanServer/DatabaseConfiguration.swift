#if Server
import PortolanServerCore
import Yams

/// A database whose tables and functions a server offers as vector tiles, as its configuration states it.
///
/// ```yaml
/// postgis:
///   url: postgresql://reader:${CITY_PASSWORD}@db.example.org/city
///   tables: auto
///   sources:
///     roads: {table: city.roads, attributes: [name, class], zooms: 6-16}
///     heat: {function: public.heat}
/// ```
struct DatabaseConfiguration: Sendable {
    /// Vector tiles of tables or of a function.
    struct Source: Sendable {
        /// The identifier in URLs.
        var id: String
        /// The display name, or `nil` for the tables or the function.
        var title: String?
        /// The tables, each a layer.
        var tables: [String] = []
        /// A query in place of a table.
        var sql: String?
        /// The function, or `nil`.
        var function: String?
        /// The name of the layer of a single table, or `nil` for that of the table.
        var layer: String?
        var geometry: String?
        var key: String?
        var attributes: [String]?
        var filter: String?
        var crs: String?
        /// The largest number of rows in a tile.
        var limit = 50_000
        var zooms = 0...22
        /// The units of a side of a tile, and those around it.
        var extent = 4096, buffer = 64
        var maximumAge = 60
        var attribution: String?
    }

    var url = ""
    /// The number of connections.
    var pool = 8
    /// The time limit of a query.
    var timeout = Duration.seconds(10)
    /// Whether all tables, and all functions, are offered.
    var offersTables = false, offersFunctions = false
    var sources: [Source] = []
    /// The keys that open all its sources, or `nil` if they are open to all clients.
    var keys: AccessKeys?

    /// Reads one database, or a list of them.
    static func all(_ node: Node, _ reader: YAMLReader) throws(ServerFailure) -> [DatabaseConfiguration] {
        var all: [DatabaseConfiguration] = []
        if let list = node.sequence {
            for node in list { all.append(try DatabaseConfiguration(node, reader)) }
        } else {
            all.append(try DatabaseConfiguration(node, reader))
        }
        return all
    }

    private init(_ node: Node, _ reader: YAMLReader) throws(ServerFailure) {
        for (key, node) in try reader.members(
            node, "'postgis'", known: ["url", "pool", "timeout", "tables", "functions", "sources", "keys"])
        {
            switch key {
            case "url": url = try reader.text(node, key)
            case "pool": pool = try reader.whole(node, key, in: 1...100)
            case "timeout": timeout = .seconds(try reader.whole(node, key, in: 1...3600))
            case "tables": offersTables = try Self.isAuto(node, key, reader)
            case "functions": offersFunctions = try Self.isAuto(node, key, reader)
            case "keys": keys = try ServerConfiguration.keys(node, reader)
            default:
                for (id, node) in try reader.members(node, "'sources'", known: nil) {
                    sources.append(try Self.source(id, node, reader))
                }
            }
        }
        guard !url.isEmpty else { throw reader.failure(node, "'postgis' needs 'url'") }
        guard offersTables || offersFunctions || !sources.isEmpty else {
            throw reader.failure(node, "'postgis' offers nothing; add 'sources', 'tables: auto' or 'functions: auto'")
        }
    }

    private static func isAuto(_ node: Node, _ key: String, _ reader: YAMLReader) throws(ServerFailure) -> Bool {
        switch try reader.text(node, key) {
        case "auto": return true
        case "none": return false
        default: throw reader.failure(node, "'\(key)' must be auto or none; list tables under 'sources'")
        }
    }

    private static func source(_ id: String, _ node: Node, _ reader: YAMLReader) throws(ServerFailure) -> Source {
        guard MapSource.isName(id) else {
            throw reader.failure(node, "'\(id)' is not a valid name: 1 to 64 letters, digits, '-', '_' and '.'")
        }
        var source = Source(id: id)
        for (key, node) in try reader.members(
            node, "source '\(id)'",
            known: [
                "title", "table", "tables", "sql", "function", "layer", "geometry", "id", "attributes", "filter", "crs",
                "limit", "zooms", "extent", "buffer", "max-age", "attribution",
            ])
        {
            switch key {
            case "title": source.title = try reader.text(node, key)
            case "table": source.tables = [try reader.text(node, key)]
            case "tables": source.tables = try reader.texts(node, key)
            case "sql": source.sql = try reader.text(node, key)
            case "function": source.function = try reader.text(node, key)
            case "layer": source.layer = try reader.text(node, key)
            case "geometry": source.geometry = try reader.text(node, key)
            case "id": source.key = try reader.text(node, key)
            case "attributes": source.attributes = try reader.texts(node, key)
            case "filter": source.filter = try reader.text(node, key)
            case "crs": source.crs = try reader.text(node, key)
            case "limit": source.limit = try reader.whole(node, key, in: 1...1_000_000)
            case "zooms": source.zooms = try reader.levels(node)
            case "extent": source.extent = try reader.whole(node, key, in: 256...65_536)
            case "buffer": source.buffer = try reader.whole(node, key, in: 0...4096)
            case "max-age": source.maximumAge = try reader.whole(node, key, in: 0...31_536_000)
            default: source.attribution = try reader.text(node, key)
            }
        }
        let contents = [!source.tables.isEmpty, source.sql != nil, source.function != nil].filter(\.self).count
        guard contents == 1 else {
            throw reader.failure(node, "source '\(id)' needs one of 'table', 'tables', 'sql' and 'function'")
        }
        guard source.layer == nil || source.tables.count <= 1 && source.function == nil else {
            throw reader.failure(node, "'layer' names the layer of a single table")
        }
        return source
    }
}

extension YAMLReader {
    /// A list of strings.
    func texts(_ node: Node, _ key: String) throws(ServerFailure) -> [String] {
        guard let list = node.sequence else { throw failure(node, "'\(key)' must be a list") }
        var texts: [String] = []
        for entry in list { texts.append(try text(entry, key)) }
        return texts
    }
}
#endif
