public import PortolanGeo
public import PortolanServices

/// A pyramid of tiles: its grid, and how a tile's address is written.
///
/// A view is drawn from the level whose resolution is nearest to its own by ratio. Beyond the finest level that one is
/// enlarged. Before the coarsest that one is reduced: a view more than twice as coarse takes at most 256 of its tiles,
/// any other view 4096, and one that would need more is not drawn from the pyramid at all.
public struct TileSource: Hashable, Sendable {
    /// How a tile is asked for.
    public enum Address: Hashable, Sendable {
        /// A URL template with `{z}`, `{x}` and `{y}`.
        case xyz(XYZTemplate)
        /// A WMS-C tile set: a GetMap request for the tile's extent.
        case wmsc(WMSCTileRequest)
        /// A WMS asked for tiles of the client's own grid.
        case wms(WMSTileRequest)
        /// A layer of a WMTS, by parameters or by path.
        case wmts(WMTSTileRequest)
        /// A map of a Tile Map Service.
        case tms(TMSTileRequest)

        /// The kind of layer as reports and plans name it.
        var kind: String {
            switch self {
            case .xyz(let template): ["mbtiles", "gpkg"].first { template.template.hasPrefix("\($0):///") } ?? "xyz"
            case .wmsc: "wmsc"
            case .wms: "wms"
            case .wmts: "wmts"
            case .tms: "tms"
            }
        }
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

    /// Makes a source of a layer of a WMTS.
    public init(_ request: WMTSTileRequest) {
        self.init(grid: request.grid, address: .wmts(request), extent: request.extent)
    }

    /// Makes a source of a map of a Tile Map Service.
    public init(_ request: TMSTileRequest) {
        self.init(grid: request.grid, address: .tms(request), extent: request.map.extent)
    }

    /// The grid that a picture with some picture pixels a view pixel is drawn from, and whether its tiles are those with
    /// twice the pixels (`@2x`), which templates with `{r}` have for ratios of 1.5 and more.
    func grid(forPixelRatio pixelRatio: Double) -> (grid: TileGrid, isRetina: Bool) {
        guard case .xyz(let template) = address, template.hasRetina, pixelRatio >= 1.5, let denser = grid.denser(by: 2)
        else { return (grid, false) }
        return (denser, true)
    }

    /// The URL of a tile, or `nil` when the grid has no such tile.
    package func url(of tile: TileIndex, isRetina: Bool = false) -> String? {
        switch address {
        case .xyz(let template):
            let matrix = grid.matrices[tile.level]
            // The level's number is its name: a grid need not begin at level 0.
            guard let level = Int(matrix.id) else { return nil }
            let row = grid.originCorner == .topLeft ? tile.row : matrix.rowCount - 1 - tile.row
            return template.url(
                level: level, column: tile.column, row: row, rowCount: matrix.rowCount, isRetina: isRetina)
        case .wmsc(let request): return request.url(for: tile)
        case .wms(let request): return request.image(of: tile, in: grid)?.url
        case .wmts(let request): return request.url(for: tile)
        case .tms(let request): return request.url(for: tile)
        }
    }

    /// The part of a tile's image that is the tile, or `nil` for all of it.
    package func crop(of tile: TileIndex) -> ImageCrop? {
        if case .wms(let request) = address { request.image(of: tile, in: grid)?.crop } else { nil }
    }
}
