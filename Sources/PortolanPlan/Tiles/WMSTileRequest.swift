import PortolanGeo
import PortolanRaster
import PortolanServices
import PortolanWeb

/// Asks a WMS for tiles of a grid that is the client's own.
public struct WMSTileRequest: Hashable, Sendable {
    /// The service.
    public let source: WMSSource
    /// How many pixels more a tile is asked for on all sides, which are cut off; at the ends of the world none.
    public let gutter: Int
    /// Picture pixels a view pixel that the tiles are drawn for.
    private(set) var pixelRatio = 1

    /// Makes the requests of a grid.
    public init(source: WMSSource, gutter: Int = 64) {
        self.source = source
        self.gutter = min(max(gutter, 0), 1024)
    }

    /// The requests of the same tiles with more pixels, 1, 2 or 3 times as many each way.
    func drawn(forPixelRatio pixelRatio: Int) -> WMSTileRequest {
        var request = self
        request.pixelRatio = pixelRatio
        return request
    }

    /// The address of a tile and the part of the image that is the tile, or `nil` when no layer is drawn at its scale.
    func image(of tile: TileIndex, in grid: TileGrid) -> (url: NamedURL, crop: Mosaic.Crop?)? {
        guard let extent = grid.extent(of: tile), let groups = layers(level: tile.level, in: grid)?.groups.first else {
            return nil
        }
        let matrix = grid.matrices[tile.level]
        let wide = gutter * pixelRatio
        var left = wide, top = wide, right = wide, bottom = wide
        let unit = matrix.resolution.unitsPerPixel
        if let world = grid.crs.worldExtent {
            func room(_ length: Double) -> Int { Int(min(max((length / unit + 1e-6).rounded(.down), 0), Double(wide))) }
            left = room(extent.minX - world.minX)
            right = room(world.maxX - extent.maxX)
            top = room(world.maxY - extent.maxY)
            bottom = room(extent.minY - world.minY)
        }
        let width = matrix.tileWidth + left + right, height = matrix.tileHeight + top + bottom
        // A tile without a gutter has the sides that the grid computes of whole numbers.
        let asked = Extent(
            minX: extent.minX - Double(left) * unit, minY: extent.minY - Double(bottom) * unit,
            maxX: extent.maxX + Double(right) * unit, maxY: extent.maxY + Double(top) * unit)
        guard let asked, let size = ImageSize(width: width, height: height) else { return nil }
        let url = source.url(
            extent: asked.roundedForRequest, size: size, layers: groups, isUpper: false,
            pixelRatio: Double(pixelRatio))
        let isWhole = width == matrix.tileWidth && height == matrix.tileHeight
        return (url, isWhole ? nil : Mosaic.Crop(x: left, y: top, imageSize: size))
    }

    /// The layers that are seen on tiles of a level, and a sentence about those that are not.
    func layers(level: Int, in grid: TileGrid) -> (groups: [[Int]], warnings: [String])? {
        guard grid.matrices.indices.contains(level) else { return nil }
        let denominator = grid.matrices[level].resolution.scaleDenominator(in: grid.crs)
        return source.layers(at: [denominator * Double(pixelRatio), denominator])
    }
}
