#if Server
import Portolan
import PortolanCLI
import PortolanServerCore

#if PostGIS
import PortolanFeatures
import PortolanPostGIS
import PortolanServices

/// Vector tiles of a PostGIS database, for which clients take turns.
private struct DatabaseTiles: TileProvider {
    let id: String
    let description: ServedTilesDescription
    let keys: AccessKeys?
    let tiles: any PostGISTiles
    /// Limits the concurrent queries of the database to its connections.
    let gate: RenderGate

    init(
        _ source: DatabaseConfiguration.Source, _ tiles: any PostGISTiles, keys: AccessKeys?, _ gate: RenderGate
    ) {
        (id, self.keys) = (source.id, keys)
        self.tiles = tiles
        self.gate = gate
        func level(_ name: String) -> Int? {
            tiles.members[name]?.integerValue.flatMap { (0...30).contains($0) ? $0 : nil }
        }
        var levels = source.zooms
        // The comment of a function states its levels, unless the configuration does.
        if levels == 0...22 {
            let first = level("minzoom") ?? 0, last = level("maxzoom") ?? 22
            if first <= last { levels = first...last }
        }
        var description = ServedTilesDescription(
            name: source.title ?? tiles.members["name"]?.stringValue ?? tiles.title, levels: levels)
        description.bounds = tiles.bounds
        description.layers = tiles.layers
        description.attribution = source.attribution ?? tiles.members["attribution"]?.stringValue
        description.maximumAge = source.maximumAge
        self.description = description
    }

    func tile(
        level: Int, column: Int, row: Int, query: [(name: String, value: String)], client: String
    ) async throws(Problem) -> ServedTile {
        try await gate.admitted(for: client) { () throws(Problem) in
            do throws(PostGISError) {
                let tile = try await tiles.tile(level: level, column: column, row: row, query: query)
                return ServedTile(
                    bytes: tile.bytes,
                    warnings: tile.cutLayers.map { "layer '\($0)': features were left out because of the limit" })
            } catch {
                // Clients learn the kind of failure only; the log has the message.
                if error.code != .cancelled { ServerOutput.error("tiles '\(id)': \(error)") }
                switch error.code {
                case .overloaded: throw Problem(.overloaded, "the database is busy; retry later", retryAfter: 5)
                case .timedOut, .cancelled: throw Problem(.timedOut, "the database did not answer in time")
                default: throw Problem(.sourceFailed, "the tiles '\(id)' cannot be made", retryAfter: 10)
                }
            }
        }
    }
}
#endif

extension DatabaseConfiguration {
    /// Opens the vector tiles of databases.
    ///
    /// - Throws: ``ServerFailure`` for the first source that cannot be used. Of all tables and functions, those that
    ///   cannot are left out, with a warning.
    static func open(_ databases: [DatabaseConfiguration]) async throws(ServerFailure) -> [any TileProvider] {
        #if PostGIS
        var all: [any TileProvider] = []
        for database in databases {
            for tiles in try await database.open() {
                guard !all.contains(where: { $0.id == tiles.id }) else {
                    throw ServerFailure(.badData, "two sources of databases are named '\(tiles.id)'; rename one")
                }
                all.append(tiles)
            }
        }
        return all
        #else
        guard databases.isEmpty else {
            throw ServerFailure(
                .badData, "'postgis' needs a build with the trait PostGIS and the package libpq-dev")
        }
        return []
        #endif
    }

    #if PostGIS
    private func open() async throws(ServerFailure) -> [any TileProvider] {
        var settings = PostGISSettings()
        settings.connectionCount = pool
        settings.queryTimeout = timeout
        let gate = RenderGate(capacity: pool, room: 1000, deadline: timeout)
        do throws(PostGISError) {
            let database = try PostGISDatabase(url, settings: settings)
            var all: [any TileProvider] = []
            for source in sources {
                all.append(DatabaseTiles(source, try await source.open(in: database), keys: keys, gate))
            }
            for source in try await automaticSources(of: database) where !all.contains(where: { $0.id == source.id }) {
                do throws(PostGISError) {
                    all.append(DatabaseTiles(source, try await source.open(in: database), keys: keys, gate))
                } catch { ServerOutput.warn("left out: \(error)") }
            }
            return all
        } catch { throw ServerFailure(.unavailable, "\(error)") }
    }

    /// All tables and functions that the user may read, by their schema and name.
    private func automaticSources(of database: PostGISDatabase) async throws(PostGISError) -> [Source] {
        var found: [Source] = []
        func add(_ name: String, _ change: (inout Source) -> Void) {
            guard MapSource.isName(name) else {
                return ServerOutput.warn("left out: '\(name)' cannot be a name in URLs; add it under 'sources'")
            }
            var source = Source(id: name)
            change(&source)
            found.append(source)
        }
        if offersTables {
            let tables = try await database.tables().filter(\.isReadable)
            for table in tables {
                let isOnly = tables.count { $0.schema == table.schema && $0.name == table.name } == 1
                add("\(table.schema).\(table.name)" + (isOnly ? "" : ".\(table.geometry)")) {
                    $0.tables = [table.title]
                    $0.geometry = table.geometry
                }
            }
        }
        if offersFunctions {
            for function in try await database.functions() where function.isCallable {
                add("\(function.schema).\(function.name)") { $0.function = function.title }
            }
        }
        return found
    }
    #endif
}

#if PostGIS
extension DatabaseConfiguration.Source {
    fileprivate func open(in database: PostGISDatabase) async throws(PostGISError) -> any PostGISTiles {
        if let function { return try await database.tiles(ofFunction: function) }
        var query = PostGISQuery()
        query.sql = sql
        query.geometry = geometry
        query.key = key
        query.attributes = attributes
        query.filter = filter
        query.crs = crs
        query.limit = limit
        let queries =
            tables.isEmpty
            ? [query]
            : tables.map { name in
                var own = query
                own.table = name
                return own
            }
        return try await database.tiles(
            of: queries.map { (layer ?? (sql == nil ? nil : id), $0) }, extent: extent, buffer: buffer)
    }
}
#endif
#endif
