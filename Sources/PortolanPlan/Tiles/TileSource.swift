public import PortolanGeo
package import PortolanRaster
public import PortolanServices
import PortolanWeb

/// A tile pyramid: its grid and the addresses of its tiles.
///
/// A view is drawn from the level whose resolution is nearest to its own by ratio. The finest level is enlarged for
/// finer views, and the coarsest one reduced for coarser views. A view more than twice as coarse as the coarsest level
/// may use at most 256 tiles, any other view 4096. A view that needs more is not drawn from the pyramid.
///
/// ```swift
/// let template = try XYZTemplate("https://tile.example.org/{z}/{x}/{y}.png")
/// if let grid = TileGrid.webMercator() {
///     layers.append(MapLayer(name: "base", source: TileSource(grid: grid, address: .xyz(template))))
/// }
/// ```
public struct TileSource: Hashable, Sendable {
    /// The address scheme of the tiles.
    public enum Address: Hashable, Sendable {
        /// A URL template with placeholders for level, column and row, or for the tile's box.
        case xyz(XYZTemplate)
        /// A WMS-C tile set: a GetMap request for the tile's extent.
        case wmsc(WMSCTileSet.TileRequest)
        /// A WMS that draws tiles of the client's grid.
        case wms(WMSTileRequest)
        /// A WMTS layer, by parameters or by path.
        case wmts(WMTSTileRequest)
        /// A Tile Map Service map.
        case tms(TMSTileRequest)
        /// A local tile archive.
        case archive(TileArchive)
    }

    /// The tile grid.
    public let grid: TileGrid

    /// The address scheme of the tiles.
    public let address: Address

    /// The extent that has tiles, in units of the grid's CRS, or `nil` for the whole grid.
    public let extent: Extent?

    /// The HTTP statuses in addition to 204 by which the server reports an empty tile, such as 404, or 403 for storage
    /// that hides which files exist.
    ///
    /// An empty tile is transparent: it is not missing, it is cached like any other, and no coarser tile replaces it. A
    /// successful response without a body and the WMTS exception `TileOutOfRange` also mean an empty tile.
    public var emptyStatuses: Set<Int> = []

    /// The colours between the centres of pixels, where the view has another resolution or CRS than the tiles.
    package var resampling = ImageResampling.bilinear

    /// The number of pixels in the tiles of ``grid`` per pixel of the described tiles, in each direction.
    let density: Int

    /// Creates a source.
    public init(grid: TileGrid, address: Address, extent: Extent? = nil) {
        self.init(grid: grid, address: address, extent: extent, density: 1)
    }

    private init(grid: TileGrid, address: Address, extent: Extent?, density: Int) {
        self.grid = grid
        self.address = address
        self.extent = extent
        self.density = density
    }

    /// Creates a source from a WMS-C tile set.
    public init(_ request: WMSCTileSet.TileRequest) {
        self.init(grid: request.grid, address: .wmsc(request), extent: request.tileSet.extent)
    }

    /// Creates a source from a WMTS layer.
    public init(_ request: WMTSTileRequest) {
        self.init(grid: request.grid, address: .wmts(request), extent: request.extent)
    }

    /// Creates a source from a Tile Map Service map.
    public init(_ request: TMSTileRequest) {
        self.init(grid: request.grid, address: .tms(request), extent: request.map.extent)
    }

    /// Returns the source for a pixel ratio.
    ///
    /// Only this function adapts tiles to the pixel ratio.
    ///
    /// Templates with `{r}` use tiles with twice the pixels (`@2x`) for ratios of 1.5 and more. A WMS is asked for
    /// tiles with 1, 2 or 3 times as many pixels a side, whichever is nearest: other ratios would fill caches with
    /// tiles that no other view uses.
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

    /// The same squares of web mercator with tiles of another size in pixels, or `nil` for other grids.
    package func shown(inSize side: Int) -> TileSource? {
        let levels = grid.matrices.compactMap { Int($0.id) }
        guard grid.crs.hasCoordinates(of: .webMercator), levels.count == grid.matrices.count, let first = levels.first,
            let last = levels.last, first <= last, (1...4096).contains(side),
            let resized = TileGrid.webMercator(levels: first...last, tileSize: side)
        else { return nil }
        return copy(of: resized, address, density: density)
    }

    /// Returns the source with other values of dimensions, by lowercase name, or `nil` if its tiles have none.
    func choosing(_ values: [String: String]) -> TileSource? {
        switch address {
        case .wms(let request):
            return copy(of: grid, .wms(request.with(LayerDimension.parameters(values))), density: density)
        case .wmts(let request): return copy(of: grid, .wmts(request.choosing(values)), density: density)
        case .xyz, .wmsc, .tms, .archive: return nil
        }
    }

    private func copy(of grid: TileGrid, _ address: Address, density: Int) -> TileSource {
        var source = TileSource(grid: grid, address: address, extent: extent, density: density)
        source.emptyStatuses = emptyStatuses
        source.resampling = resampling
        return source
    }

    /// Returns the identity of a tile in a layer.
    func item(_ tile: TileIndex) -> Resource.ID.Item { .tile(tile, density: density) }

    /// Returns the location of a tile, or `nil` if the grid does not contain it.
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

    /// Returns other addresses of a tile, or `nil` if there are none.
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

    /// Returns the display name of a tile.
    func name(of tile: TileIndex) -> String { "\(grid.matrices[tile.level].id)/\(tile.column)/\(tile.row)" }

    /// Returns the part of the image that shows the tile, or `nil` for all of it.
    package func crop(of tile: TileIndex) -> Mosaic.Crop? {
        if case .wms(let request) = address { request.image(of: tile, in: grid)?.crop } else { nil }
    }

    /// Returns the wanted size of a tile image.
    func imageSize(of tile: TileIndex) -> ImageSize? {
        let matrix = grid.matrices[tile.level]
        return crop(of: tile)?.imageSize ?? ImageSize(width: matrix.tileWidth, height: matrix.tileHeight)
    }

    private func rowFromTop(of tile: TileIndex) -> Int {
        grid.originCorner == .topLeft ? tile.row : grid.matrices[tile.level].rowCount - 1 - tile.row
    }

    /// The level number, which is its name: a grid need not begin at level 0.
    private static func number(of matrix: TileGrid.Matrix) -> Int? { Int(matrix.id) }
}

extension MapLayer {
    /// The tiles that the layer draws, or `nil` if it has another kind of source.
    public var tiles: TileSource? { source as? TileSource }
}

/// A coarser tile that can replace a missing one.
struct TileStandIn: Hashable, Sendable {
    /// The coarser tile.
    let tile: TileIndex
    /// The part of it that is enlarged to replace the tile.
    let crop: Mosaic.Crop
}

extension TileSource {
    /// The largest ratio of resolutions between a fallback tile and the missing one.
    private static let largestRatio = 32.0

    /// Returns the tiles of coarser levels that contain the whole tile, the finest first.
    ///
    /// Only levels are used whose pixels are whole multiples of the tile's and aligned with them.
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
        // Fractions of pixels would shift the picture.
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
