#if PostGIS
package import PortolanFeatures
import PortolanGeo
import PortolanPlan
package import PortolanServices

/// Vector tiles that a database makes, in web mercator.
package protocol PostGISTiles: Sendable {
    /// Returns a tile, with rows from the north; without bytes if it is empty.
    ///
    /// - Parameter query: the query of the request, which functions may take.
    /// - Throws: ``PostGISError``.
    func tile(
        level: Int, column: Int, row: Int, query: [(name: String, value: String)]
    ) async throws(PostGISError) -> PostGISTile

    /// The layers of the tiles and their attributes; empty if they are not known.
    var layers: [VectorLayerDescription] { get }
    /// West, south, east and north in degrees, or `nil` if they are not known.
    var bounds: [Double]? { get }
    /// Further members of the TileJSON document.
    var members: Properties { get }
    /// The tables or functions, for messages.
    var title: String { get }
}

/// A vector tile of a database.
package struct PostGISTile: Sendable {
    /// The encoded tile, uncompressed, or `nil` if it is empty.
    package let bytes: [UInt8]?
    /// The layers from which rows were left out because of the limit.
    package let cutLayers: [String]
}

extension PostGISDatabase {
    /// Opens vector tiles of tables.
    ///
    /// - Parameters:
    ///   - queries: the tables, each with the name of its layer, or `nil` for that of the table.
    ///   - extent: the number of units of a side of a tile.
    ///   - buffer: the units around a tile that geometries reach into.
    package func tiles(
        of queries: [(layer: String?, query: PostGISQuery)], extent: Int = 4096, buffer: Int = 64
    ) async throws(PostGISError) -> any PostGISTiles {
        try await PostGISTableTiles(self, queries, PostGISTileForm(extent: extent, buffer: buffer))
    }

    /// Opens the vector tiles that a function returns.
    package func tiles(ofFunction name: String) async throws(PostGISError) -> any PostGISTiles {
        try await PostGISFunctionTiles(self, name)
    }
}

/// The extents of tiles in web mercator.
enum PostGISTileGrid {
    /// Half of the width of the world in metres.
    static let half = 20_037_508.342789244

    /// Returns the box of a tile, or `nil` if there is no such tile.
    static func box(level: Int, column: Int, row: Int) -> Extent? {
        guard (0...30).contains(level), (0..<(1 << level)).contains(column), (0..<(1 << level)).contains(row) else {
            return nil
        }
        let side = 2 * half / Double(1 << level)
        let minX = -half + Double(column) * side, maxY = half - Double(row) * side
        return Extent(minX: minX, minY: maxY - side, maxX: minX + side, maxY: maxY)
    }

    /// Returns a box with a buffer, in another coordinate system, or `nil` if it has none there.
    static func box(_ tile: Extent, with form: PostGISTileForm, in crs: CRS?) -> Extent? {
        guard let crs else { return nil }
        let margin = tile.width * Double(form.buffer) / Double(form.extent)
        guard
            let wide = Extent(
                minX: tile.minX - margin, minY: tile.minY - margin, maxX: tile.maxX + margin, maxY: tile.maxY + margin),
            let transform = try? CoordinateTransform(from: .webMercator, to: crs)
        else { return nil }
        return crs == .webMercator ? wide : transform(wide)
    }

    /// Returns the bounds of an extent in degrees.
    static func degrees(_ extent: Extent, in crs: CRS) -> [Double]? {
        LayerBounds(extent, crs: crs).extent(in: .crs84).map {
            [max($0.minX, -180), max($0.minY, -90), min($0.maxX, 180), min($0.maxY, 90)]
        }
    }
}
#endif
