#if PostGIS
import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanServices

/// Vector tiles of tables, each table a layer, made by `ST_AsMVT`.
struct PostGISTableTiles: PostGISTiles {
    /// A table and its layer.
    struct Layer: Sendable {
        /// The name of the layer.
        let name: String
        let statements: PostGISStatements
    }

    private let database: PostGISDatabase
    private let tables: [Layer]
    private let form: PostGISTileForm
    let bounds: [Double]?
    let members = Properties()

    /// Opens tables.
    ///
    /// - Parameter queries: the tables, each with the name of its layer, or `nil` for that of the table.
    init(
        _ database: PostGISDatabase, _ queries: [(layer: String?, query: PostGISQuery)], _ form: PostGISTileForm
    ) async throws(PostGISError) {
        var tables: [Layer] = [], all: Extent?, isKnown = true
        for (name, query) in queries {
            let opened = try await database.statements(query), table = opened.table
            guard table.srid != 0 || table.crs != nil else { throw Self.unknownSystem(table, database.place) }
            tables.append(Layer(name: name ?? (table.name.isEmpty ? "query" : table.name), statements: opened))
            let extent = try await database.extent(of: query)
            guard let crs = table.crs, let extent,
                let degrees = LayerBounds(extent, crs: crs).extent(in: .crs84)
            else {
                // An empty table adds nothing to the bounds of others.
                isKnown = isKnown && extent == nil && tables.count > 1
                continue
            }
            all = all?.union(degrees) ?? degrees
        }
        self.database = database
        self.tables = tables
        self.form = form
        bounds = isKnown ? all.flatMap { PostGISTileGrid.degrees($0, in: .crs84) } : nil
    }

    static func unknownSystem(_ table: PostGISTable, _ place: String) -> PostGISError {
        PostGISError(
            .geometry, database: place, subject: "table \(table.title)",
            table.srid == 0
                ? "the coordinate system of its geometries is unknown (SRID 0)"
                : "the coordinate system of its geometries, SRID \(table.srid), is unknown here",
            remedy: "state it with crs=EPSG:…, or set it in the database with UpdateGeometrySRID")
    }

    var title: String { tables.map(\.statements.table.title).joined(separator: ", ") }

    var layers: [VectorLayerDescription] {
        tables.map { layer in
            VectorLayerDescription(
                id: layer.name,
                fields: layer.statements.attributes.map { column in
                    let type: PostGISTable.Column.Kind =
                        switch column.kind {
                        case .bool: .bool
                        case .integer, .number: .number
                        case .text, .json: .text
                        }
                    return VectorLayerDescription.Field(name: column.name, type: type.rawValue)
                })
        }
    }

    func tile(
        level: Int, column: Int, row: Int, query: [(name: String, value: String)]
    ) async throws(PostGISError) -> PostGISTile {
        guard let box = PostGISTileGrid.box(level: level, column: column, row: row) else {
            return PostGISTile(bytes: nil, cutLayers: [])
        }
        var bytes: [UInt8] = [], cut: [String] = []
        for layer in tables {
            let statements = layer.statements, limit = statements.query.limit
            let place = PostGISTileGrid.box(box, with: form, in: statements.table.crs)
            let statement = statements.tile(statements.attributes, named: layer.name, box, place, form)
            let byteLimit = database.pool.settings.resultByteLimit
            let found = try await database.asking(statements) { (connection, ticket) throws(PostGISError) in
                let rows = try connection.query(statement.text, statement.parameters, isBinary: true, ticket)
                guard rows.count == 1, let tile = rows.bytes(0, 0) else { return ([UInt8](), 0) }
                guard tile.count <= byteLimit else {
                    throw PostGISError(.tooLarge, database: connection.database, "the tile exceeds \(byteLimit) bytes")
                }
                // A number in binary form is big-endian.
                let count = (rows.bytes(0, 1) ?? []).reduce(0) { $0 << 8 | Int($1) }
                return (tile, count)
            }
            bytes += found.0
            if found.1 > limit { cut.append(layer.name) }
        }
        return PostGISTile(bytes: bytes.isEmpty ? nil : bytes, cutLayers: cut)
    }
}
#endif
