import PortolanGeo
import PortolanRaster
import PortolanVectorTiles
import PortolanWeb

/// Decides which vector tiles a view needs, and where they are drawn.
struct VectorTilePlanner {
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

    /// The level for a zoom of a style: the one of its whole number, or the finest there is; `nil` below the coarsest.
    ///
    /// Styles count with tiles of 512 pixels, of which a level is drawn from its own size to twice that. The levels of other
    /// systems than web mercator are chosen in the same manner by their resolutions.
    ///
    /// - Parameter resolution: that of the view, in units of the grid's system a view pixel.
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

    /// The zooms of a style at which a level is drawn, or `nil` if they are not known beforehand.
    func zooms(of level: Int) -> Range<Double>? {
        guard grid.crs == .webMercator, let number = Int(grid.matrices[level].id) else { return nil }
        let next = grid.matrices.indices.contains(level + 1) ? Int(grid.matrices[level + 1].id) : nil
        return Double(number) - 1e-6..<(next.map(Double.init) ?? .infinity)
    }

    /// The tiles of a view, or `nil` if it lies beside the grid or is coarser than its coarsest level.
    func tiles(
        at zoom: Double, selection: (_ zooms: Range<Double>?) -> VectorTileSelection
    ) throws(PlanError) -> VectorTileView? {
        let seen = try ViewInSource(viewport: view.viewport, margin: Double(view.margin), sourceCRS: grid.crs)
        guard let seen,
            let level = level(at: zoom, resolution: seen.resolution.unitsPerPixel * view.viewport.pixelRatio)
        else { return nil }
        let matrix = grid.matrices[level]
        let reading = Resource.VectorTileReading(encoding: encoding, selection: selection(zooms(of: level)))
        var found = VectorTileView(matrix: matrix, crs: grid.crs, isFromTop: grid.originCorner == .topLeft)
        let center = (try? CoordinateTransform(from: view.viewport.crs, to: grid.crs))?(view.viewport.center)
        var squares: [(square: Square, tile: TileIndex)] = [], positions: Set<Square> = []
        for shift in worldShifts(of: grid.crs, in: seen.fetched) {
            guard let shown = range(level, in: seen.shown, shift: shift) else { continue }
            let fetched = range(level, in: seen.fetched, shift: shift) ?? shown
            let limit = TilePlanner.maximumTileCount
            guard fetched.columns.count <= limit, fetched.rows.count <= limit,
                squares.count + fetched.count <= limit
            else { throw .tooManyTiles(limit: limit) }
            let turn = grid.crs.worldWidth.map { Int((shift / $0).rounded()) } ?? 0
            for tile in fetched.indexes {
                let row = found.isFromTop ? tile.row : -1 - tile.row
                let square = Square(column: tile.column + turn * matrix.columnCount, row: row)
                let isShown = shown.columns.contains(tile.column) && shown.rows.contains(tile.row)
                guard let need = resource(tile, square, found, reading, isShown ? .shown : .margin, around: center)
                else { continue }
                found.resources.append(need)
                guard isShown, positions.insert(square).inserted else { continue }
                squares.append((square, tile))
            }
        }
        for (square, tile) in squares {
            let sides = square.sides(in: positions), id = view.id(tiles.item(tile))
            if let own = arrivals.vectorTile(id) {
                found.pieces.append(
                    VectorTilePiece(
                        column: square.column, row: square.row, tile: own, scale: 1, offsetX: 0, offsetY: 0,
                        neighbours: sides))
            } else if arrivals.failure(id) != nil {
                standIn(for: tile, square, sides, reading, in: &found)
            } else if !arrivals.isKnown(id) {
                found.isWaiting = true
            }
        }
        return found
    }

    /// A position among the squares of a level.
    private struct Square: Hashable {
        let column: Int, row: Int

        func sides(in all: Set<Square>) -> VectorTilePiece.Sides {
            var sides: VectorTilePiece.Sides = []
            if all.contains(Square(column: column - 1, row: row)) { sides.insert(.left) }
            if all.contains(Square(column: column + 1, row: row)) { sides.insert(.right) }
            if all.contains(Square(column: column, row: row - 1)) { sides.insert(.top) }
            if all.contains(Square(column: column, row: row + 1)) { sides.insert(.bottom) }
            return sides
        }
    }

    private func range(_ level: Int, in extent: Extent, shift: Double) -> TileGrid.TileRange? {
        guard var wanted = extent.shifted(x: -shift, y: 0) else { return nil }
        if let limit = tiles.extent {
            guard let inside = wanted.intersection(limit) else { return nil }
            wanted = inside
        }
        return grid.tiles(level: level, in: wanted)
    }

    /// - Parameter center: the middle of the view in the grid's system, or `nil` if it has none there.
    private func resource(
        _ tile: TileIndex, _ square: Square, _ found: VectorTileView, _ reading: Resource.VectorTileReading,
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
        // That a tile of features is not there means that it has none.
        resource.emptyStatuses = tiles.emptyStatuses.union([404])
        return resource
    }

    /// Draws the part of a coarser tile in place of one that failed.
    private func standIn(
        for tile: TileIndex, _ square: Square, _ sides: VectorTilePiece.Sides, _ reading: Resource.VectorTileReading,
        in found: inout VectorTileView
    ) {
        guard let extent = grid.extent(of: tile) else { return }
        for level in (0..<tile.level).reversed() {
            guard let range = grid.tiles(level: level, in: extent), range.count == 1, let coarse = range.indexes.first,
                let whole = grid.extent(of: coarse), let location = tiles.location(of: coarse)
            else { continue }
            let id = view.id(tiles.item(coarse))
            if !found.resources.contains(where: { $0.id == id }) {
                found.resources.append(resource(coarse, location, reading, .standIn, rank: 0))
            }
            // The next coarser one is sought if this one is not to be had.
            if arrivals.failure(id) != nil { continue }
            guard let other = arrivals.vectorTile(id) else {
                found.isWaiting = found.isWaiting || !arrivals.isKnown(id)
                return
            }
            found.pieces.append(
                VectorTilePiece(
                    column: square.column, row: square.row, tile: other, scale: whole.width / extent.width,
                    offsetX: (whole.minX - extent.minX) / extent.width,
                    offsetY: (extent.maxY - whole.maxY) / extent.height, neighbours: sides))
            return
        }
    }
}
