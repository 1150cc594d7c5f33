package import PortolanGeo
import PortolanRaster

extension FeatureInfoPlanner {
    /// A pixel of a tile.
    package struct TilePixel: Hashable, Sendable {
        package let tile: TileIndex
        /// From 0 at the left of the tile.
        package let column: Int
        /// From 0 at the top of the tile.
        package let row: Int
    }

    /// The pixel that shows the place, of a tile of the level that the view is drawn from; `nil` where there is no tile.
    package func pixel(of source: TileSource) throws(PlanProblem) -> TilePixel? {
        let grid = source.grid
        let transform: CoordinateTransform
        do { transform = try CoordinateTransform(from: viewport.crs, to: grid.crs) } catch {
            throw .notTransformable(error)
        }
        guard var place = transform(viewport.coordinate(at: pixel)), place.isFinite,
            let view = try ViewInSource(viewport: viewport, margin: 0, sourceCRS: grid.crs)
        else { return nil }
        if let world = grid.crs.worldExtent {
            place.x -= ((place.x - world.center.x) / world.width).rounded() * world.width
        }
        if let limit = source.extent {
            guard (limit.minX...limit.maxX).contains(place.x), (limit.minY...limit.maxY).contains(place.y) else {
                return nil
            }
        }
        let level = grid.level(nearest: view.resolution), matrix = grid.matrices[level]
        // The noise of fractions must not move a place at a pixel's border into the one before.
        let noise = 1e-6
        let rows = Double(matrix.rowCount)
        let across = (place.x - matrix.origin.x) / matrix.tileSpanX + noise / Double(matrix.tileWidth)
        let down = (matrix.origin.y - place.y) / matrix.tileSpanY + noise / Double(matrix.tileHeight)
        let fromTop = grid.originCorner == .topLeft ? down : down + rows
        // On the far edges a place is in the last tile.
        guard across >= 0, fromTop >= 0, across < Double(matrix.columnCount) + 1e-3, fromTop < rows + 1e-3 else {
            return nil
        }
        let line = min(Int(fromTop), matrix.rowCount - 1)
        guard
            let tile = grid.tile(
                level: level, column: min(Int(across), matrix.columnCount - 1),
                row: grid.originCorner == .topLeft ? line : matrix.rowCount - 1 - line),
            let extent = grid.extent(of: tile)
        else { return nil }
        let column = ((place.x - extent.minX) / extent.width * Double(matrix.tileWidth) + noise).rounded(.down)
        let row = ((extent.maxY - place.y) / extent.height * Double(matrix.tileHeight) + noise).rounded(.down)
        return TilePixel(
            tile: tile, column: min(max(Int(column), 0), matrix.tileWidth - 1),
            row: min(max(Int(row), 0), matrix.tileHeight - 1))
    }
}
