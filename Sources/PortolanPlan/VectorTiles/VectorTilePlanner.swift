import PortolanGeo
import PortolanRaster
import PortolanVectorTiles
import PortolanWeb

/// Decides which vector tiles a view needs, and where they are drawn.
struct VectorTilePlanner {
    /// The distance beyond the view, in view pixels, within which all tiles are drawn.
    ///
    /// Lines, circles and dashes at the end of a view do not depend on whether the next tile is in it, so that
    /// neighbouring pictures agree to the pixel.
    static let reach = 32.0

    private let tiles: TileSource
    private let encoding: VectorTileEncoding
    private let view: LayerView
    private let arrivals: Arrivals
    private var grid: TileGrid { tiles.grid }

    init(_ source: VectorTileSource, view: LayerView, arrivals: Arrivals) {
        tiles = source.tiles
        encoding = source.encoding
        self.view = view
        self.arrivals = arrivals
    }

    /// Returns the level for a style zoom: that of the integral zoom, or the finest one; `nil` below the coarsest.
    ///
    /// Styles assume tiles of 512 pixels, and a level is drawn from its own size to twice that. The levels in other
    /// CRSs than web Mercator are chosen by resolution in the same manner.
    ///
    /// - Parameter resolution: the resolution of the view, in units of the grid's CRS per view pixel.
    func level(at zoom: Double, resolution: Double) -> Int? {
        let slack = 1e-6
        if grid.crs == .webMercator {
            let numbers = grid.matrices.map { Int($0.id) }
            guard numbers.contains(nil) else {
                return numbers.lastIndex { $0.map { Double($0) <= zoom + slack } ?? false }
            }
        }
        return grid.matrices.lastIndex { matrix in
            matrix.tileSpanX / 512 >= resolution * (1 - slack)
        }
    }

    /// Returns the style zooms at which a level is drawn, or `nil` if they are not known in advance.
    func zooms(of level: Int) -> Range<Double>? {
        guard grid.crs == .webMercator, let number = Int(grid.matrices[level].id) else { return nil }
        let next = grid.matrices.indices.contains(level + 1) ? Int(grid.matrices[level + 1].id) : nil
        return Double(number) - 1e-6..<(next.map(Double.init) ?? .infinity)
    }

    /// Returns the tiles of a view, or `nil` if the view is outside the grid or coarser than the coarsest level.
    func tiles(
        at zoom: Double, selection: (_ zooms: Range<Double>?) -> VectorTileSelection
    ) throws(PlanError) -> VectorTileView? {
        let seen = try ViewInSource(viewport: view.viewport, margin: Double(view.margin), sourceCRS: grid.crs)
        guard let seen,
            let level = level(at: zoom, resolution: seen.resolution.unitsPerPixel * view.viewport.pixelRatio)
        else { return nil }
        let beside = try ViewInSource.fetched(view.viewport, margin: Self.reach, sourceCRS: grid.crs) ?? seen.shown
        let matrix = grid.matrices[level]
        let reading = Resource.VectorTileReading(encoding: encoding, selection: selection(zooms(of: level)))
        var found = VectorTileView(matrix: matrix, crs: grid.crs, isFromTop: grid.originCorner == .topLeft)
        let center = (try? CoordinateTransform(from: view.viewport.crs, to: grid.crs))?(view.viewport.center)
        var squares: [(square: VectorTileSquare, tile: TileIndex, isBeside: Bool)] = []
        var positions: Set<VectorTileSquare> = []
        let wanted = Double(view.margin) > Self.reach ? seen.fetched : beside
        for shift in worldShifts(of: grid.crs, in: wanted) {
            guard let drawn = range(level, in: beside, shift: shift) else { continue }
            let shown = range(level, in: seen.shown, shift: shift)
            let fetched = range(level, in: wanted, shift: shift) ?? drawn
            let limit = TilePlanner.maximumTileCount
            guard fetched.columns.count <= limit, fetched.rows.count <= limit,
                squares.count + fetched.count <= limit
            else { throw .tooManyTiles(limit: limit) }
            let turn = grid.crs.worldWidth.map { Int((shift / $0).rounded()) } ?? 0
            for tile in fetched.indexes {
                let row = found.isFromTop ? tile.row : -1 - tile.row
                let square = VectorTileSquare(column: tile.column + turn * matrix.columnCount, row: row)
                let isDrawn = drawn.columns.contains(tile.column) && drawn.rows.contains(tile.row)
                guard let need = resource(tile, square, found, reading, isDrawn ? .shown : .margin, around: center)
                else { continue }
                found.resources.append(need)
                guard isDrawn, positions.insert(square).inserted else { continue }
                let isShown = shown.map { $0.columns.contains(tile.column) && $0.rows.contains(tile.row) } ?? false
                squares.append((square, tile, !isShown))
                if isShown { found.show(square) }
            }
        }
        for (square, tile, isBeside) in squares {
            let id = view.id(tiles.item(tile))
            if let own = arrivals.vectorTile(id) {
                found.pieces.append(
                    VectorTilePiece(
                        column: square.column, row: square.row, tile: own, scale: 1, offsetX: 0, offsetY: 0,
                        isBeside: isBeside))
            } else if arrivals.failure(id) != nil {
                standIn(for: tile, square, isBeside, selection, in: &found)
            } else if !arrivals.isKnown(id) {
                found.isWaiting = true
            }
        }
        return found
    }

    private func range(_ level: Int, in extent: Extent, shift: Double) -> TileGrid.TileRange? {
        guard let wanted = extent.shifted(x: -shift, y: 0), let range = grid.tiles(level: level, in: wanted) else {
            return nil
        }
        // A tile is drawn as a whole, even if the extent of the source ends in it.
        guard let limit = tiles.extent else { return range }
        return grid.tiles(level: level, in: limit).flatMap(range.intersection)
    }

    /// - Parameter centre: the middle of the view in the grid's CRS, or `nil` if it has none there.
    private func resource(
        _ tile: TileIndex, _ square: VectorTileSquare, _ found: VectorTileView, _ reading: Resource.VectorTileReading,
        _ use: Resource.Use, around center: Coordinate?
    ) -> Resource? {
        guard let location = tiles.location(of: tile) else { return nil }
        var rank = 0.0
        if let center {
            let pixel = found.matrix.resolution.unitsPerPixel, half = VectorTileJoiner.unit / 2
            let x = (found.x(Double(square.column) * VectorTileJoiner.unit + half) - center.x) / pixel
            let y = (found.y(Double(square.row) * VectorTileJoiner.unit + half) - center.y) / pixel
            rank = x * x + y * y
        }
        return self.resource(tile, location, reading, use, rank: rank)
    }

    private func resource(
        _ tile: TileIndex, _ location: Resource.Location, _ reading: Resource.VectorTileReading, _ use: Resource.Use,
        rank: Double
    ) -> Resource {
        var resource = Resource(
            id: view.id(tiles.item(tile)), location: location, form: .vectorTile(reading), use: use,
            name: tiles.name(of: tile), bounds: grid.extent(of: tile).map { LayerBounds($0, crs: grid.crs) },
            rank: rank)
        resource.alternatives = tiles.alternatives(of: tile)
        // A missing vector tile means that it contains no features.
        resource.emptyStatuses = tiles.emptyStatuses.union([404])
        return resource
    }

    /// Returns the part of a coarser tile that replaces a failed one.
    private func standIn(
        for tile: TileIndex, _ square: VectorTileSquare, _ isBeside: Bool,
        _ selection: (_ zooms: Range<Double>?) -> VectorTileSelection, in found: inout VectorTileView
    ) {
        guard let extent = grid.extent(of: tile) else { return }
        for level in (0..<tile.level).reversed() {
            guard let range = grid.tiles(level: level, in: extent), range.count == 1, let coarse = range.indexes.first,
                let whole = grid.extent(of: coarse), let location = tiles.location(of: coarse)
            else { continue }
            let id = view.id(tiles.item(coarse))
            // As its own level reads it, so that a tile of an earlier view is found in memory.
            let reading = Resource.VectorTileReading(encoding: encoding, selection: selection(zooms(of: level)))
            if !found.resources.contains(where: { $0.id == id }) {
                found.resources.append(resource(coarse, location, reading, .standIn, rank: 0))
            }
            // Continues with the next coarser tile if this one is unavailable.
            if arrivals.failure(id) != nil { continue }
            guard let other = arrivals.vectorTile(id) else {
                found.isWaiting = found.isWaiting || !arrivals.isKnown(id)
                return
            }
            found.pieces.append(
                VectorTilePiece(
                    column: square.column, row: square.row, tile: other, scale: whole.width / extent.width,
                    offsetX: (whole.minX - extent.minX) / extent.width,
                    offsetY: (extent.maxY - whole.maxY) / extent.height, isBeside: isBeside))
            return
        }
    }
}
