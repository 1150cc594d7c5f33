import PortolanGeo
import PortolanRaster
import PortolanServices
import PortolanWeb

/// Requests tiles of the client's grid from a WMS.
public struct WMSTileRequest: Hashable, Sendable {
    /// The service.
    public let source: WMSSource
    /// The number of additional pixels requested on all sides and cut off afterwards; 0 at the ends of the world.
    public let gutter: Int
    /// The picture pixels per view pixel for which the tiles are drawn.
    private(set) var pixelRatio = 1

    /// Creates the requests of a grid.
    public init(source: WMSSource, gutter: Int = 64) {
        self.source = source
        self.gutter = min(max(gutter, 0), 1024)
    }

    /// Returns the requests of the same tiles with 1, 2 or 3 times as many pixels in each direction.
    func drawn(forPixelRatio pixelRatio: Int) -> WMSTileRequest {
        var request = self
        request.pixelRatio = pixelRatio
        return request
    }

    /// Returns the requests with other values of parameters, which replace those of the same names.
    func with(_ parameters: [GetMapRequest.Parameter]) -> WMSTileRequest {
        var request = WMSTileRequest(source: source.with(parameters), gutter: gutter)
        request.pixelRatio = pixelRatio
        return request
    }

    /// Returns the address of a tile and the part of the image that shows it, or `nil` if no layer is drawn at its
    /// scale.
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
        // A tile without a gutter has the exact sides that the grid computes from whole numbers.
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

    /// Returns the layers that are visible on tiles of a level, and warnings about the others.
    func layers(level: Int, in grid: TileGrid) -> (groups: [[Int]], warnings: [String])? {
        guard grid.matrices.indices.contains(level) else { return nil }
        let denominator = grid.matrices[level].resolution.scaleDenominator(in: grid.crs)
        return source.layers(at: [denominator * Double(pixelRatio), denominator])
    }
}
