package import PortolanFeatures
package import PortolanGeo
package import PortolanVectorTiles

extension VectorTileSource {
    /// The resources of the tiles of a level that touch an extent, from the first row.
    ///
    /// - Parameter level: the index of the level in the grid.
    package func resources(
        ofLevel level: Int, in extent: Extent, selection: VectorTileSelection = .all, limit: Int
    ) -> (tiles: [(tile: TileIndex, resource: Resource)], count: Int) {
        let matrix = tiles.grid.matrices[level]
        // Lines on the border of two tiles belong to either, so an extent includes what touches it.
        let unit = matrix.resolution.unitsPerPixel * Double(matrix.tileWidth) / 4096
        guard let wanted = (tiles.extent.map({ extent.intersection($0) }) ?? extent)?.grown(by: unit),
            let range = tiles.grid.tiles(level: level, in: wanted)
        else { return ([], 0) }
        guard range.count <= limit else { return ([], range.count) }
        let found = range.indexes.compactMap { tile -> (tile: TileIndex, resource: Resource)? in
            guard let location = tiles.location(of: tile) else { return nil }
            var resource = Resource(
                id: Resource.ID(layer: "tiles", .tile(tile)), location: location,
                form: .vectorTile(Resource.VectorTileReading(encoding: encoding, selection: selection)),
                name: tiles.name(of: tile))
            resource.alternatives = tiles.alternatives(of: tile)
            resource.emptyStatuses = tiles.emptyStatuses
            return (tile, resource)
        }
        return (found, range.count)
    }

    /// The features of some tiles of a level, joined over tile borders; each is a feature once.
    ///
    /// - Parameters:
    ///   - names: the layers in tiles, or `nil` for all, in the order in which tiles have them.
    ///   - extent: the extent that features must touch, or `nil` for all.
    /// - Complexity: O(vertices · log).
    package func features(
        of names: [String]?, in decoded: [(tile: TileIndex, content: DecodedVectorTile)], ofLevel level: Int,
        touching extent: Extent?
    ) -> [(layer: String, features: [Feature])] {
        let grid = tiles.grid, matrix = grid.matrices[level], isFromTop = grid.originCorner == .topLeft
        func square(_ tile: TileIndex) -> VectorTileSquare {
            VectorTileSquare(column: tile.column, row: isFromTop ? tile.row : matrix.rowCount - 1 - tile.row)
        }
        var view = VectorTileView(matrix: matrix, crs: grid.crs, isFromTop: isFromTop)
        for (tile, content) in decoded {
            let square = square(tile)
            view.pieces.append(
                VectorTilePiece(
                    column: square.column, row: square.row, tile: content, scale: 1, offsetX: 0, offsetY: 0,
                    isBeside: false))
        }
        return (names ?? view.layerNames).map { name in
            let source = memory.features(of: name, in: view, self, bends: false, nil)
            let whole = source.features.indices.map { source.whole($0) }
            return (
                name,
                whole.filter { feature in
                    guard let box = feature.geometry?.boundingBox else { return false }
                    guard let extent else { return true }
                    return box.minX <= extent.maxX && box.maxX >= extent.minX && box.minY <= extent.maxY
                        && box.maxY >= extent.minY
                }
            )
        }
    }
}
