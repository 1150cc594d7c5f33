import PortolanFeatures
import PortolanGeo
import PortolanRaster

/// The part of a mosaic of elevations that a view shows, with a border, in samples of its tiles.
struct TerrainWindow: Hashable {
    /// A tile with elevations, and the box of samples that it fills in the mosaic.
    struct Tile: Hashable {
        let resource: Resource.ID
        /// The unique number of its elevations.
        let number: UInt64
        let x, y, width, height: Int
        /// The part of a coarser tile that takes the place of the tile.
        let crop: Mosaic.Crop?
        /// The size of the tile on the mosaic, in which the part is measured.
        let size: ImageSize
    }

    let crs: CRS
    /// The top left corner of the first sample.
    let topLeft: Coordinate
    /// The units of the CRS between samples.
    let resolution: (x: Double, y: Double)
    /// The zoom level of the tiles, or that of tiles with the same width in Web Mercator.
    let zoom: Double
    /// The samples of the mosaic.
    let columns, rows: Range<Int>
    let tiles: [Tile]

    /// The number of samples.
    var sampleCount: Int { columns.count * rows.count }

    /// Creates the window of a view, or returns `nil` if no tile has arrived that it shows.
    ///
    /// - Parameter seen: the view in the CRS of the mosaic.
    init?(_ mosaic: Mosaic, showing seen: Extent, border: Int, given arrivals: Arrivals) {
        // Tiles may have more or fewer samples than the grid has pixels.
        let first = mosaic.images.lazy.compactMap { placement -> (Int, Int)? in
            guard placement.crop == nil, let tile = arrivals.elevations(placement.resource) else { return nil }
            return (tile.values.width, tile.values.height)
        }.first
        guard let size = mosaic.images.first?.size else { return nil }
        let (width, height) = first ?? (size.width, size.height)
        let columnCount = mosaic.size.width / size.width * width, rowCount = mosaic.size.height / size.height * height
        let x = mosaic.resolutionX * Double(size.width) / Double(width)
        let y = mosaic.resolutionY * Double(size.height) / Double(height)
        func range(_ low: Double, _ high: Double, _ end: Int) -> Range<Int>? {
            let first = max(low.rounded(.down) - Double(border), 0),
                last = min(high.rounded(.up) + Double(border), Double(end))
            return first < last ? Int(first)..<Int(last) : nil
        }
        guard let columns = range((seen.minX - mosaic.topLeft.x) / x, (seen.maxX - mosaic.topLeft.x) / x, columnCount),
            let rows = range((mosaic.topLeft.y - seen.maxY) / y, (mosaic.topLeft.y - seen.minY) / y, rowCount)
        else { return nil }
        tiles = mosaic.images.compactMap { placement in
            guard let tile = arrivals.elevations(placement.resource) else { return nil }
            let left = placement.x / size.width * width, top = placement.y / size.height * height
            guard columns.overlaps(left..<left + width), rows.overlaps(top..<top + height) else { return nil }
            return Tile(
                resource: placement.resource, number: tile.number, x: left, y: top, width: width, height: height,
                crop: placement.crop, size: size)
        }
        guard !tiles.isEmpty else { return nil }
        crs = mosaic.crs
        topLeft = Coordinate(
            x: mosaic.topLeft.x + Double(columns.lowerBound) * x, y: mosaic.topLeft.y - Double(rows.lowerBound) * y)
        resolution = (x, y)
        let span = mosaic.resolutionX * Double(size.width) * mosaic.crs.metersPerUnit
        zoom = Libm.logarithm2((CRS.webMercator.worldWidth ?? 0) / span)
        self.columns = columns
        self.rows = rows
    }

    /// Returns the elevations of the window.
    func joined(given arrivals: Arrivals) -> RasterValues {
        var grid = RasterValues(width: columns.count, height: rows.count)
        for tile in tiles {
            guard let values = arrivals.elevations(tile.resource)?.values else { continue }
            let own = columns.clamped(to: tile.x..<tile.x + tile.width)
            for row in rows.clamped(to: tile.y..<tile.y + tile.height) {
                let start = (row - rows.lowerBound) * grid.width - columns.lowerBound
                if tile.crop == nil, values.width == tile.width, values.height == tile.height {
                    let first = (row - tile.y) * values.width - tile.x
                    grid.values.replaceSubrange(
                        start + own.lowerBound..<start + own.upperBound,
                        with: values.values[first + own.lowerBound..<first + own.upperBound])
                    continue
                }
                for column in own {
                    let place = tile.place(column, row, in: values)
                    grid.values[start + column] = Float(values.value(atX: place.x, y: place.y))
                }
            }
        }
        return grid
    }

    static func == (one: TerrainWindow, other: TerrainWindow) -> Bool {
        one.columns == other.columns && one.rows == other.rows && one.topLeft == other.topLeft
            && one.resolution == other.resolution && one.tiles == other.tiles && one.crs == other.crs
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(columns)
        hasher.combine(rows)
        hasher.combine(tiles)
    }
}

extension TerrainWindow.Tile {
    /// Returns the position of a sample of the mosaic in elevations of another size, or in those of a coarser tile.
    fileprivate func place(_ column: Int, _ row: Int, in values: RasterValues) -> (x: Double, y: Double) {
        let part = crop?.imageSize ?? size
        let x = (Double(column - self.x) + 0.5) / Double(width) * Double(size.width) + Double(crop?.x ?? 0)
        let y = (Double(row - self.y) + 0.5) / Double(height) * Double(size.height) + Double(crop?.y ?? 0)
        return (
            x / Double(part.width) * Double(values.width) - 0.5, y / Double(part.height) * Double(values.height) - 0.5
        )
    }
}
