import PortolanVectorTiles

/// Features that were cut for the tiles of a level, with their encoded geometries.
package struct FeatureTilePieces: Sendable {
    /// A feature in a tile.
    struct Piece {
        /// The tile: its row in the upper half, its column in the lower half.
        let tile: UInt64
        /// The number of the feature in its layer.
        let feature: UInt32
        let content: Content
    }

    /// The content of a piece.
    enum Content {
        /// Geometry of a kind, in a range of ``bytes``.
        case geometry(VectorTileGeometry.Kind, start: UInt32, end: UInt32)
        /// A polygon that is too small to be visible: its position in the tile, and its area in square units.
        case speck(x: Int32, y: Int32, area: Float)
    }

    /// The pieces in the order of their features.
    var pieces: [Piece] = []
    /// The geometries.
    var bytes: [UInt8] = []
    /// The number of points that the level leaves out.
    package var thinnedCount = 0
    /// Whether there are more pieces than allowed, and the rest is missing.
    package var isOverLimit = false

    /// Creates an empty list.
    package init() {}

    /// The number of pieces.
    package var count: Int { pieces.count }

    /// The tile of a piece: its row in the upper half, its column in the lower half.
    package func tile(of piece: Int) -> UInt64 { pieces[piece].tile }
}
