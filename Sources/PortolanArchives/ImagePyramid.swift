package import PortolanGeo
package import PortolanRaster

/// The tile grid of a georeferenced image and its coarser levels, whose tiles are windows of their pixels.
package struct ImagePyramid: Sendable {
    /// The extent of the image, in units of its CRS.
    package let extent: Extent
    /// The sizes of the levels in pixels, from the finest.
    package let sizes: [(width: Int, height: Int)]
    /// The number of pixels of each level within the extent: that of its size, or less if its last pixels reach beyond.
    private let spans: [(width: Double, height: Double)]
    /// The width and height of tiles.
    package let tileSize: Int

    package init(
        extent: Extent, sizes: [(width: Int, height: Int)], spans: [(width: Double, height: Double)]? = nil,
        tileSize: Int
    ) {
        self.extent = extent
        self.sizes = sizes
        self.spans = spans ?? sizes.map { (Double($0.width), Double($0.height)) }
        self.tileSize = tileSize
    }

    /// Returns the grid, or `nil` if the pixels have no valid size; levels are named by their numbers, 0 the coarsest.
    package func grid(in crs: CRS) -> TileGrid? {
        let count = sizes.count
        let matrices = sizes.enumerated().compactMap { index, size -> TileGrid.Matrix? in
            guard let x = Resolution(unitsPerPixel: extent.width / spans[index].width),
                let y = Resolution(unitsPerPixel: extent.height / spans[index].height)
            else { return nil }
            return TileGrid.Matrix(
                id: String(count - 1 - index), resolution: x, verticalResolution: y, tileWidth: tileSize,
                tileHeight: tileSize, origin: Coordinate(x: extent.minX, y: extent.maxY),
                columnCount: (size.width + tileSize - 1) / tileSize,
                rowCount: (size.height + tileSize - 1) / tileSize)
        }
        guard matrices.count == count else { return nil }
        return TileGrid(crs: crs, originCorner: .topLeft, matrices: matrices)
    }

    /// Returns a square tile with pixels at its top left, transparent elsewhere, or `nil` if it has no valid size.
    ///
    /// - Parameter width: the number of pixels in a row.
    package static func tile(ofSize tileSize: Int, with pixels: [UInt32], width: Int) -> PixelBuffer? {
        guard let size = ImageSize(width: tileSize, height: tileSize) else { return nil }
        guard pixels.count != size.pixelCount else { return PixelBuffer(size: size, pixels: pixels) }
        var whole = [UInt32](repeating: 0, count: size.pixelCount)
        for line in 0..<(pixels.count / width) {
            whole.replaceSubrange(
                line * tileSize..<line * tileSize + width, with: pixels[line * width..<(line + 1) * width])
        }
        return PixelBuffer(size: size, pixels: whole)
    }
}
