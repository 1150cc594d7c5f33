import PortolanFeatures
package import PortolanServices
import PortolanWeb

/// Vector tiles that a source makes at request time, such as a database, at `/data/{id}.json` and
/// `/data/{id}/{z}/{x}/{y}.pbf`.
///
/// Modules beside this one conform to it, so that the server core needs no library of a source.
package protocol TileProvider: Sendable {
    /// The identifier in URLs.
    var id: String { get }
    /// The description in TileJSON.
    var description: ServedTilesDescription { get }
    /// The keys that open the tiles, or `nil` if they are open to all clients, as by default.
    var keys: AccessKeys? { get }

    /// Returns a Mapbox Vector Tile, with rows from the north.
    ///
    /// - Parameters:
    ///   - query: the query of the request, in its order.
    ///   - client: the client that sent the request, which takes turns with others.
    /// - Throws: ``Problem``, without secrets and details of the source.
    func tile(
        level: Int, column: Int, row: Int, query: [(name: String, value: String)], client: String
    ) async throws(Problem) -> ServedTile
}

/// A vector tile as a source made it.
package struct ServedTile: Sendable {
    /// The uncompressed bytes, or `nil` if it is empty.
    package var bytes: [UInt8]?
    /// Warnings, one sentence each: for example that features were left out.
    package var warnings: [String]

    /// Creates a tile.
    package init(bytes: [UInt8]?, warnings: [String] = []) {
        self.bytes = bytes
        self.warnings = warnings
    }
}

/// The members of the TileJSON document of vector tiles.
package struct ServedTilesDescription: Sendable {
    /// The display name.
    package var name: String
    /// The levels with tiles.
    package var levels: ClosedRange<Int>
    /// West, south, east and north in degrees, or `nil` for the whole web mercator world.
    package var bounds: [Double]?
    /// The layers and their attributes.
    package var layers: [VectorLayerDescription] = []
    /// The credit, or `nil`.
    package var attribution: String?
    /// The time in seconds that caches may reuse a tile.
    package var maximumAge = 60

    /// Creates a description.
    package init(name: String, levels: ClosedRange<Int>) {
        self.name = name
        self.levels = levels
    }
}

extension TileProvider {
    package var keys: AccessKeys? { nil }

    /// Returns the TileJSON 3.0 document.
    ///
    /// - Parameter base: the public base URL of the server.
    func document(at base: String) -> Properties {
        let known = description
        var members = TileJSON.document(
            name: known.name, tiles: "\(base)/data/\(PercentEncoding.pathPart(id))/{z}/{x}/{y}.pbf",
            levels: known.levels,
            bounds: known.bounds ?? [-180, -85.051129, 180, 85.051129],
            centerLevel: (known.levels.lowerBound + known.levels.upperBound) / 2, attribution: known.attribution)
        members["id"] = .string(id)
        members["format"] = "pbf"
        members["vector_layers"] = .array(known.layers.map(\.value))
        return members
    }
}
