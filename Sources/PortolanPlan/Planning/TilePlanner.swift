import PortolanGeo
import PortolanRaster

/// Decides which tiles of a pyramid a view needs and where they go.
package struct TilePlanner {
    /// The most tiles planned for one layer; a view that would need more is not drawn from that pyramid.
    package static let maximumTileCount = 4096

    /// The most tiles planned for a view that is more than twice as coarse as the coarsest level: such tiles are mostly
    /// thrown away, and the service has to send them all.
    package static let maximumReducedTileCount = 256

    private let source: TileSource
    private let grid: TileGrid
    private let isRetina: Bool
    private let viewport: Viewport
    private let margin: Double

    /// Makes a planner for a view and a margin around it, in view pixels.
    package init(source: TileSource, viewport: Viewport, margin: Double) {
        self.source = source
        (grid, isRetina) = source.grid(forPixelRatio: viewport.pixelRatio)
        self.viewport = viewport
        self.margin = margin
    }

    /// Tiles of one copy of the world: `shift` is how far east of its place on the grid the copy lies.
    private struct WorldCopy {
        var shift: Double
        var shown: TileRange
        var fetched: TileRange
    }

    /// The mosaics of the view; none when the view lies beside the grid.
    package func mosaics() throws(PlanProblem) -> [Mosaic] {
        let view = try ViewInSource(viewport: viewport, margin: margin, sourceCRS: grid.crs)
        guard let view else { return [] }
        let level = grid.level(nearest: view.resolution)
        let isReduced = view.resolution.unitsPerPixel > 2 * grid.matrices[level].resolution.unitsPerPixel
        let limit = isReduced ? Self.maximumReducedTileCount : Self.maximumTileCount
        var copies: [WorldCopy] = []
        var count = 0
        for shift in worldShifts(of: grid.crs, in: view.fetched) {
            guard let shown = tiles(level: level, in: view.shown, shift: shift) else { continue }
            let fetched = tiles(level: level, in: view.fetched, shift: shift) ?? shown
            // Products of counts from a hostile grid must not overflow.
            guard fetched.columns.count <= limit, fetched.rows.count <= limit else {
                throw .tooManyTiles(limit: limit)
            }
            count += fetched.count
            let matrix = grid.matrices[level]
            guard count <= limit, count * matrix.tileWidth * matrix.tileHeight <= ImageSize.maximumPixelCount
            else { throw .tooManyTiles(limit: limit) }
            copies.append(WorldCopy(shift: shift, shown: shown, fetched: fetched))
        }
        let matrix = grid.matrices[level]
        let worldTiles = grid.crs.worldWidth.map { $0 / matrix.tileSpanX }
        if let worldTiles, matrix.hasAllColumns, abs(worldTiles - Double(matrix.columnCount)) < 1e-6 {
            // The copies meet: one mosaic, so that there is no seam at the antimeridian.
            return try mosaic(of: copies, level: level, columnsPerWorld: matrix.columnCount).map { [$0] } ?? []
        }
        var mosaics: [Mosaic] = []
        for copy in copies {
            if let mosaic = try mosaic(of: [copy], level: level, columnsPerWorld: nil) { mosaics.append(mosaic) }
        }
        return mosaics
    }

    /// A sentence about each layer of a WMS that is not drawn at the scale of its tiles.
    package func scaleWarnings(of mosaics: [Mosaic]) -> [String] {
        guard case .wms(let request) = source.address, let first = mosaics.first,
            let resolution = Resolution(unitsPerPixel: first.resolutionX)
        else { return [] }
        return request.layers(level: source.grid.level(nearest: resolution), in: source.grid)?.warnings ?? []
    }

    private func tiles(level: Int, in extent: Extent, shift: Double) -> TileRange? {
        guard var wanted = extent.shifted(x: -shift, y: 0) else { return nil }
        if let limit = source.extent {
            guard let inside = wanted.intersection(limit) else { return nil }
            wanted = inside
        }
        return grid.tiles(level: level, in: wanted)
    }

    private func mosaic(of copies: [WorldCopy], level: Int, columnsPerWorld: Int?) throws(PlanProblem) -> Mosaic? {
        let matrix = grid.matrices[level]
        func offset(_ copy: WorldCopy) -> Int {
            guard let columnsPerWorld, let width = grid.crs.worldWidth else { return 0 }
            return Int((copy.shift / width).rounded()) * columnsPerWorld
        }
        guard let left = copies.map({ $0.shown.columns.lowerBound + offset($0) }).min(),
            let right = copies.map({ $0.shown.columns.upperBound + offset($0) }).max(),
            let first = copies.first
        else { return nil }
        let rows = first.shown.rows
        let top = grid.originCorner == .topLeft ? rows.lowerBound : rows.upperBound
        guard
            let size = ImageSize(
                width: (right - left + 1) * matrix.tileWidth, height: rows.count * matrix.tileHeight),
            let tileSize = ImageSize(width: matrix.tileWidth, height: matrix.tileHeight)
        else { throw .tooManyTiles(limit: Self.maximumTileCount) }
        var images: [ImagePlacement] = [], beside: [ImagePlacement] = []
        for copy in copies {
            for tile in copy.fetched.indexes {
                guard let url = source.url(of: tile, isRetina: isRetina) else { continue }
                let row = grid.originCorner == .topLeft ? tile.row - top : top - tile.row
                let placement = ImagePlacement(
                    url: url, name: "\(matrix.id)/\(tile.column)/\(tile.row)",
                    x: (tile.column + offset(copy) - left) * matrix.tileWidth, y: row * matrix.tileHeight,
                    size: tileSize, crop: source.crop(of: tile))
                let isShown = copy.shown.columns.contains(tile.column) && copy.shown.rows.contains(tile.row)
                if isShown { images.append(placement) } else { beside.append(placement) }
            }
        }
        let span = matrix.tileSpanX, shift = columnsPerWorld == nil ? first.shift : 0
        let topY =
            grid.originCorner == .topLeft
            ? matrix.origin.y - Double(top) * matrix.tileSpanY : matrix.origin.y + Double(top + 1) * matrix.tileSpanY
        return Mosaic(
            crs: grid.crs, topLeft: Coordinate(x: matrix.origin.x + Double(left) * span + shift, y: topY),
            resolutionX: matrix.resolution.unitsPerPixel, resolutionY: matrix.verticalResolution.unitsPerPixel,
            size: size,
            images: images, margin: beside)
    }
}
