public import PortolanGeo

/// A grid of tiles that a WMS has ready: a tile set of the WMS-C recommendation.
///
/// The texts are kept as the service writes them, since it compares them letter by letter.
/// Follows *WMS Tiling Client Recommendation* (OSGeo, 2006).
public struct WMSCTileSet: Hashable, Sendable {
    /// The name of the reference system.
    public var crsName: String
    /// What the grid covers, in units of the system, x east; `nil` stands for the whole world.
    ///
    /// Tiles are counted from its lower left corner, or from ``originCorner``.
    public var extent: Extent?
    /// Units a pixel of each level, in the order of the document.
    public var resolutions: [Resolution]
    /// Pixels in a row of a tile.
    public var tileWidth: Int
    /// Rows of a tile.
    public var tileHeight: Int
    /// The format of the tiles.
    public var format: String
    /// The layers in the tiles, the bottommost first.
    public var layers: [String]
    /// A style for each layer; empty for the default ones.
    public var styles: [String]
    /// The corner that tiles are counted from: by the recommendation the lower left one, which some services do not keep to.
    public var originCorner = TileGrid.OriginCorner.bottomLeft

    /// Makes a tile set by hand.
    ///
    /// - Parameter tileWidth: 1 to 16 384, as `tileHeight`.
    public init(
        crsName: String, extent: Extent?, resolutions: [Resolution], tileWidth: Int = 256, tileHeight: Int = 256,
        format: String = "image/png", layers: [String], styles: [String] = []
    ) {
        self.crsName = crsName
        self.extent = extent
        self.resolutions = resolutions
        self.tileWidth = tileWidth
        self.tileHeight = tileHeight
        self.format = format
        self.layers = layers
        self.styles = styles
    }

    /// The reference system, or `nil` when it is not in the catalogue.
    public var crs: CRS? { try? CRS(crsName) }

    /// The grid.
    ///
    /// - Throws: ``WMSCError`` when the system is not known, when it has no extent of its own and none is given, or when
    ///   a level would have no tiles or too many.
    public func grid() throws(WMSCError) -> TileGrid {
        let crs: CRS
        do { crs = try CRS(crsName) } catch { throw .crs(error.description) }
        guard let extent = extent ?? crs.worldExtent else { throw .noExtent(crsName) }
        let grid = TileGrid(
            crs: crs, extent: extent, resolutions: resolutions, tileWidth: tileWidth, tileHeight: tileHeight,
            originCorner: originCorner)
        guard let grid else { throw .noGrid(crsName) }
        return grid
    }
}
