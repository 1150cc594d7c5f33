/// The figures of the tiles of a level.
package struct FeatureTileCounts: Hashable, Sendable {
    /// The number of tiles.
    package var tiles = 0
    /// The number of features in tiles; a feature of several tiles counts in each.
    package var features = 0
    /// The number of bytes of all tiles.
    package var bytes = 0
    /// The number of bytes of the largest tile.
    package var largest = 0
    /// The number of points that the level leaves out by the drop rate.
    package var thinned = 0
    /// The number of features that were dropped from tiles that exceeded a limit.
    package var dropped = 0
    /// The number of tiles from which features were dropped.
    package var reduced = 0
    /// The number of polygons that are too small for the level and were joined with others.
    package var specks = 0

    /// Creates figures of no tiles.
    package init() {}

    /// Adds the figures of other tiles.
    package mutating func add(_ other: FeatureTileCounts) {
        tiles += other.tiles
        features += other.features
        bytes += other.bytes
        largest = max(largest, other.largest)
        thinned += other.thinned
        dropped += other.dropped
        reduced += other.reduced
        specks += other.specks
    }
}
