#if PostGIS
import PortolanFeatures
import PortolanGeo
import PortolanServices
import PortolanWeb

/// Vector tiles that a function of the database returns.
struct PostGISFunctionTiles: PostGISTiles {
    private let database: PostGISDatabase
    private let function: PostGISFunction
    let members: Properties

    /// Opens a function.
    init(_ database: PostGISDatabase, _ name: String) async throws(PostGISError) {
        let (found, known) = try await database.catalog { (catalog, _) throws(PostGISError) in
            let found = try catalog.functions(named: name).first
            return (found, found == nil ? try catalog.functions().map(\.title) : [])
        }
        guard let found else {
            let near = NearName.nearest(to: name, in: known).map { "did you mean '\($0)'? " } ?? ""
            throw PostGISError(
                .missing, database: database.place, subject: "function \(name)",
                "there is no function with this name, the parameters (integer, integer, integer[, json]) and the result bytea",
                remedy: known.isEmpty ? nil : near + "available: " + known.prefix(10).joined(separator: ", "))
        }
        self.init(database, found)
    }

    init(_ database: PostGISDatabase, _ function: PostGISFunction) {
        self.database = database
        self.function = function
        guard let comment = function.comment,
            case .object(let members)? = try? JSONReader.value(bytes: Array(comment.utf8))
        else {
            members = Properties()
            return
        }
        self.members = members
    }

    var title: String { function.title }

    var layers: [VectorLayerDescription] { VectorLayerDescription.read(members["vector_layers"]) }

    var bounds: [Double]? {
        let sides = (members["bounds"]?.arrayValue ?? []).compactMap(\.doubleValue)
        return GeographicBounds(sides) == nil ? nil : sides
    }

    func tile(
        level: Int, column: Int, row: Int, query: [(name: String, value: String)]
    ) async throws(PostGISError) -> PostGISTile {
        guard PostGISTileGrid.box(level: level, column: column, row: row) != nil else {
            return PostGISTile(bytes: nil, cutLayers: [])
        }
        let name = "\(SQLText.identifier(function.schema)).\(SQLText.identifier(function.name))"
        var parameters: [String?] = [level, column, row].map(String.init), places = "$1::int, $2::int, $3::int"
        if function.takesQuery {
            var members = Properties()
            for item in query where members[item.name] == nil { members[item.name] = .string(item.value) }
            parameters.append(String(decoding: GeoJSONWriter.json(.object(members)), as: UTF8.self))
            places += ", $4::\(function.queryType)"
        }
        let statement = "SELECT * FROM \(name)(\(places)) LIMIT 1", values = parameters
        let byteLimit = database.pool.settings.resultByteLimit, title = "function \(function.title)"
        do throws(PostGISError) {
            let bytes = try await database.pool.transaction { (connection, ticket) throws(PostGISError) in
                let rows = try connection.query(statement, values, isBinary: true, ticket)
                let tile = rows.count == 1 ? rows.bytes(0, 0) ?? [] : []
                guard tile.count <= byteLimit else {
                    throw PostGISError(.tooLarge, database: connection.database, "the tile exceeds \(byteLimit) bytes")
                }
                return tile
            }
            return PostGISTile(bytes: bytes.isEmpty ? nil : bytes, cutLayers: [])
        } catch { throw error.about(title) }
    }
}
#endif
