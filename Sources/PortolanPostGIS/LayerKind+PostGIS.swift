#if PostGIS
public import Portolan
import PortolanFeatures
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanStyles
import PortolanWeb

extension LayerKind {
    /// Tables and vector tiles of a PostGIS database.
    public static let postGIS = LayerKind(
        "postgis", source: .database,
        keys: [
            "table", "sql", "geometry", "id", "attributes", "filter", "crs", "limit", "simplify", "function", "tiles",
            "min-zoom", "max-zoom", "layers", "source", "pool", "timeout", "attribution",
        ] + joinKeys + appearanceKeys,
        help: """
            postgis:postgresql://[USER@]HOST[:PORT]/DATABASE  Features of a table, view or query of a PostGIS database, or vector \
            tiles of tables and functions. The password is read from PGPASSWORD or the file PGPASSFILE.
            """,
        check: { (specification) throws(MapError) in _ = try Choice(specification) },
        make: { (specification, name, builder) async throws(MapError) in
            let choice = try Choice(specification)
            let formats = builder.client(for: specification).configuration.tileArchives
            guard let service = formats.services[.postGIS] as? PostGISService else {
                throw specification.invalid("table", "needs a configuration with addPostGIS()")
            }
            let made: Result<Made, MapError>
            do throws(PostGISError) {
                let database = try service.database(specification.source, choice.settings)
                made =
                    choice.isTiles
                    ? try await tiles(choice, database, service, specification, name, builder)
                    : try await features(choice, database, service, specification, name, builder)
            } catch { throw specification.failure(error) }
            return try made.get()
        })

    /// The values of the keys.
    private struct Choice {
        var queries: [PostGISQuery] = []
        var function: String?
        var isTiles = false
        var settings = PostGISSettings()
        var levels = 0...22

        init(_ specification: LayerSpecification) throws(MapError) {
            let needed = ["table", "sql", "function"].filter { specification[$0] != nil }
            guard let first = needed.first else {
                throw specification.error(
                    .specification(
                        "layer '\(specification.source)': choose rows with table=SCHEMA.NAME or sql=QUERY, or tiles with "
                            + "function=SCHEMA.NAME"))
            }
            guard needed.count == 1 else { throw specification.invalid(first, "excludes the key '\(needed[1])'") }
            if case .document = specification.origin { throw specification.error(.foreign) }
            for key in ["sql", "filter"] where specification[key] != nil && specification.origin != .user {
                throw specification.invalid(
                    key,
                    "is SQL, which only the user may write: on the command line, in a map document or in the configuration of a server"
                )
            }
            function = specification["function"]
            isTiles = try specification.flag("tiles") ?? (function != nil)
            if function != nil {
                guard isTiles else { throw specification.invalid("tiles", "must be true for a function") }
                for key in ["geometry", "id", "attributes", "filter", "crs", "limit", "simplify"]
                where specification[key] != nil {
                    throw specification.invalid(key, "has no effect on a function, which makes whole tiles")
                }
            }
            if !isTiles {
                for key in ["min-zoom", "max-zoom", "layers", "source"] where specification[key] != nil {
                    throw specification.invalid(key, "has no effect on features; add tiles=true for vector tiles")
                }
            } else if specification["geodesic"] != nil {
                throw specification.invalid("geodesic", "has no effect on vector tiles")
            }
            var query = PostGISQuery()
            query.sql = specification["sql"]
            query.geometry = specification["geometry"]
            query.key = specification["id"]
            query.attributes = specification.list("attributes")?.filter { !$0.isEmpty }
            query.filter = specification["filter"]
            query.crs = specification["crs"]
            query.simplifies = try specification.flag("simplify") ?? true
            let usual = isTiles ? 50_000 : query.limit
            query.limit = try specification.integer("limit", in: 1...1_000_000) ?? usual
            if let count = try specification.integer("pool", in: 1...100) { settings.connectionCount = count }
            if let time = try specification.integer("timeout", in: 1...3600) { settings.queryTimeout = .seconds(time) }
            let lowest = try specification.integer("min-zoom", in: 0...30) ?? 0
            let highest = try specification.integer("max-zoom", in: 0...30) ?? 22
            guard lowest <= highest else { throw specification.invalid("min-zoom", "is more than max-zoom") }
            levels = lowest...highest
            guard let tables = specification["table"] else {
                queries = [query]
                return
            }
            let names = isTiles ? tables.split(separator: ",").map(String.init) : [tables]
            for name in names {
                query.table = name
                guard SQLText.parts(of: name) != nil else {
                    throw specification.invalid(
                        "table", "is not NAME or SCHEMA.NAME; write names with a full stop in double quotes")
                }
                queries.append(query)
            }
        }
    }

    // MARK: - Features

    private static func features(
        _ choice: Choice, _ database: PostGISDatabase, _ service: PostGISService, _ specification: LayerSpecification,
        _ name: String, _ builder: LayerBuilder
    ) async throws(PostGISError) -> Result<Made, MapError> {
        let opened = try await database.statements(choice.queries[0]), table = opened.table
        guard let crs = table.crs else { throw PostGISTableTiles.unknownSystem(table, database.place) }
        var notes: [MapWarning] = []
        if table.hasIndex == false, let count = table.estimatedCount, count > 10_000 {
            notes.append(
                MapWarning(
                    .data,
                    message:
                        "the table \(table.title) has no spatial index, so that each view reads all of its \(count) rows; "
                        + "create one with CREATE INDEX ON \(table.title) USING gist (\(table.geometry))"))
        }
        let extent = try await database.extent(of: choice.queries[0])
        do throws(MapError) {
            let look = try await featureAppearance(of: specification, builder, &notes)
            var appearance = look
            appearance.limit = opened.query.limit
            let drawn = DrawnAttributes(appearance).columns(of: opened), all = opened.attributes
            func archive(_ columns: [PostGISTable.Column]) -> TileArchive {
                service.register(
                    .rows(opened, columns), of: database, titled: table.title,
                    identity: "\(opened.query) \(columns) \(opened.source)")
            }
            let request = FeatureTableRequest(table: archive(drawn), wholeTable: archive(all), crs: crs)
            var layer = builder.client(for: specification).featureLayer(
                name, .table(request), extent.map { LayerBounds($0, crs: crs) }, appearance)
            layer.attribution = specification["attribution"]
            layer.bounds = extent.map { LayerBounds($0, crs: crs) }
            return .success((layer, notes))
        } catch { return .failure(error) }
    }

    // MARK: - Tiles

    private static func tiles(
        _ choice: Choice, _ database: PostGISDatabase, _ service: PostGISService, _ specification: LayerSpecification,
        _ name: String, _ builder: LayerBuilder
    ) async throws(PostGISError) -> Result<Made, MapError> {
        let made: any PostGISTiles
        if let function = choice.function {
            made = try await database.tiles(ofFunction: function)
        } else {
            made = try await database.tiles(of: choice.queries.map { (nil, $0) })
        }
        let archive = service.register(
            .tiles(made), of: database, titled: made.title, identity: "\(choice.queries) \(choice.function ?? "")")
        guard let source = OpenedTiles.database(archive, made, levels: choice.levels) else {
            return .failure(specification.invalid("min-zoom", "and max-zoom give no tile grid"))
        }
        do throws(MapError) {
            let credit = made.members["attribution"]?.stringValue
            return .success(try await vectorLayer(source, attribution: credit, [], specification, name, builder))
        } catch { return .failure(error) }
    }
}

extension OpenedTiles {
    /// Returns the source of vector tiles that a database makes.
    fileprivate static func database(
        _ archive: TileArchive, _ tiles: any PostGISTiles, levels: ClosedRange<Int>
    ) -> VectorTileSource? {
        guard let grid = TileGrid.webMercator(levels: levels, tileSize: vectorTileSize) else { return nil }
        let bounds = tiles.bounds.flatMap { GeographicBounds($0)?.extent(in: grid.crs) }
        var source = VectorTileSource(tiles: TileSource(grid: grid, address: .archive(archive), extent: bounds))
        source.descriptions = tiles.layers
        source.contentBounds = bounds.map { LayerBounds($0, crs: grid.crs) }
        return source
    }
}

/// The attributes that decide how features are drawn.
private struct DrawnAttributes {
    /// The names, or `nil` if any attribute may matter.
    private let names: Set<String>?
    /// The texts of labels, which contain names.
    private let texts: [String]

    /// The attributes by which features style themselves: those of simplestyle and of the route dialect.
    private static let styles: Set<String> = [
        "stroke", "stroke-width", "stroke-opacity", "fill", "fill-opacity", "marker-color", "marker-size",
        "marker-symbol", "style",
    ]

    init(_ appearance: ServiceClient.FeatureAppearance) {
        var names = Self.styles
        texts = [appearance.style.label, appearance.style.labelPriority].compactMap(\.self)
        if let join = appearance.join {
            names.insert(join.property ?? "id")
        }
        guard let sheet = appearance.sheet else {
            self.names = names
            return
        }
        names = appearance.join.map { [$0.property ?? "id"] } ?? []
        for layer in sheet.layers {
            guard let own = layer.propertyNames, layer.drawsByProperties else {
                self.names = nil
                return
            }
            names.formUnion(own)
        }
        self.names = names
    }

    func columns(of opened: PostGISStatements) -> [PostGISTable.Column] {
        guard let names else { return opened.attributes }
        let listed = opened.query.attributes.map { names in opened.table.columns.filter { names.contains($0.name) } }
        return (listed ?? opened.table.columns).filter { column in
            names.contains(column.name) || texts.contains { $0.contains(column.name) }
        }
    }
}

extension LayerSpecification {
    /// Returns the error of a layer whose database fails.
    fileprivate func failure(_ failure: PostGISError) -> MapError {
        let code: ServiceError.Code =
            switch failure.code {
            case .cancelled: .cancelled
            case .missing, .permission, .noPostGIS, .geometry, .invalid: .notOffered
            case .connection, .authentication, .timedOut, .overloaded, .tooLarge, .failed: .unavailable
            }
        let subject = failure.subject.map { "\($0): " } ?? ""
        return error(.service(ServiceError(.answer(subject + failure.reason), url: failure.database, code: code)))
    }
}
#endif
