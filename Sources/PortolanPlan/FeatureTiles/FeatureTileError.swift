/// The reason why vector tiles cannot be made from features.
package enum FeatureTileError: Error, Hashable, Sendable {
    /// A tile exceeds a limit, and no feature may be dropped.
    case tooLarge(level: Int, column: Int, row: Int, features: Int, bytes: Int?)
    /// The level has too many tiles and features.
    case tooMany(level: Int)
    /// There is no memory to compress a tile.
    case noMemory
    /// The work was cancelled.
    case cancelled
}
