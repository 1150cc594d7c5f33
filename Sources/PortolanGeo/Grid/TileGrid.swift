/// A pyramid of tiles over a coordinate reference system: any resolutions, any tile size, counted from either corner.
public struct TileGrid: Hashable, Sendable {
    /// The corner that tiles are counted from.
    public enum OriginCorner: String, Hashable, Sendable {
        /// Rows are counted southward from the north-west, as in WMTS and XYZ.
        case topLeft
        /// Rows are counted northward from the south-west, as in WMS-C and TMS.
        case bottomLeft
    }

    /// The system of the grid's coordinates.
    public let crs: CRS

    /// The corner that tiles are counted from.
    public let originCorner: OriginCorner

    /// The levels, from the coarsest to the finest; never empty.
    public let matrices: [TileMatrix]

    /// Makes a grid from its levels in any order, or `nil` when there are none.
    public init?(crs: CRS, originCorner: OriginCorner, matrices: [TileMatrix]) {
        guard !matrices.isEmpty else { return nil }
        self.crs = crs
        self.originCorner = originCorner
        self.matrices = matrices.sorted { $0.resolution > $1.resolution }
    }

    /// Makes a grid whose levels cover `extent` with tiles of one size, or `nil` when there is no level or one of them
    /// would have too many tiles.
    ///
    /// The levels are named by their number from the coarsest, 0, on. Tiles at the far sides reach over the extent
    /// where it is not a whole number of tiles.
    public init?(
        crs: CRS, extent: Extent, resolutions: [Resolution], tileWidth: Int = 256, tileHeight: Int = 256,
        originCorner: OriginCorner
    ) {
        let origin = Coordinate(x: extent.minX, y: originCorner == .topLeft ? extent.maxY : extent.minY)
        var matrices: [TileMatrix] = []
        for (level, resolution) in resolutions.sorted(by: >).enumerated() {
            guard
                let columns = Self.count(of: extent.width, resolution.unitsPerPixel * Double(tileWidth)),
                let rows = Self.count(of: extent.height, resolution.unitsPerPixel * Double(tileHeight)),
                let matrix = TileMatrix(
                    id: String(level), resolution: resolution, tileWidth: tileWidth, tileHeight: tileHeight,
                    origin: origin, columnCount: columns, rowCount: rows)
            else { return nil }
            matrices.append(matrix)
        }
        self.init(crs: crs, originCorner: originCorner, matrices: matrices)
    }

    /// The grid of XYZ tiles: web mercator, level 0 the world in one tile of `tileSize` pixels, rows from the top.
    ///
    /// `nil` when `levels` is not within `0...30` or the size not within `1...4096`.
    public static func webMercator(levels: ClosedRange<Int> = 0...19, tileSize: Int = 256) -> TileGrid? {
        guard (0...30).contains(levels.lowerBound), levels.upperBound <= 30, (1...4096).contains(tileSize) else {
            return nil
        }
        let half = WebMercator.worldWidth / 2
        let matrices = levels.compactMap { level in
            Resolution(unitsPerPixel: WebMercator.worldWidth / Double(tileSize) / Double(1 << level)).flatMap {
                TileMatrix(
                    id: String(level), resolution: $0, tileWidth: tileSize, tileHeight: tileSize,
                    origin: Coordinate(x: -half, y: half), columnCount: 1 << level, rowCount: 1 << level)
            }
        }
        return TileGrid(crs: .webMercator, originCorner: .topLeft, matrices: matrices)
    }

    /// The tile at a level, column and row, or `nil` when the grid has none there.
    public func tile(level: Int, column: Int, row: Int) -> TileIndex? {
        guard matrices.indices.contains(level), matrices[level].columns.contains(column),
            matrices[level].rows.contains(row)
        else { return nil }
        return TileIndex(level: level, column: column, row: row)
    }

    /// The extent of a tile, in units of the grid's CRS.
    ///
    /// The sides are computed from the whole numbers, so neighbours share theirs to the last bit.
    ///
    /// - Returns: `nil` when the grid has no such level or the sides cannot be told apart at this resolution.
    public func extent(of tile: TileIndex) -> Extent? {
        guard matrices.indices.contains(tile.level) else { return nil }
        let matrix = matrices[tile.level]
        let x0 = matrix.origin.x + Double(tile.column) * matrix.tileSpanX
        let x1 = matrix.origin.x + Double(tile.column + 1) * matrix.tileSpanX
        switch originCorner {
        case .topLeft:
            return Extent(
                minX: x0, minY: matrix.origin.y - Double(tile.row + 1) * matrix.tileSpanY,
                maxX: x1, maxY: matrix.origin.y - Double(tile.row) * matrix.tileSpanY)
        case .bottomLeft:
            return Extent(
                minX: x0, minY: matrix.origin.y + Double(tile.row) * matrix.tileSpanY,
                maxX: x1, maxY: matrix.origin.y + Double(tile.row + 1) * matrix.tileSpanY)
        }
    }

    /// The tiles of a level that share area with `extent`, or `nil` when there are none.
    ///
    /// A tile that is touched by less than a thousandth of a pixel is left out: such a sliver is an error of rounding.
    ///
    /// - Complexity: O(1); the range is not expanded.
    public func tiles(level: Int, in extent: Extent) -> TileRange? {
        guard matrices.indices.contains(level) else { return nil }
        let matrix = matrices[level]
        let slack = matrix.resolution.unitsPerPixel / 1000
        let (south, north) =
            originCorner == .topLeft
            ? (matrix.origin.y - extent.maxY, matrix.origin.y - extent.minY)
            : (extent.minY - matrix.origin.y, extent.maxY - matrix.origin.y)
        guard
            let columns = Self.range(
                from: (extent.minX - matrix.origin.x + slack) / matrix.tileSpanX,
                to: (extent.maxX - matrix.origin.x - slack) / matrix.tileSpanX, within: matrix.columns),
            let rows = Self.range(
                from: (south + slack) / matrix.tileSpanY, to: (north - slack) / matrix.tileSpanY,
                within: matrix.rows)
        else { return nil }
        return TileRange(level: level, columns: columns, rows: rows)
    }

    /// The level to draw from at `resolution`: the one whose resolution is nearest by ratio, the finer of two equal ones.
    public func level(nearest resolution: Resolution) -> Int {
        var best = 0
        var bestRatio = Double.infinity
        for (level, matrix) in matrices.enumerated() {
            let quotient = matrix.resolution.unitsPerPixel / resolution.unitsPerPixel
            let ratio = max(quotient, 1 / quotient)
            // Capabilities print resolutions cut short: what differs in the sixth place is equal.
            if ratio <= bestRatio * (1 + 1e-6) {
                best = level
                bestRatio = min(ratio, bestRatio)
            }
        }
        return best
    }

    /// The smallest extent that holds all tiles of the level, or `nil` when the grid has no such level.
    public func extent(ofLevel level: Int) -> Extent? {
        guard matrices.indices.contains(level) else { return nil }
        let matrix = matrices[level]
        let low = TileIndex(level: level, column: matrix.columns.lowerBound, row: matrix.rows.lowerBound)
        let high = TileIndex(level: level, column: matrix.columns.upperBound, row: matrix.rows.upperBound)
        guard let first = extent(of: low), let last = extent(of: high) else { return nil }
        return first.union(last)
    }

    private static func count(of length: Double, _ tileSpan: Double) -> Int? {
        let tiles = (length / tileSpan - 1e-6).rounded(.up)
        guard tiles.isFinite, tiles <= Double(1 << 31) else { return nil }
        return max(Int(tiles), 1)
    }

    private static func range(from low: Double, to high: Double, within all: ClosedRange<Int>) -> ClosedRange<Int>? {
        let first = max(low.rounded(.down), Double(all.lowerBound))
        let last = min(high.rounded(.down), Double(all.upperBound))
        guard first <= last else { return nil }
        return Int(first)...Int(last)
    }

    /// A grid for services that have none: levels that halve the resolution, with square tiles counted from the top left.
    ///
    /// In web mercator it is the grid of XYZ tiles. In degrees two tiles side by side are the world at level 0. In other
    /// systems it is a square around the origin, four times the equator wide, so that the resolutions are those of web
    /// mercator; the grid depends on nothing but the system and the size, and so do the addresses of its tiles.
    ///
    /// `nil` when the size is not within `1...4096`.
    public static func powersOfTwo(in crs: CRS, tileSize: Int = 256) -> TileGrid? {
        guard (1...4096).contains(tileSize) else { return nil }
        if crs == .webMercator { return .webMercator(levels: 0...22, tileSize: tileSize) }
        let side = 4 * WebMercator.worldWidth / crs.metersPerUnit
        let world = crs.worldExtent ?? Extent(minX: -side / 2, minY: -side / 2, maxX: side / 2, maxY: side / 2)
        guard let world else { return nil }
        let coarsest = world.height / Double(tileSize)
        let levels = crs.worldExtent == nil ? 25 : 22
        return TileGrid(
            crs: crs, extent: world,
            resolutions: (0..<levels).compactMap { Resolution(unitsPerPixel: coarsest / Double(1 << $0)) },
            tileWidth: tileSize, tileHeight: tileSize, originCorner: .topLeft)
    }

    /// The same tiles with `factor` times as many pixels each way, as those of a screen with small pixels have.
    ///
    /// `nil` when a tile would be larger than a ``TileMatrix`` may have it or `factor` is less than 1.
    package func denser(by factor: Int) -> TileGrid? {
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
