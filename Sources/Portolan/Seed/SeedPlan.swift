public import PortolanGeo
public import PortolanPlan
import PortolanWeb

/// Which tiles of a layer are to be fetched for later use: those of some levels that touch an extent.
///
/// Tiles are named as XYZ names them: level 0 is the world in one tile, rows from the top.
public struct SeedPlan: Sendable {
    /// Where the tiles come from.
    public let source: TileSource
    /// The levels, with the tiles of each.
    public let ranges: [Level]

    /// The tiles of one level.
    public struct Level: Hashable, Sendable {
        /// The level, as XYZ counts.
        public let level: Int
        /// The level in the grid of the source.
        let index: Int
        let isFromTop: Bool
        /// Columns, from the west.
        public let columns: ClosedRange<Int>
        /// Rows, from the north.
        public let rows: ClosedRange<Int>

        /// How many tiles.
        public var count: Int { columns.count * rows.count }
    }

    /// How many tiles in all.
    public var count: Int { ranges.reduce(0) { $0 + $1.count } }

    /// Makes a plan.
    ///
    /// - Parameters:
    ///   - layer: a layer of tiles in web mercator, cut as XYZ tiles are.
    ///   - levels: 0 through 30.
    ///   - extent: in units of web mercator.
    ///   - maximumCount: the most tiles.
    /// - Throws: ``SeedError``.
    public init(
        layer: MapLayer, levels: ClosedRange<Int>, extent: Extent, maximumCount: Int
    ) throws(SeedError) {
        guard let source = layer.tiles else {
            throw SeedError(
                .noTiles, "layer '\(layer.name)' has no tiles; a WMS gives some with tiled=true;gutter=0;tile-size=256")
        }
        guard source.grid.crs.hasCoordinates(of: .webMercator) else {
            throw SeedError(
                .noTiles,
                "the tiles of layer '\(layer.name)' are in \(source.grid.crs); a file can hold EPSG:3857 alone")
        }
        var ranges: [Level] = []
        let wanted = source.extent.map { extent.intersection($0) } ?? extent
        for level in levels {
            guard let found = Self.matrix(level: level, of: source.grid) else {
                let known = (0...30).filter { Self.matrix(level: $0, of: source.grid) != nil }
                throw SeedError(
                    .noTiles,
                    "layer '\(layer.name)' has no tiles of level \(level)"
                        + (known.isEmpty ? " or any other of EPSG:3857" : "; it has levels \(Self.list(known))"))
            }
            guard let wanted, let tiles = Self.tiles(found.index, of: source.grid, in: wanted) else { continue }
            let last = source.grid.matrices[found.index].rowCount - 1
            let rows = found.isFromTop ? tiles.rows : last - tiles.rows.upperBound...last - tiles.rows.lowerBound
            ranges.append(
                Level(
                    level: level, index: found.index, isFromTop: found.isFromTop, columns: tiles.columns, rows: rows))
        }
        guard let first = ranges.first else {
            throw SeedError(.noTiles, "layer '\(layer.name)' has no tiles there")
        }
        self.source = source
        self.ranges = ranges
        // Levels up to 30 over the whole world: 2^62 tiles can still be counted.
        guard count <= maximumCount else {
            throw SeedError(
                .tooMany, "that is \(count) tiles, more than \(maximumCount); choose fewer levels, a smaller extent")
        }
        guard let location = location(of: first, column: first.columns.lowerBound, row: first.rows.lowerBound) else {
            throw SeedError(.noTiles, "layer '\(layer.name)' has no tiles there")
        }
        if case .url(let url) = location, let refusal = BulkPolicy.refusal(of: url.text) {
            throw SeedError(.refused, refusal.description)
        }
        // At the ends of the world a tile has none, so one tile does not tell.
        if case .wms(let request) = source.address, request.gutter > 0 {
            throw SeedError(.noTiles, "the tiles of layer '\(layer.name)' have a gutter; ask for them with gutter=0")
        }
    }

    /// Numbers in rising order, those without a gap as their ends: `0, 2 to 5`.
    private static func list(_ numbers: [Int]) -> String {
        var runs: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = runs.last, last.upperBound + 1 == number {
                runs[runs.count - 1] = last.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
        return runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)" }
            .joined(separator: ", ")
    }

    /// The levels from the first to the last that has tiles.
    var levels: ClosedRange<Int>? {
        guard let first = ranges.first, let last = ranges.last else { return nil }
        return first.level...last.level
    }

    /// West, south, east and north of the tiles of the finest level, in degrees.
    var bounds: [Double]? {
        guard let last = ranges.last, let world = CRS.webMercator.worldExtent,
            let transform = try? CoordinateTransform(from: .webMercator, to: .crs84)
        else { return nil }
        let span = world.width / Double(1 << last.level)
        let extent = Extent(
            minX: world.minX + Double(last.columns.lowerBound) * span,
            minY: world.maxY - Double(last.rows.upperBound + 1) * span,
            maxX: world.minX + Double(last.columns.upperBound + 1) * span,
            maxY: world.maxY - Double(last.rows.lowerBound) * span)
        let degrees: Extent? = extent.flatMap { transform($0) }
        return degrees.map { [$0.minX, $0.minY, $0.maxX, $0.maxY] }
    }

    /// Where a tile is had.
    func location(of level: Level, column: Int, row: Int) -> Resource.Location? {
        let matrix = source.grid.matrices[level.index]
        let gridRow = level.isFromTop ? row : matrix.rowCount - 1 - row
        return source.grid.tile(level: level.index, column: column, row: gridRow).flatMap { source.location(of: $0) }
    }

    /// The tiles of a level that touch an extent, which may be far smaller than one of their pixels.
    private static func tiles(_ level: Int, of grid: TileGrid, in extent: Extent) -> TileRange? {
        let least = grid.matrices[level].resolution.unitsPerPixel / 400
        let center = Coordinate(x: (extent.minX + extent.maxX) / 2, y: (extent.minY + extent.maxY) / 2)
        let grown = Extent(
            center: center, width: max(extent.width, least), height: max(extent.height, least))
        return grown.flatMap { grid.tiles(level: level, in: $0) }
    }

    /// The level of a grid that is cut as the level of that number of XYZ tiles.
    private static func matrix(level: Int, of grid: TileGrid) -> (index: Int, isFromTop: Bool)? {
        guard (0...30).contains(level), let world = CRS.webMercator.worldExtent else { return nil }
        let span = world.width / Double(1 << level)
        for (index, matrix) in grid.matrices.enumerated() {
            guard matrix.columnCount == 1 << level, matrix.rowCount == 1 << level,
                abs(matrix.tileSpanX - span) < span * 1e-6, abs(matrix.tileSpanY - span) < span * 1e-6,
                abs(matrix.origin.x - world.minX) < span * 1e-3
            else { continue }
            if grid.originCorner == .topLeft, abs(matrix.origin.y - world.maxY) < span * 1e-3 { return (index, true) }
            if grid.originCorner == .bottomLeft, abs(matrix.origin.y - world.minY) < span * 1e-3 {
                return (index, false)
            }
        }
        return nil
    }
}
