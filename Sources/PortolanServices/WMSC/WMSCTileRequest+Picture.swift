import PortolanGeo

extension WMSCTileRequest {
    /// The request for pictures off the grid that show what the tiles show, as questions about features need one: its
    /// place is to be replaced; `nil` when it is not known where the set lies.
    public var picture: GetMapRequest? {
        guard let extent = tileSet.extent ?? grid.crs.worldExtent else { return nil }
        return GetMapRequest(
            version: .v1_1_1, baseURL: baseURL, layers: tileSet.layers, styles: tileSet.styles, crs: grid.crs,
            crsName: tileSet.crsName, extent: extent, width: 1, height: 1, format: tileSet.format,
            isTransparent: isTransparent, background: nil, extraParameters: extraParameters)
    }
}
