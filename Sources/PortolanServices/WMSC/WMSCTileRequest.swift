public import PortolanGeo

/// Asks a WMS for the tiles of a tile set.
public struct WMSCTileRequest: Hashable, Sendable {
    /// The tile set.
    public let tileSet: WMSCTileSet
    /// Its grid.
    public let grid: TileGrid
    /// The address of the service.
    public let baseURL: String
    /// Whether `TILED=true` is sent: some servers give tiles only with it, others refuse what lies off their grid then.
    public let isTiled: Bool
    /// What is said about the background; `nil` says nothing.
    public let isTransparent: Bool?
    /// More parameters, in their order.
    public let extraParameters: [GetMapRequest.Parameter]

    /// Makes the requests of a tile set.
    ///
    /// - Parameter isTransparent: by default `true` where the format can be transparent: the recommendation does not
    ///   name the parameter, but services draw an opaque background without it, which would hide the layers below.
    /// - Throws: what ``WMSCTileSet/grid()`` throws.
    public init(
        tileSet: WMSCTileSet, baseURL: String, isTiled: Bool = true, isTransparent: Bool? = nil,
        extraParameters: [GetMapRequest.Parameter] = []
    ) throws(WMSCError) {
        self.tileSet = tileSet
        grid = try tileSet.grid()
        self.baseURL = baseURL
        self.isTiled = isTiled
        self.isTransparent = isTransparent ?? (WMSFormat(tileSet.format).hasTransparency ? true : nil)
        self.extraParameters = extraParameters
    }

    /// The request for a tile of ``grid``.
    ///
    /// Its bounding box is computed from the tile's number, and its version is 1.1.1, so a tile has one address for ever.
    ///
    /// - Returns: `nil` when the tile is not of this grid.
    public func request(for tile: TileIndex) -> GetMapRequest? {
        guard let extent = grid.extent(of: tile) else { return nil }
        var request = GetMapRequest(
            version: .v1_1_1, baseURL: baseURL, layers: tileSet.layers, styles: tileSet.styles, crs: grid.crs,
            crsName: tileSet.crsName, extent: extent, width: tileSet.tileWidth, height: tileSet.tileHeight,
            format: tileSet.format, isTransparent: isTransparent, background: nil,
            extraParameters: (isTiled ? [.init("TILED", "true")] : []) + extraParameters)
        request.exceptions = nil
        return request
    }

    /// The address of a tile of ``grid``, or `nil` when the tile is not of it.
    public func url(for tile: TileIndex) -> String? { request(for: tile)?.url }
}
