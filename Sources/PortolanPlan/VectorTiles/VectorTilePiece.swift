import PortolanGeo

/// A square of a level that a view shows, and the tile that is drawn in it.
struct VectorTilePiece: Sendable {
    /// Where the square lies: the column is counted on over the ends of the world, the row from the top.
    let column: Int, row: Int
    /// The tile: that of the square, or a coarser one that stands in for it.
    let tile: DecodedVectorTile
    /// How many squares wide the tile is, and where its upper left corner lies in squares from that of this one.
    let scale: Double, offsetX: Double, offsetY: Double
    /// The sides beyond which lies another square of the view.
    let neighbours: Sides

    /// The sides of a square.
    struct Sides: OptionSet, Hashable, Sendable {
        let rawValue: UInt8
        static let left = Sides(rawValue: 1)
        static let top = Sides(rawValue: 2)
        static let right = Sides(rawValue: 4)
        static let bottom = Sides(rawValue: 8)
    }

    /// Whether the tile is the square's own.
    var isWhole: Bool { scale == 1 }

    /// What makes a difference to what is drawn of the square.
    var key: Key { Key(column: column, row: row, tile: tile.number, neighbours: neighbours) }

    struct Key: Hashable {
        let column: Int, row: Int
        let tile: UInt64
        let neighbours: Sides
    }
}

/// The tiles that a view needs, and what is drawn of those that arrived.
struct VectorTileView: Sendable {
    /// The level and its squares.
    let matrix: TileGrid.Matrix
    let crs: CRS
    let isFromTop: Bool
    /// What is needed.
    var resources: [Resource] = []
    /// The squares whose tiles arrived, row by row.
    var pieces: [VectorTilePiece] = []
    /// Whether some tile may still arrive.
    var isWaiting = false

    /// The easting of a position in 4096ths of a square, counted from the western end of the level.
    func x(_ position: Double) -> Double { matrix.origin.x + position * (matrix.tileSpanX / VectorTileJoiner.unit) }

    /// The northing of a position in 4096ths of a square, counted from the upper end of the level.
    func y(_ position: Double) -> Double { matrix.origin.y - position * (matrix.tileSpanY / VectorTileJoiner.unit) }
}
