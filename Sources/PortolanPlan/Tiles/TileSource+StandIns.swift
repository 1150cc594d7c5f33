import PortolanGeo
import PortolanRaster

/// A coarser tile that can be shown in place of one that is missing.
struct TileStandIn: Hashable, Sendable {
    /// The coarser tile.
    let tile: TileIndex
    /// The part of it, enlarged, that takes the place of the tile.
    let crop: ImageCrop
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

    private func standIn(level: Int, for extent: Extent, of fine: TileMatrix) -> TileStandIn? {
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
            crop: ImageCrop(
                x: Int(x.rounded()) + (own?.x ?? 0) * scale, y: Int(y.rounded()) + (own?.y ?? 0) * scale,
                imageSize: size))
    }
}
