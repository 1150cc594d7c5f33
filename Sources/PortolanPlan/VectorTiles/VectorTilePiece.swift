import PortolanGeo
import PortolanVectorTiles

/// A visible square of a level, and the tile drawn in it.
struct VectorTilePiece: Sendable {
    /// The position of the square: the column continues beyond the ends of the world, the row is counted from the top.
    let column: Int, row: Int
    /// The tile of the square, or a coarser one in its place.
    let tile: DecodedVectorTile
    /// The width of the tile in squares, and the offset of its upper left corner from that of the square.
    let scale: Double, offsetX: Double, offsetY: Double
    /// Whether the square is just beside the view.
    ///
    /// Of its features, only those near the visible squares are drawn.
    let isBeside: Bool

    /// The values that determine the drawing of the square.
    var key: Key { Key(column: column, row: row, tile: tile.number, isBeside: isBeside) }

    struct Key: Hashable {
        let column: Int, row: Int
        let tile: UInt64
        let isBeside: Bool
    }
}

/// A position among the squares of a level.
struct VectorTileSquare: Hashable {
    let column: Int, row: Int
}

/// The tiles that a view needs, and the pieces of those that have arrived.
struct VectorTileView: Sendable {
    /// The level and its squares.
    let matrix: TileGrid.Matrix
    let crs: CRS
    let isFromTop: Bool
    /// The needed resources.
    var resources: [Resource] = []
    /// The squares whose tiles have arrived, row by row.
    var pieces: [VectorTilePiece] = []
    /// The columns and rows of the visible squares, or `nil` if there are none.
    var visible: (columns: ClosedRange<Int>, rows: ClosedRange<Int>)?
    /// Whether a tile may still arrive.
    var isWaiting = false
    /// The names of the layers in the tiles, in the order in which they first occur.
    var layerNames: [String] {
        var met: Set<String> = []
        return pieces.flatMap { piece in piece.tile.tile.layers.map(\.name).filter { met.insert($0).inserted } }
    }

    /// Adds a square to the visible ones.
    mutating func show(_ square: VectorTileSquare) {
        let (columns, rows) = visible ?? (square.column...square.column, square.row...square.row)
        visible = (
            min(columns.lowerBound, square.column)...max(columns.upperBound, square.column),
            min(rows.lowerBound, square.row)...max(rows.upperBound, square.row)
        )
    }

    /// Returns the easting of a position in 4096ths of a square, counted from the western end of the level.
    func x(_ position: Double) -> Double { matrix.origin.x + position * (matrix.tileSpanX / VectorTileJoiner.unit) }

    /// Returns the northing of a position in 4096ths of a square, counted from the upper end of the level.
    func y(_ position: Double) -> Double { matrix.origin.y - position * (matrix.tileSpanY / VectorTileJoiner.unit) }
}
