/// How a client cuts the pictures of a WMS into tiles that it can keep.
public struct WMSTiling: Hashable, Sendable {
    /// The side of a tile in pixels, 16 to 4096; less where the service does not draw as much.
    public var tileSize: Int
    /// How many pixels more each tile is asked for on all sides, 0 to 1024, which are cut off: labels near the edge of a
    /// tile are then whole in it and in its neighbour.
    public var gutter: Int
    /// Whether a tile set that the service has ready is used where one has the same layers, styles, format and CRS.
    public var usesTileSets: Bool

    /// Makes a way to cut; sizes out of their range are brought into it.
    public init(tileSize: Int = 512, gutter: Int = 64, usesTileSets: Bool = true) {
        self.tileSize = min(max(tileSize, 16), 4096)
        self.gutter = min(max(gutter, 0), 1024)
        self.usesTileSets = usesTileSets
    }
}
