import PortolanRaster

/// Adjacent images at whole pixels, collected to be written as one.
struct SVGTiles {
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

    private var tiles: [Tile] = []
    private var opacity = 1.0

    /// Returns whether a tile is adjacent to a collected one, or none has been collected.
    func adjoin(_ tile: Tile, _ opacity: Double) -> Bool {
        tiles.isEmpty || opacity == self.opacity && tiles.contains { $0.adjoins(tile) }
    }

    /// Collects a tile.
    mutating func add(_ tile: Tile, _ opacity: Double) {
        tiles.append(tile)
        self.opacity = opacity
    }

    /// Removes and returns the combined image of all tiles within a picture, and its position.
    ///
    /// A single image is returned unchanged.
    mutating func take(on size: ImageSize) -> (image: PixelBuffer, x: Int, y: Int, opacity: Double)? {
        defer { tiles = [] }
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

/// The unique identifiers of a document's elements.
struct SVGIdentifiers {
    private var counts: [String: Int] = [:]

    /// Creates an identifier from a name: letters, digits, `-` and `_` are kept, and a number makes it unique.
    mutating func make(_ name: String) -> String {
        var base = ""
        for scalar in name.unicodeScalars {
            let isKept = Self.isLetter(scalar) || ("0"..."9").contains(scalar) || scalar == "-"
            if isKept { base.unicodeScalars.append(scalar) } else if !base.hasSuffix("-") { base += "-" }
        }
        if base.unicodeScalars.first.map(Self.isLetter) != true { base = "_" + base }
        var identifier = base
        while counts[identifier] != nil {
            counts[base, default: 1] += 1
            identifier = "\(base)-\(counts[base, default: 1])"
        }
        counts[identifier] = 1
        return identifier
    }

    /// Whether a scalar is a letter that can begin a name in XML 1.0.
    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x41...0x5A, 0x5F, 0x61...0x7A: true
        case 0xC0...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x2C00...0x2FEF, 0x3001...0xD7FF:
            scalar.properties.isAlphabetic
        default: false
        }
    }
}
