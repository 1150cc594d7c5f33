import PortolanGeo
import PortolanRaster

extension TileSource {
    /// How many times coarser a tile may be that stands in for another.
    private static let largestRatio = 32.0

    /// The tiles of coarser levels that hold all that an image of a mosaic shows, the finest first.
    ///
    /// Only levels count whose pixels are whole multiples of the image's and lie on its grid.
    ///
    /// - Parameter pixelRatio: that of the view the mosaic was planned for.
    package func standIns(for image: ImagePlacement, in mosaic: Mosaic, pixelRatio: Double) -> [TileStandIn] {
        let (grid, isRetina) = grid(forPixelRatio: pixelRatio)
        guard let extent = Self.extent(of: image, in: mosaic, on: grid) else { return [] }
        let coarser = grid.matrices.indices.filter {
            grid.matrices[$0].resolution.unitsPerPixel > mosaic.resolutionX * 1.5
        }
        .sorted { grid.matrices[$0].resolution < grid.matrices[$1].resolution }
        return coarser.compactMap { level in
            standIn(level: level, of: grid, isRetina: isRetina, for: extent, of: mosaic)
        }
    }

    /// What the image shows, in the world's own place.
    private static func extent(of image: ImagePlacement, in mosaic: Mosaic, on grid: TileGrid) -> Extent? {
        var left = mosaic.topLeft.x + Double(image.x) * mosaic.resolutionX
        let top = mosaic.topLeft.y - Double(image.y) * mosaic.resolutionY
        let width = Double(image.size.width) * mosaic.resolutionX
        if let world = grid.crs.worldExtent, let worldWidth = grid.crs.worldWidth {
            left -= ((left + width / 2 - world.minX) / worldWidth).rounded(.down) * worldWidth
        }
        return Extent(
            minX: left, minY: top - Double(image.size.height) * mosaic.resolutionY, maxX: left + width, maxY: top)
    }

    private func standIn(
        level: Int, of grid: TileGrid, isRetina: Bool, for extent: Extent, of mosaic: Mosaic
    ) -> TileStandIn? {
        let matrix = grid.matrices[level]
        let ratio = matrix.resolution.unitsPerPixel / mosaic.resolutionX, factor = ratio.rounded()
        guard ratio <= Self.largestRatio, abs(ratio - factor) < 1e-4 * factor,
            abs(matrix.verticalResolution.unitsPerPixel / mosaic.resolutionY - factor) < 1e-4 * factor,
            let range = grid.tiles(level: level, in: extent), range.count == 1, let tile = range.indexes.first,
            let whole = grid.extent(of: tile), let url = url(of: tile, isRetina: isRetina)
        else { return nil }
        let x = (extent.minX - whole.minX) / mosaic.resolutionX, y = (whole.maxY - extent.maxY) / mosaic.resolutionY
        // Parts of pixels would shift the picture.
        guard x > -0.1, y > -0.1, abs(x - x.rounded()) < 0.1, abs(y - y.rounded()) < 0.1 else { return nil }
        let own = crop(of: tile), scale = Int(factor)
        guard
            let size = ImageSize(
                width: (own?.imageSize.width ?? matrix.tileWidth) * scale,
                height: (own?.imageSize.height ?? matrix.tileHeight) * scale)
        else { return nil }
        return TileStandIn(
            url: url, name: "\(matrix.id)/\(tile.column)/\(tile.row)",
            crop: ImageCrop(
                x: Int(x.rounded()) + (own?.x ?? 0) * scale, y: Int(y.rounded()) + (own?.y ?? 0) * scale,
                imageSize: size))
    }
}
