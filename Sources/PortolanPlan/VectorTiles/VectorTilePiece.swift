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
    /// The sides with another square of the view.
    let neighbours: Sides

    /// The sides of a square.
    struct Sides: OptionSet, Hashable, Sendable {
        let rawValue: UInt8
        static let left = Sides(rawValue: 1)
        static let top = Sides(rawValue: 2)
        static let right = Sides(rawValue: 4)
        static let bottom = Sides(rawValue: 8)
    }

    /// Whether the tile is that of the square, not a coarser one.
    var isWhole: Bool { scale == 1 }

    /// The values that determine the drawing of the square.
    var key: Key { Key(column: column, row: row, tile: tile.number, neighbours: neighbours) }

    struct Key: Hashable {
        let column: Int, row: Int
        let tile: UInt64
        let neighbours: Sides
    }
}

/// A position among the squares of a level.
struct VectorTileSquare: Hashable {
    let column: Int, row: Int

    /// Returns the sides with another of some squares.
    func sides(in all: Set<VectorTileSquare>) -> VectorTilePiece.Sides {
        var sides: VectorTilePiece.Sides = []
        if all.contains(VectorTileSquare(column: column - 1, row: row)) { sides.insert(.left) }
        if all.contains(VectorTileSquare(column: column + 1, row: row)) { sides.insert(.right) }
        if all.contains(VectorTileSquare(column: column, row: row - 1)) { sides.insert(.top) }
        if all.contains(VectorTileSquare(column: column, row: row + 1)) { sides.insert(.bottom) }
        return sides
    }
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
    /// Whether a tile may still arrive.
    var isWaiting = false
    /// The names of the layers in the tiles, in the order in which they first occur.
    var layerNames: [String] {
        var met: Set<String> = []
        return pieces.flatMap { piece in piece.tile.tile.layers.map(\.name).filter { met.insert($0).inserted } }
    }

    /// Returns the easting of a position in 4096ths of a square, counted from the western end of the level.
    func x(_ position: Double) -> Double { matrix.origin.x + position * (matrix.tileSpanX / VectorTileJoiner.unit) }

    /// Returns the northing of a position in 4096ths of a square, counted from the upper end of the level.
    func y(_ position: Double) -> Double { matrix.origin.y - position * (matrix.tileSpanY / VectorTileJoiner.unit) }
}
