/// A tile pyramid in a coordinate reference system: any resolutions, any tile size, counted from either corner.
public struct TileGrid: Hashable, Sendable {
    /// The corner from which tiles are counted.
    public enum OriginCorner: String, Hashable, Sendable {
        /// Rows are counted southward from the north-west, as in WMTS and XYZ.
        case topLeft
        /// Rows are counted northward from the south-west, as in WMS-C and TMS.
        case bottomLeft
    }

    /// The CRS of the grid.
    public let crs: CRS

    /// The corner from which tiles are counted.
    public let originCorner: OriginCorner

    /// The levels, from the coarsest to the finest; never empty.
    public let matrices: [TileGrid.Matrix]

    /// Creates a grid from its levels in any order, or returns `nil` without levels.
    public init?(crs: CRS, originCorner: OriginCorner, matrices: [TileGrid.Matrix]) {
        guard !matrices.isEmpty else { return nil }
        self.crs = crs
        self.originCorner = originCorner
        self.matrices = matrices.sorted { $0.resolution > $1.resolution }
    }

    /// Creates a grid whose levels cover `extent` with tiles of one size, or returns `nil` without levels or with too
    /// many tiles in one.
    ///
    /// The levels are named by their index from 0, the coarsest. Tiles at the far edges exceed the extent if it is not
    /// a whole number of tiles.
    public init?(
        crs: CRS, extent: Extent, resolutions: [Resolution], tileWidth: Int = 256, tileHeight: Int = 256,
        originCorner: OriginCorner
    ) {
        let origin = Coordinate(x: extent.minX, y: originCorner == .topLeft ? extent.maxY : extent.minY)
        var matrices: [TileGrid.Matrix] = []
        for (level, resolution) in resolutions.sorted(by: >).enumerated() {
            guard
                let columns = Self.count(of: extent.width, resolution.unitsPerPixel * Double(tileWidth)),
                let rows = Self.count(of: extent.height, resolution.unitsPerPixel * Double(tileHeight)),
                let matrix = TileGrid.Matrix(
                    id: String(level), resolution: resolution, tileWidth: tileWidth, tileHeight: tileHeight,
                    origin: origin, columnCount: columns, rowCount: rows)
            else { return nil }
            matrices.append(matrix)
        }
        self.init(crs: crs, originCorner: originCorner, matrices: matrices)
    }

    /// Returns the grid of XYZ tiles: Web Mercator, level 0 with the world in one tile of `tileSize` pixels, rows from
    /// the north.
    ///
    /// The result is `nil` if `levels` is not within `0...30` or the size not within `1...4096`.
    public static func webMercator(levels: ClosedRange<Int> = 0...19, tileSize: Int = 256) -> TileGrid? {
        guard (0...30).contains(levels.lowerBound), levels.upperBound <= 30, (1...4096).contains(tileSize) else {
            return nil
        }
        let half = WebMercator.worldWidth / 2
        let matrices = levels.compactMap { level in
            Resolution(unitsPerPixel: WebMercator.worldWidth / Double(tileSize) / Double(1 << level)).flatMap {
                TileGrid.Matrix(
                    id: String(level), resolution: $0, tileWidth: tileSize, tileHeight: tileSize,
                    origin: Coordinate(x: -half, y: half), columnCount: 1 << level, rowCount: 1 << level)
            }
        }
        return TileGrid(crs: .webMercator, originCorner: .topLeft, matrices: matrices)
    }

    /// Returns the tile at a level, column and row, or `nil` if the grid has no such tile.
    public func tile(level: Int, column: Int, row: Int) -> TileIndex? {
        guard matrices.indices.contains(level), matrices[level].columns.contains(column),
            matrices[level].rows.contains(row)
        else { return nil }
        return TileIndex(level: level, column: column, row: row)
    }

    /// Returns the extent of a tile, in units of the grid's CRS.
    ///
    /// The edges are computed from integers, so neighbours share them bitwise.
    ///
    /// - Returns: `nil` if the grid has no such level, or the edges are indistinguishable at this resolution.
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

    /// Returns the tiles of a level that share area with `extent`, or `nil` if it touches no tile.
    ///
    /// A tile touched by less than a thousandth of a pixel is left out as a rounding error.
    ///
    /// - Complexity: O(1); the range is not expanded.
    public func tiles(level: Int, in extent: Extent) -> TileGrid.TileRange? {
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
        return TileGrid.TileRange(level: level, columns: columns, rows: rows)
    }

    /// Returns the level whose resolution is nearest to `resolution` by ratio, the finer of two equal ones.
    public func level(nearest resolution: Resolution) -> Int {
        var best = 0
        var bestRatio = Double.infinity
        for (level, matrix) in matrices.enumerated() {
            let quotient = matrix.resolution.unitsPerPixel / resolution.unitsPerPixel
            let ratio = max(quotient, 1 / quotient)
            // Capabilities contain truncated resolutions, so differences in the sixth digit are ignored.
            if ratio <= bestRatio * (1 + 1e-6) {
                best = level
                bestRatio = min(ratio, bestRatio)
            }
        }
        return best
    }

    /// Returns the smallest extent that contains all tiles of the level, or `nil` if the grid has no such level.
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

    /// Returns a grid for services without one: each level halves the resolution, with square tiles counted from the
    /// top left.
    ///
    /// In Web Mercator it is the grid of XYZ tiles. In degrees, level 0 has two tiles side by side for the world. In
    /// other systems it is a square around the origin, four times the equator wide, so that the resolutions equal those
    /// of Web Mercator. The grid depends only on the CRS and the tile size, so the tile indexes are stable.
    ///
    /// The result is `nil` if the size is not within `1...4096`.
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

    /// Returns the same tiles with `factor` times as many pixels per side, for high-density screens.
    ///
    /// The result is `nil` if a tile would exceed the size limit of a ``TileGrid/Matrix`` or `factor` is less than 1.
    package func denser(by factor: Int) -> TileGrid? {
        guard (1...(1 << 14)).contains(factor) else { return nil }
        let denser = matrices.compactMap { matrix in
            Resolution(unitsPerPixel: matrix.resolution.unitsPerPixel / Double(factor)).flatMap { resolution in
                TileGrid.Matrix(
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
