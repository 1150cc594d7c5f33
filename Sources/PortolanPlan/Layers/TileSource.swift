public import PortolanGeo
public import PortolanServices

/// A pyramid of tiles: its grid, and how a tile's address is written.
public struct TileSource: Hashable, Sendable {
    /// How a tile is asked for.
    public enum Address: Hashable, Sendable {
        /// A URL template with `{z}`, `{x}` and `{y}`.
        case xyz(XYZTemplate)
        /// A WMS-C tile set: a GetMap request for the tile's extent.
        case wmsc(WMSCTileRequest)
        /// A WMS asked for tiles of the client's own grid.
        case wms(WMSTileRequest)
    }

    /// The levels and tiles.
    public let grid: TileGrid

    /// How a tile is asked for.
    public let address: Address

    /// The part of the map that has tiles, in units of the grid's CRS, or `nil` when all of the grid has.
    public let extent: Extent?

    /// Makes a source.
    public init(grid: TileGrid, address: Address, extent: Extent? = nil) {
        self.grid = grid
        self.address = address
        self.extent = extent
    }

    /// Makes a source of a WMS-C tile set.
    public init(_ request: WMSCTileRequest) {
        self.init(grid: request.grid, address: .wmsc(request), extent: request.tileSet.extent)
    }

    /// The URL of a tile, or `nil` when the grid has no such tile.
    func url(of tile: TileIndex) -> String? {
        switch address {
        case .xyz(let template):
            let matrix = grid.matrices[tile.level]
            // The level's number is its name: a grid need not begin at level 0.
            guard let level = Int(matrix.id) else { return nil }
            let row = grid.originCorner == .topLeft ? tile.row : matrix.rowCount - 1 - tile.row
            return template.url(level: level, column: tile.column, row: row, rowCount: matrix.rowCount)
        case .wmsc(let request): return request.url(for: tile)
        case .wms(let request): return request.image(of: tile, in: grid)?.url
        }
    }

    /// The part of a tile's image that is the tile, or `nil` for all of it.
    func crop(of tile: TileIndex) -> ImageCrop? {
        if case .wms(let request) = address { request.image(of: tile, in: grid)?.crop } else { nil }
    }
}
