extension TileGrid {
    /// The same tiles with `factor` times as many pixels each way, as those of a screen with small pixels have.
    ///
    /// `nil` when a tile would be larger than a ``TileMatrix`` may have it or `factor` is less than 1.
    public func denser(by factor: Int) -> TileGrid? {
        guard (1...(1 << 14)).contains(factor) else { return nil }
        let denser = matrices.compactMap { matrix in
            Resolution(unitsPerPixel: matrix.resolution.unitsPerPixel / Double(factor)).flatMap { resolution in
                TileMatrix(
                    id: matrix.id, resolution: resolution,
                    verticalResolution: Resolution(
                        unitsPerPixel: matrix.verticalResolution.unitsPerPixel / Double(factor)),
                    tileWidth: matrix.tileWidth * factor,
                    tileHeight: matrix.tileHeight * factor, origin: matrix.origin, columnCount: matrix.columnCount,
                    rowCount: matrix.rowCount, columns: matrix.columns, rows: matrix.rows)
            }
        }
        guard denser.count == matrices.count else { return nil }
        return TileGrid(crs: crs, originCorner: originCorner, matrices: denser)
    }
}
