public import PortolanGeo
import PortolanRaster
public import PortolanServices
import PortolanWeb

/// A pyramid of tiles: its grid, and how a tile is had.
///
/// A view is drawn from the level whose resolution is nearest to its own by ratio. Beyond the finest level that one is
/// enlarged. Before the coarsest that one is reduced: a view more than twice as coarse takes at most 256 of its tiles,
/// any other view 4096, and one that would need more is not drawn from the pyramid at all.
public struct TileSource: Hashable, Sendable {
    /// How a tile is had.
    public enum Address: Hashable, Sendable {
        /// A URL template with placeholders for level, column and row, or for the tile's box.
        case xyz(XYZTemplate)
        /// A WMS-C tile set: a GetMap request for the tile's extent.
        case wmsc(WMSCTileSet.TileRequest)
        /// A WMS asked for tiles of the client's own grid.
        case wms(WMSTileRequest)
        /// A layer of a WMTS, by parameters or by path.
        case wmts(WMTSTileRequest)
        /// A map of a Tile Map Service.
        case tms(TMSTileRequest)
        /// An archive of tiles on this machine.
        case archive(TileArchive)
    }

    /// The levels and tiles.
    public let grid: TileGrid

    /// How a tile is had.
    public let address: Address

    /// The part of the map that has tiles, in units of the grid's CRS, or `nil` when all of the grid has.
    public let extent: Extent?

    /// The HTTP statuses beside 204 by which the server says that a tile is empty, such as 404, or 403 of a storage that
    /// does not say which files it has.
    ///
    /// An empty tile is transparent: it is not missing, it is kept like any other, and no coarser one takes its place. A
    /// successful answer without a body, and a WMTS exception `TileOutOfRange`, say the same.
    public var emptyStatuses: Set<Int> = []

    /// How many times the pixels of the tiles as they were described the tiles of ``grid`` have, each way.
    let density: Int

    /// Makes a source.
    public init(grid: TileGrid, address: Address, extent: Extent? = nil) {
        self.init(grid: grid, address: address, extent: extent, density: 1)
    }

    private init(grid: TileGrid, address: Address, extent: Extent?, density: Int) {
        self.grid = grid
        self.address = address
        self.extent = extent
        self.density = density
    }

    /// Makes a source of a WMS-C tile set.
    public init(_ request: WMSCTileSet.TileRequest) {
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

    /// The source for a picture with some picture pixels a view pixel: the one place where tiles follow the pixel ratio.
    ///
    /// Templates with `{r}` have tiles with twice the pixels (`@2x`) for ratios of 1.5 and more. A WMS is asked for tiles
    /// with 1, 2 or 3 times as many pixels a side, whichever is nearest: other ratios would fill caches with tiles that
    /// no other view has.
    func fitted(toPixelRatio ratio: Double) -> TileSource {
        guard density == 1 else { return self }
        switch address {
        case .xyz(let template):
            guard template.hasRetina, ratio >= 1.5, let denser = grid.denser(by: 2) else { return self }
            return copy(of: denser, address, density: 2)
        case .wms(let request):
            let wanted = Int(min(max(ratio.rounded(), 1), 3))
            guard wanted > 1, let denser = grid.denser(by: wanted) else { return self }
            return copy(of: denser, .wms(request.drawn(forPixelRatio: wanted)), density: wanted)
        case .wmsc, .wmts, .tms, .archive: return self
        }
    }

    private func copy(of grid: TileGrid, _ address: Address, density: Int) -> TileSource {
        var source = TileSource(grid: grid, address: address, extent: extent, density: density)
        source.emptyStatuses = emptyStatuses
        return source
    }

    /// The identity of a tile in a layer.
    func item(_ tile: TileIndex) -> Resource.ID.Item { .tile(tile, density: density) }

    /// Where a tile is had, or `nil` when the grid has no such tile.
    package func location(of tile: TileIndex) -> Resource.Location? {
        switch address {
        case .xyz(let template):
            return template.url(of: tile, in: grid, isRetina: density > 1).map {
                .url(NamedURL($0, namedBy: template.origin))
            }
        case .wmsc(let request): return request.request(for: tile).map { .url($0.address) }
        case .wms(let request): return request.image(of: tile, in: grid).map { .url($0.url) }
        case .wmts(let request):
            return request.url(for: tile).map { .url(NamedURL($0, namedBy: request.origin)) }
        case .tms(let request): return request.url(for: tile).map { .url(NamedURL($0, namedBy: request.origin)) }
        case .archive(let archive):
            guard let level = Self.number(of: grid.matrices[tile.level]) else { return nil }
            return .archive(
                TileArchive.Entry(archive: archive, level: level, column: tile.column, row: rowFromTop(of: tile)))
        }
    }

    /// Other addresses of a tile, or `nil` where there are none.
    package func alternatives(of tile: TileIndex) -> ResourceAlternatives? {
        switch address {
        case .wmsc(let request):
            request.innerRequest(for: tile).flatMap { ResourceAlternatives(of: request.baseURL.text, [$0.address]) }
        case .wmts(let request):
            request.hasOtherURLs
                ? ResourceAlternatives(
                    of: request.addressesName,
                    request.otherURLs(for: tile).map { NamedURL($0, namedBy: request.origin) }) : nil
        case .xyz, .wms, .tms, .archive: nil
        }
    }

    /// The name of a tile for a person.
    func name(of tile: TileIndex) -> String { "\(grid.matrices[tile.level].id)/\(tile.column)/\(tile.row)" }

    /// The part of a tile's image that is the tile, or `nil` for all of it.
    package func crop(of tile: TileIndex) -> Mosaic.Crop? {
        if case .wms(let request) = address { request.image(of: tile, in: grid)?.crop } else { nil }
    }

    /// The size in which a tile's image is wanted.
    func imageSize(of tile: TileIndex) -> ImageSize? {
        let matrix = grid.matrices[tile.level]
        return crop(of: tile)?.imageSize ?? ImageSize(width: matrix.tileWidth, height: matrix.tileHeight)
    }

    private func rowFromTop(of tile: TileIndex) -> Int {
        grid.originCorner == .topLeft ? tile.row : grid.matrices[tile.level].rowCount - 1 - tile.row
    }

    /// The level's number, which is its name: a grid need not begin at level 0.
    private static func number(of matrix: TileGrid.Matrix) -> Int? { Int(matrix.id) }
}

extension MapLayer {
    /// The tiles that the layer draws, or `nil` when its source is another.
    public var tiles: TileSource? { source as? TileSource }
}

/// A coarser tile that can be shown in place of one that is missing.
struct TileStandIn: Hashable, Sendable {
    /// The coarser tile.
    let tile: TileIndex
    /// The part of it, enlarged, that takes the place of the tile.
    let crop: Mosaic.Crop
}

extension TileSource {
    /// How many times coarser a tile may be that stands in for another.
    private static let largestRatio = 32.0

    /// The tiles of coarser levels that hold all that a tile shows, the finest first.
    ///
    /// Only levels count whose pixels are whole multiples of the tile's and lie on its grid.
    func standIns(for tile: TileIndex) -> [TileStandIn] {
        guard let extent = grid.extent(of: tile) else { return [] }
        let fine = grid.matrices[tile.level]
        let coarser = grid.matrices.indices.filter {
            grid.matrices[$0].resolution.unitsPerPixel > fine.resolution.unitsPerPixel * 1.5
        }
        .sorted { grid.matrices[$0].resolution < grid.matrices[$1].resolution }
        return coarser.compactMap { standIn(level: $0, for: extent, of: fine) }
    }

    private func standIn(level: Int, for extent: Extent, of fine: TileGrid.Matrix) -> TileStandIn? {
        let matrix = grid.matrices[level]
        let unitX = fine.resolution.unitsPerPixel, unitY = fine.verticalResolution.unitsPerPixel
        let ratio = matrix.resolution.unitsPerPixel / unitX, factor = ratio.rounded()
        guard ratio <= Self.largestRatio, abs(ratio - factor) < 1e-4 * factor,
            abs(matrix.verticalResolution.unitsPerPixel / unitY - factor) < 1e-4 * factor,
            let range = grid.tiles(level: level, in: extent), range.count == 1, let tile = range.indexes.first,
            let whole = grid.extent(of: tile)
        else { return nil }
        let x = (extent.minX - whole.minX) / unitX, y = (whole.maxY - extent.maxY) / unitY
        // Parts of pixels would shift the picture.
        guard x > -0.1, y > -0.1, abs(x - x.rounded()) < 0.1, abs(y - y.rounded()) < 0.1 else { return nil }
        let own = crop(of: tile), scale = Int(factor)
        guard
            let size = ImageSize(
                width: (own?.imageSize.width ?? matrix.tileWidth) * scale,
                height: (own?.imageSize.height ?? matrix.tileHeight) * scale)
        else { return nil }
        return TileStandIn(
            tile: tile,
            crop: Mosaic.Crop(
                x: Int(x.rounded()) + (own?.x ?? 0) * scale, y: Int(y.rounded()) + (own?.y ?? 0) * scale,
                imageSize: size))
    }
}
