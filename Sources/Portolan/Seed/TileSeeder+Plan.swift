import PortolanArchives
public import PortolanGeo
public import PortolanPlan
import PortolanServices
import PortolanVectorTiles
import PortolanWeb

extension TileSeeder {
    /// The tiles of a layer to fetch for later use: those of some levels that intersect an extent.
    ///
    /// Web Mercator tiles are numbered as in XYZ: level 0 is the world in one tile, with rows from the top. Other grids use
    /// their own level numbers, or numbers from the coarsest level if levels have names.
    public struct Plan: Sendable {
        /// The source of the tiles.
        public let source: TileSource
        /// The storage for the tiles.
        public let target: TileSeeder.Target
        /// The levels, with the tiles of each.
        public let ranges: [Level]
        /// The name of the layer.
        let layer: String
        /// The levels as described in a GeoPackage, or `nil` for other targets.
        let pyramid: GeoPackagePyramid?
        /// The encoding of vector tiles, or `nil` for images.
        let encoding: VectorTileEncoding?
        /// The layers of vector tiles, as their source describes them.
        let vectorLayers: [VectorLayerDescription]

        /// The tiles of one level.
        public struct Level: Hashable, Sendable {
            /// The number of the level.
            public let level: Int
            /// The index of the level in the grid of the source.
            let index: Int
            /// The columns, from the west.
            public internal(set) var columns: ClosedRange<Int>
            /// The rows, from the north.
            public internal(set) var rows: ClosedRange<Int>
            /// The offset of the tile numbers from those of the grid.
            var columnShift = 0, rowShift = 0

            /// The number of tiles.
            public var count: Int { columns.count * rows.count }
        }

        /// The total number of tiles.
        public var count: Int { ranges.reduce(0) { $0 + $1.count } }

        /// Creates a plan.
        ///
        /// - Parameters:
        ///   - layer: a layer of image or vector tiles; for MBTiles and PMTiles one in Web Mercator with the XYZ scheme.
        ///   - levels: 0 through 30.
        ///   - extent: in units of `extentCRS`.
        ///   - margin: the number of additional tiles on each side of the extent, so that views at its edge are complete.
        ///   - maximumCount: the maximum number of tiles.
        ///   - target: the storage for the tiles.
        /// - Throws: ``MapError``.
        public init(
            layer: MapLayer, levels: ClosedRange<Int>, extent: Extent, in extentCRS: CRS = .webMercator,
            margin: Int = 0, maximumCount: Int, target: TileSeeder.Target = .mbtiles
        ) throws(MapError) {
            let vectors = layer.vectorTiles
            guard let source = layer.tiles ?? vectors?.tiles else {
                throw MapError(
                    .nothingFound,
                    "layer '\(layer.name)' has no tiles; for a WMS add tiled=true;gutter=0;tile-size=256")
            }
            encoding = vectors?.encoding
            vectorLayers = vectors?.descriptions ?? []
            if encoding != nil, target == .geoPackage {
                throw MapError(
                    .nothingFound, "layer '\(layer.name)' has vector tiles; write them to MBTiles or PMTiles")
            }
            let grid = source.grid
            let numbers = try Self.numbers(of: grid, layer.name, target)
            guard let place = extentCRS == grid.crs ? extent : LayerBounds(extent, crs: extentCRS).extent(in: grid.crs)
            else {
                throw MapError(
                    .nothingFound, "the extent is outside the area of \(grid.crs), the CRS of layer '\(layer.name)'")
            }
            var ranges: [Level] = []
            let wanted = source.extent.map { place.intersection($0) } ?? place
            for level in levels {
                guard let index = numbers[level] else {
                    throw MapError(
                        .nothingFound,
                        "layer '\(layer.name)' has no tiles at level \(level)"
                            + (numbers.isEmpty
                                ? " or any other in EPSG:3857" : "; it has levels \(Self.list(numbers.keys.sorted()))"))
                }
                guard let wanted, let tiles = Self.tiles(index, of: grid, in: wanted) else { continue }
                let matrix = grid.matrices[index]
                let all = source.extent.flatMap { Self.tiles(index, of: grid, in: $0) }
                let columns = Self.grown(tiles.columns, by: margin, within: all?.columns ?? matrix.columns)
                var rows = Self.grown(tiles.rows, by: margin, within: all?.rows ?? matrix.rows)
                if grid.originCorner == .bottomLeft {
                    rows = matrix.rowCount - 1 - rows.upperBound...matrix.rowCount - 1 - rows.lowerBound
                }
                ranges.append(Level(level: level, index: index, columns: columns, rows: rows))
            }
            guard !ranges.isEmpty else {
                throw MapError(.nothingFound, "layer '\(layer.name)' has no tiles in this extent")
            }
            self.source = source
            self.target = target
            self.layer = layer.name
            if target == .geoPackage {
                let counted = try Self.countedTogether(ranges, in: grid, layer.name)
                (self.ranges, pyramid) = (counted.ranges, counted.pyramid)
            } else {
                (self.ranges, pyramid) = (ranges, nil)
            }
            // Levels up to 30 of the whole world: 2^62 tiles do not overflow.
            guard count <= maximumCount else {
                throw MapError(
                    .tooLarge,
                    "too many tiles: \(count), the limit is \(maximumCount); choose fewer levels, a smaller extent")
            }
            guard let first = self.ranges.first,
                let location = location(of: first, column: first.columns.lowerBound, row: first.rows.lowerBound)
            else { throw MapError(.nothingFound, "layer '\(layer.name)' has no tiles in this extent") }
            let address: NamedURL? =
                switch location {
                case .url(let url): url
                case .archive(let entry): entry.archive.address
                }
            if let refusal = address.flatMap({ TileSeeder.BulkPolicy.refusal(of: $0.text) }) {
                throw MapError(.notAllowed, refusal.description)
            }
            if address == nil, target == .cache {
                throw MapError(.nothingFound, "the tiles of layer '\(layer.name)' are in a local file already")
            }
            // The request decides, as tiles at the limits of the world have no gutter. In the cache, the layer itself uses
            // the tiles.
            if case .wms(let request) = source.address, request.gutter > 0, target != .cache {
                throw MapError(
                    .nothingFound, "the tiles of layer '\(layer.name)' have a gutter; add gutter=0")
            }
        }

        /// Returns sorted numbers as text, with ranges for consecutive ones: `0, 2 to 5`.
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

        /// The range of levels with tiles.
        var levels: ClosedRange<Int>? {
            guard let first = ranges.first, let last = ranges.last else { return nil }
            return first.level...last.level
        }

        /// West, south, east and north of the tiles of the finest level, in degrees.
        var bounds: [Double]? {
            guard let last = ranges.last, let first = tile(of: last, last.columns.lowerBound, last.rows.lowerBound),
                let end = tile(of: last, last.columns.upperBound, last.rows.upperBound),
                let extent = source.grid.extent(of: first).flatMap({ one in
                    source.grid.extent(of: end).map { one.union($0) }
                }), let transform = try? CoordinateTransform(from: source.grid.crs, to: .crs84)
            else { return nil }
            let degrees: Extent? = transform(extent)
            return degrees.map { [$0.minX, $0.minY, $0.maxX, $0.maxY] }
        }

        /// Returns the location of a tile.
        func location(of level: Level, column: Int, row: Int) -> Resource.Location? {
            tile(of: level, column, row).flatMap { source.location(of: $0) }
        }

        /// Returns the URLs of a tile, the alternatives after the first; empty if none exist.
        func addresses(of level: Level, column: Int, row: Int) -> [NamedURL] {
            guard let tile = tile(of: level, column, row), case .url(let url)? = source.location(of: tile) else {
                return []
            }
            return [url] + (source.alternatives(of: tile)?.urls ?? [])
        }

        /// Returns the entry of a tile in an archive, or `nil` if each tile has an address.
        func entry(of level: Level, column: Int, row: Int) -> TileArchive.Entry? {
            if case .archive(let entry)? = location(of: level, column: column, row: row) { entry } else { nil }
        }

        private func tile(of level: Level, _ column: Int, _ row: Int) -> TileIndex? {
            let grid = source.grid, fromTop = row - level.rowShift
            return grid.tile(
                level: level.index, column: column - level.columnShift,
                row: grid.originCorner == .topLeft ? fromTop : grid.matrices[level.index].rowCount - 1 - fromTop)
        }

        /// Returns the tiles of a level that intersect an extent, which may be much smaller than a pixel.
        private static func tiles(_ level: Int, of grid: TileGrid, in extent: Extent) -> TileGrid.TileRange? {
            let least = grid.matrices[level].resolution.unitsPerPixel / 400
            let center = Coordinate(x: (extent.minX + extent.maxX) / 2, y: (extent.minY + extent.maxY) / 2)
            let grown = Extent(
                center: center, width: max(extent.width, least), height: max(extent.height, least))
            return grown.flatMap { grid.tiles(level: level, in: $0) }
        }

        private static func grown(
            _ range: ClosedRange<Int>, by margin: Int, within all: ClosedRange<Int>
        ) -> ClosedRange<Int> {
            let margin = min(max(margin, 0), 1000)
            return min(
                max(range.lowerBound - margin, all.lowerBound), range.lowerBound)...max(
                    min(range.upperBound + margin, all.upperBound), range.upperBound)
        }

        // MARK: Numbers of levels

        /// Returns the levels of a grid by their numbers.
        private static func numbers(
            of grid: TileGrid, _ layer: String, _ target: TileSeeder.Target
        ) throws(MapError) -> [Int: Int] {
            let squares = grid.crs.hasCoordinates(of: .webMercator) ? squares(of: grid) : [:]
            if target == .mbtiles || target == .pmtiles {
                guard grid.crs.hasCoordinates(of: .webMercator) else {
                    throw MapError(
                        .nothingFound,
                        "the tiles of layer '\(layer)' are in \(grid.crs), but MBTiles and PMTiles need EPSG:3857; use a "
                            + "GeoPackage, as in -o map.gpkg, or the cache")
                }
                return squares
            }
            if !squares.isEmpty { return squares }
            let own = grid.matrices.map { Int($0.id) }
            let isRising = zip(own, own.dropFirst()).allSatisfy { one, next in (one ?? -1) < (next ?? -1) }
            let numbers = own.first.flatMap(\.self).map { $0 >= 0 } == true && isRising ? own.map { $0 ?? 0 } : nil
            return Dictionary(uniqueKeysWithValues: zip(numbers ?? Array(grid.matrices.indices), grid.matrices.indices))
        }

        /// Returns the levels of a grid that match the XYZ scheme, by their XYZ numbers.
        private static func squares(of grid: TileGrid) -> [Int: Int] {
            guard let world = CRS.webMercator.worldExtent else { return [:] }
            var levels: [Int: Int] = [:]
            for level in 0...30 {
                let span = world.width / Double(1 << level)
                let top = grid.originCorner == .topLeft ? world.maxY : world.minY
                levels[level] = grid.matrices.firstIndex { matrix in
                    matrix.columnCount == 1 << level && matrix.rowCount == 1 << level
                        && abs(matrix.tileSpanX - span) < span * 1e-6 && abs(matrix.tileSpanY - span) < span * 1e-6
                        && abs(matrix.origin.x - world.minX) < span * 1e-3 && abs(matrix.origin.y - top) < span * 1e-3
                }
            }
            return levels
        }

        // MARK: GeoPackages

        /// Returns the levels with tiles counted from one common corner, as a GeoPackage requires (OGC 12-128r18, clause
        /// 2.2.6).
        private static func countedTogether(
            _ ranges: [Level], in grid: TileGrid, _ layer: String
        ) throws(MapError) -> (ranges: [Level], pyramid: GeoPackagePyramid) {
            let matrices = ranges.map { grid.matrices[$0.index] }
            guard let coarsest = matrices.first else {
                throw MapError(.nothingFound, "layer '\(layer)' has no tiles in this extent")
            }
            guard GeoPackageTileWriter.holds(grid.crs) else {
                throw MapError(
                    .nothingFound,
                    "the tiles of layer '\(layer)' are in \(grid.crs), which has no EPSG code for a GeoPackage; seed "
                        + "them into the cache")
            }
            func top(_ matrix: TileGrid.Matrix) -> Double {
                grid.originCorner == .topLeft
                    ? matrix.origin.y : matrix.origin.y + Double(matrix.rowCount) * matrix.tileSpanY
            }
            // The corner of the coarsest level, moved outward by whole tiles to include the other levels.
            func before(_ distance: Double, _ span: Double) -> Double {
                max((distance / span - 1e-6).rounded(.up), 0) * span
            }
            let west = matrices.map { coarsest.origin.x - $0.origin.x }.max() ?? 0
            let north = matrices.map { top($0) - top(coarsest) }.max() ?? 0
            let minX = coarsest.origin.x - before(west, coarsest.tileSpanX)
            let maxY = top(coarsest) + before(north, coarsest.tileSpanY)
            var counted: [Level] = []
            for (range, matrix) in zip(ranges, matrices) {
                let columns = (matrix.origin.x - minX) / matrix.tileSpanX,
                    rows = (maxY - top(matrix)) / matrix.tileSpanY
                guard abs(columns - columns.rounded()) * Double(matrix.tileWidth) < 0.25,
                    abs(rows - rows.rounded()) * Double(matrix.tileHeight) < 0.25
                else {
                    throw MapError(
                        .nothingFound,
                        "the tiles of level \(range.level) of layer '\(layer)' are not aligned with those of level "
                            + "\(ranges[0].level), as a GeoPackage requires; seed one level at a time, or to the cache")
                }
                var level = range
                level.columnShift = Int(columns.rounded())
                level.rowShift = Int(rows.rounded())
                level.columns =
                    range.columns.lowerBound + level.columnShift...range.columns.upperBound + level.columnShift
                level.rows = range.rows.lowerBound + level.rowShift...range.rows.upperBound + level.rowShift
                counted.append(level)
            }
            // All levels have one extent, which is a whole number of tiles of the coarsest level.
            func end(_ counts: (TileGrid.Matrix, Level) -> Int, _ span: (TileGrid.Matrix) -> Double) -> Double {
                let ends = zip(matrices, counted).map { Double(counts($0, $1)) * span($0) }
                return ((ends.max() ?? 0) / span(coarsest) - 1e-6).rounded(.up) * span(coarsest)
            }
            let width = end({ $1.columnShift + Self.count($0.columnCount, $1.columns.upperBound - $1.columnShift) }) {
                $0.tileSpanX
            }
            let height = end({ $1.rowShift + Self.count($0.rowCount, $1.rows.upperBound - $1.rowShift) }) {
                $0.tileSpanY
            }
            let described = zip(matrices, counted).map { matrix, level in
                GeoPackageMatrix(
                    level: level.level, columnCount: Int((width / matrix.tileSpanX - 1e-6).rounded(.up)),
                    rowCount: Int((height / matrix.tileSpanY - 1e-6).rounded(.up)), tileWidth: matrix.tileWidth,
                    tileHeight: matrix.tileHeight, pixelWidth: matrix.resolution.unitsPerPixel,
                    pixelHeight: matrix.verticalResolution.unitsPerPixel, columns: level.columns, rows: level.rows)
            }
            return (
                counted,
                GeoPackagePyramid(
                    table: layer, systemID: 0, organization: nil, organizationCode: 0, minX: minX, maxY: maxY,
                    matrices: described)
            )
        }

        /// Returns the number of tiles along a side: that of the grid, or the last tile if the grid size is unknown.
        private static func count(_ all: Int, _ last: Int) -> Int { all < 1 << 24 ? all : last + 1 }
    }
}

extension TileSeeder {
    /// The storage for seeded tiles.
    public enum Target: Hashable, Sendable {
        /// An MBTiles file, for Web Mercator tiles only.
        case mbtiles
        /// A PMTiles archive, for Web Mercator tiles only; equal tiles are stored once.
        case pmtiles
        /// A tile table in a GeoPackage, for any grid.
        case geoPackage
        /// The disk cache (``RendererConfiguration/cacheFolder``), from which the layer can then be drawn offline.
        case cache
    }
}
