import PortolanRaster

/// Adjacent images at whole pixels, collected to be written as one.
struct AdjacentTiles {
    /// An image with its top-left pixel at a column and a row.
    struct Tile {
        let image: PixelBuffer
        let x: Int
        let y: Int

        private var right: Int { x + image.width }
        private var bottom: Int { y + image.height }

        /// Returns whether both share a complete side.
        func adjoins(_ other: Tile) -> Bool {
            let isBeside = y == other.y && image.height == other.image.height
            let isBelow = x == other.x && image.width == other.image.width
            return isBeside && (right == other.x || other.right == x)
                || isBelow && (bottom == other.y || other.bottom == y)
        }
    }

    private(set) var tiles: [Tile] = []
    private(set) var opacity = 1.0

    /// The number of pixels of all tiles.
    private(set) var pixelCount = 0
    /// Whether all tiles are the same image in one grid.
    private var isRepeated = true

    /// Whether all of several tiles are the same image in one grid, as in a pattern.
    var isPattern: Bool { isRepeated && tiles.count > 1 }

    /// Removes and returns all tiles.
    mutating func takeAll() -> [Tile] {
        defer { reset() }
        return tiles
    }

    /// Returns whether a tile is adjacent to a collected one, or none has been collected.
    func adjoin(_ tile: Tile, _ opacity: Double) -> Bool {
        tiles.isEmpty || opacity == self.opacity && tiles.contains { $0.adjoins(tile) }
    }

    /// Collects a tile.
    mutating func add(_ tile: Tile, _ opacity: Double) {
        if let first = tiles.first {
            isRepeated =
                isRepeated && (tile.x - first.x) % first.image.width == 0
                && (tile.y - first.y) % first.image.height == 0 && tile.image == first.image
        }
        tiles.append(tile)
        pixelCount += tile.image.size.pixelCount
        self.opacity = opacity
    }

    private mutating func reset() { self = AdjacentTiles() }

    /// Removes and returns the combined image of all tiles within a picture, and its position.
    ///
    /// A single image is returned unchanged.
    mutating func take(on size: ImageSize) -> (image: PixelBuffer, x: Int, y: Int, opacity: Double)? {
        defer { reset() }
        guard let first = tiles.first else { return nil }
        let left = tiles.map(\.x).min() ?? 0, right = tiles.map { $0.x + $0.image.width }.max() ?? 0
        let top = tiles.map(\.y).min() ?? 0, bottom = tiles.map { $0.y + $0.image.height }.max() ?? 0
        guard right > 0, bottom > 0, left < size.width, top < size.height else { return nil }
        if tiles.count == 1 { return (first.image, first.x, first.y, opacity) }
        let x = max(left, 0), y = max(top, 0)
        let width = min(right, size.width) - x, height = min(bottom, size.height) - y
        guard let size = ImageSize(width: width, height: height) else { return nil }
        var canvas = Canvas(size: size)
        for tile in tiles { canvas.copy(tile.image, atX: tile.x - x, y: tile.y - y) }
        return (canvas.buffer, x, y, opacity)
    }
}
