public import PortolanGeo

/// A map of a Tile Map Service: tiles of one format in one pyramid, counted from the lower left as a rule.
public struct TMSTileMap: Hashable, Sendable {
    /// A level of the pyramid.
    public struct TileSet: Hashable, Sendable {
        /// The address that tiles' addresses begin with, as it is written.
        public var href: String
        /// Units of the reference system a pixel.
        public var resolution: Resolution
        /// The place of the level in the pyramid, from the coarsest on.
        public var order: Int
    }

    /// The version as the document writes it.
    public var version: String
    /// The title for people.
    public var title: String
    /// What it shows, or `nil`.
    public var abstract: String?
    /// The reference system's name as it is written.
    public var crsName: String
    /// What the map covers, x east, in units of the system, or `nil` when the document does not tell.
    public var extent: Extent?
    /// The corner that tiles are counted from.
    public var origin: Coordinate
    /// Whether ``origin`` is the upper left corner, against the specification: rows are counted from above then.
    package var isCountedFromAbove: Bool {
        guard let extent else { return false }
        return origin.y > extent.minY + 0.75 * extent.height
    }
    /// Pixels in a row of a tile.
    public var tileWidth: Int
    /// Rows of pixels of a tile.
    public var tileHeight: Int
    /// The media type of the tiles.
    public var format: String
    /// What tiles' addresses end with, without the dot.
    public var fileExtension: String
    /// The profile, as `global-mercator`, or `nil`.
    public var profile: String?
    /// The levels, in the order of the document.
    public var tileSets: [TileSet]
    /// Who must be named, or `nil`.
    public var attribution: String?
    /// What was odd in the document, a line each.
    public var warnings: [String]

    /// The system, or `nil` when it is not in the catalogue.
    public var crs: CRS? { try? CRS(crsName) }
}
