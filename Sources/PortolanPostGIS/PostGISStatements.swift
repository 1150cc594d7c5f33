#if PostGIS
import PortolanGeo

/// The statements that read an opened table.
struct PostGISStatements: Sendable {
    /// The table.
    let table: PostGISTable
    /// The table or the statement in parentheses, as it stands in `FROM`.
    let source: String
    /// The quoted schema of PostGIS and a full stop.
    let prefix: String
    /// The choice of rows.
    let query: PostGISQuery

    /// The share of a pixel by which simplified shapes may differ.
    static let tolerance = 1.0 / 16

    private var column: String { "t.\(SQLText.identifier(table.geometry))" }

    /// The geometry column without altitudes and curves.
    private var shape: String {
        let plain = table.isGeography ? "\(column)::\(prefix)geometry" : column
        let flat = "\(prefix)ST_Force2D(\(plain))"
        let kind = table.geometryType.lowercased()
        let mayBeCurved = kind.contains("curve") || kind.contains("circular") || kind.contains("surface")
        guard !table.isGeography, mayBeCurved || kind.hasPrefix("geometry") else { return flat }
        return "(CASE WHEN \(prefix)ST_HasArc(\(flat)) THEN \(prefix)ST_CurveToLine(\(flat)) ELSE \(flat) END)"
    }

    /// Whether shapes have vertices that can be left out.
    private var mayBeSimplified: Bool { query.simplifies && !table.geometryType.lowercased().contains("point") }

    /// Returns a column as a value of its kind.
    private static func value(_ column: PostGISTable.Column) -> String {
        let name = "t.\(SQLText.identifier(column.name))"
        return switch column.kind {
        case .bool: name
        case .integer: "\(name)::int8"
        case .number: "\(name)::float8"
        case .text, .json: "\(name)::text"
        }
    }

    /// The condition of the query, which stands in parentheses of its own.
    private var condition: String { query.filter.map { " AND (\($0)\n)" } ?? "" }

    /// Returns the condition for a box in the coordinates of the table, whose sides are the parameters from a number on.
    private func isIn(_ box: Extent, from number: Int) -> (text: String, parameters: [String?]) {
        let sides = (number..<number + 4).map { "$\($0)::float8" }.joined(separator: ", ")
        let envelope = "\(prefix)ST_MakeEnvelope(\(sides), \(table.srid))"
        var text = "\(column) OPERATOR(\(prefix)&&) \(envelope)"
        if table.isGeography {
            text = "\(column)::\(prefix)geometry OPERATOR(\(prefix)&&) \(envelope)"
            // The index has boxes on the globe. Edges follow great circles, so parallels are divided; a box that is too
            // wide for that is not looked up in it.
            if box.width <= 90, box.height <= 90 {
                text +=
                    " AND \(column) OPERATOR(\(prefix)&&) \(prefix)ST_Segmentize(\(envelope), 1)::\(prefix)geography"
            }
        }
        return (text, [box.minX, box.minY, box.maxX, box.maxY].map { "\($0)" })
    }

    /// The statement for the features in a box, or for all.
    ///
    /// - Parameters:
    ///   - unitsPerPixel: the resolution at which shapes are drawn, or `nil` for all vertices.
    ///   - limit: the number of rows.
    func features(
        _ columns: [PostGISTable.Column], in box: Extent?, unitsPerPixel: Double?, limit: Int
    ) -> (text: String, parameters: [String?]) {
        var shape = shape
        if let unitsPerPixel, mayBeSimplified {
            let simple = "\(prefix)ST_Simplify(\(shape), \(unitsPerPixel * Self.tolerance)::float8, true)"
            // Shapes with few vertices gain nothing.
            shape =
                "(CASE WHEN \(prefix)ST_NPoints(\(column)\(table.isGeography ? "::\(prefix)geometry" : "")) > 16 "
                + "THEN \(simple) ELSE \(shape) END)"
        }
        var values = ["\(prefix)ST_AsBinary(\(shape), 'NDR')"]
        if let key { values.insert(Self.value(key), at: 0) }
        values += columns.map(Self.value)
        let place = box.map { isIn($0, from: 1) } ?? (text: "true", parameters: [])
        let text =
            "SELECT \(values.joined(separator: ", ")) FROM \(source) AS t WHERE \(place.text)\(condition) LIMIT \(limit)"
        return (text, place.parameters)
    }

    /// The column with identifiers.
    private var key: PostGISTable.Column? {
        table.key.map { PostGISTable.Column(name: $0, kind: table.hasIntegerKey ? .integer : .text) }
    }

    /// The columns of ``features(_:in:unitsPerPixel:limit:)`` as a document states them.
    func documentColumns(
        _ columns: [PostGISTable.Column]
    ) -> [(isKey: Bool, isGeometry: Bool, column: PostGISTable.Column?)] {
        var all: [(Bool, Bool, PostGISTable.Column?)] = [(false, true, nil)]
        if let key { all.insert((true, false, key), at: 0) }
        return all + columns.map { (false, false, $0) }
    }

    // MARK: - Tiles

    /// The name of the geometry in the rows of a tile, which no attribute has.
    private static let tileGeometry = "portolan geometry"

    /// The statement for a layer of a vector tile, and the number of its rows.
    ///
    /// - Parameters:
    ///   - tile: the box of the tile in web mercator.
    ///   - box: the box of the tile and its buffer in the coordinates of the table, or `nil` for all rows.
    func tile(
        _ columns: [PostGISTable.Column], named layer: String, _ tile: Extent, _ box: Extent?, _ form: PostGISTileForm
    ) -> (text: String, parameters: [String?]) {
        let code = crsCode, number = SQLText.identifier(Self.tileGeometry)
        var shape = shape
        if table.srid == 0 { shape = "\(prefix)ST_SetSRID(\(shape), \(code))" }
        if code != 3857 { shape = "\(prefix)ST_Transform(\(shape), 3857)" }
        var parameters: [String?] = [tile.minX, tile.minY, tile.maxX, tile.maxY].map { "\($0)" } + [layer]
        var values = [
            "\(prefix)ST_AsMVTGeom(\(shape), \(prefix)ST_MakeEnvelope($1::float8, $2::float8, $3::float8, $4::float8, 3857)::"
                + "\(prefix)box2d, \(form.extent), \(form.buffer), true) AS \(number)"
        ]
        var id = ""
        if let key, table.hasIntegerKey {
            id = ", \(Self.literal(key.name))"
            values.append("\(Self.value(key)) AS \(SQLText.identifier(key.name))")
        }
        for column in columns where id.isEmpty || column.name != table.key {
            values.append("\(Self.value(column)) AS \(SQLText.identifier(column.name))")
        }
        var place = "true"
        if let box {
            let found = isIn(box, from: 6)
            place = found.text
            parameters += found.parameters
        } else if table.crs == nil {
            // The database knows the coordinate system, and Portolan does not.
            place =
                "\(column) OPERATOR(\(prefix)&&) \(prefix)ST_Transform(\(prefix)ST_Segmentize(\(prefix)ST_Expand("
                + "\(prefix)ST_MakeEnvelope($1::float8, $2::float8, $3::float8, $4::float8, 3857), "
                + "\(tile.width * Double(form.buffer) / Double(form.extent))), \(tile.width / 8)), \(table.srid))"
        }
        let text =
            "SELECT \(prefix)ST_AsMVT(q, $5::text, \(form.extent), \(Self.literal(Self.tileGeometry))\(id)), count(*) FROM ("
            + "SELECT \(values.joined(separator: ", ")) FROM \(source) AS t WHERE \(place)\(condition) "
            + "LIMIT \(query.limit + 1)) AS q"
        return (text, parameters)
    }

    /// Returns a text as a literal (PostgreSQL, section 4.1.2.1).
    private static func literal(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }

    /// The identifier of the coordinate system in the database.
    private var crsCode: Int {
        guard table.srid == 0 else { return table.srid }
        let text = query.crs.map { $0.split(separator: ":").last.map(String.init) ?? $0 }
        return text.flatMap { Int($0) } ?? 4326
    }
}

/// The grid and the buffer of a vector tile.
struct PostGISTileForm: Hashable, Sendable {
    /// The number of units of a side.
    var extent = 4096
    /// The units around the tile that geometries reach into.
    var buffer = 64
}
#endif
