package import PortolanGeo

/// A grid that tiles are served in, under its name in the registry of OGC 17-083r4, annex D.
package struct ServedTileGrid: Sendable {
    /// The identifier in addresses.
    package let id: String
    /// The identifier of the registry.
    package let uri: String
    /// Its levels, by their number, rows from the top.
    package let grid: TileGrid

    /// The name of its system as OGC 07-092r3 writes it.
    package let urn: String
    /// The name of its system as OGC 09-048r5 writes it.
    package let crsURI: String

    private init?(_ id: String, _ grid: TileGrid?, urn: String, crs: String) {
        guard let grid else { return nil }
        self.urn = "urn:ogc:def:crs:\(urn)"
        crsURI = "http://www.opengis.net/def/crs/\(crs)"
        self.id = id
        uri = "http://www.opengis.net/def/tilematrixset/OGC/1.0/\(id)"
        self.grid = grid
    }

    /// Those that there are: of web mercator, and of degrees, east first.
    package static let all = [
        ServedTileGrid("WebMercatorQuad", .webMercator(levels: 0...24), urn: "EPSG::3857", crs: "EPSG/0/3857"),
        ServedTileGrid("WorldCRS84Quad", .powersOfTwo(in: .crs84), urn: "OGC:1.3:CRS84", crs: "OGC/1.3/CRS84"),
    ].compactMap(\.self)

    /// The grid of an identifier, or `nil` where there is none.
    package static func named(_ id: String) -> ServedTileGrid? { all.first { $0.id == id } }

    /// The extent of a tile, with how much one of its pixels shows, or `nil` where there is no such tile.
    ///
    /// - Parameter isFromBelow: whether rows are counted from the south, as in TMS.
    package func tile(
        _ level: Int, _ column: Int, _ row: Int, isFromBelow: Bool = false
    ) -> (extent: Extent, resolution: Resolution)? {
        guard grid.matrices.indices.contains(level) else { return nil }
        let matrix = grid.matrices[level]
        // Numbers as large as they may be written must not overflow.
        guard matrix.rows.contains(row) else { return nil }
        guard let index = grid.tile(level: level, column: column, row: isFromBelow ? matrix.rowCount - 1 - row : row),
            let extent = grid.extent(of: index)
        else { return nil }
        return (extent, matrix.resolution)
    }
}
