package import PortolanGeo

/// A tile grid offered by the services, with its identifiers in the registry of OGC 17-083r4, annex D.
package struct ServedTileGrid: Sendable {
    /// The identifier in URLs.
    package let id: String
    /// The registry URI.
    package let uri: String
    /// The tile matrices by zoom level, with rows counted from the north.
    package let grid: TileGrid

    /// The CRS identifier in the form of OGC 07-092r3.
    package let urn: String
    /// The CRS identifier in the form of OGC 09-048r5.
    package let crsURI: String

    private init?(_ id: String, _ grid: TileGrid?, urn: String, crs: String) {
        guard let grid else { return nil }
        self.urn = "urn:ogc:def:crs:\(urn)"
        crsURI = "http://www.opengis.net/def/crs/\(crs)"
        self.id = id
        uri = "http://www.opengis.net/def/tilematrixset/OGC/1.0/\(id)"
        self.grid = grid
    }

    /// The offered grids: Web Mercator, and CRS84 with longitude first.
    package static let all = [
        ServedTileGrid("WebMercatorQuad", .webMercator(levels: 0...24), urn: "EPSG::3857", crs: "EPSG/0/3857"),
        ServedTileGrid("WorldCRS84Quad", .powersOfTwo(in: .crs84), urn: "OGC:1.3:CRS84", crs: "OGC/1.3/CRS84"),
    ].compactMap(\.self)

    /// The squares of Web Mercator as tiles of 512 pixels, which no service lists.
    package static let doubled = ServedTileGrid(
        "WebMercatorQuad512", .webMercator(levels: 0...23, tileSize: 512), urn: "EPSG::3857", crs: "EPSG/0/3857")

    /// Returns the grid with an identifier, or `nil` if not found.
    package static func named(_ id: String) -> ServedTileGrid? {
        all.first { $0.id == id } ?? doubled.flatMap { $0.id == id ? $0 : nil }
    }

    /// The corners of the whole grid in its CRS: west, south, east and north.
    package var sides: [Double] {
        guard let first = grid.matrices.first else { return [0, 0, 0, 0] }
        let unit = first.resolution.unitsPerPixel
        return [
            first.origin.x, first.origin.y - Double(first.rowCount * first.tileHeight) * unit,
            first.origin.x + Double(first.columnCount * first.tileWidth) * unit, first.origin.y,
        ]
    }

    /// Returns the extent and resolution of a tile, or `nil` if the grid has no such tile.
    ///
    /// - Parameter isFromBelow: whether rows are counted from the south, as in TMS.
    package func tile(
        _ level: Int, _ column: Int, _ row: Int, isFromBelow: Bool = false
    ) -> (extent: Extent, resolution: Resolution)? {
        guard grid.matrices.indices.contains(level) else { return nil }
        let matrix = grid.matrices[level]
        // Rejects huge row numbers before the subtraction could overflow.
        guard matrix.rows.contains(row) else { return nil }
        guard let index = grid.tile(level: level, column: column, row: isFromBelow ? matrix.rowCount - 1 - row : row),
            let extent = grid.extent(of: index)
        else { return nil }
        return (extent, matrix.resolution)
    }
}
