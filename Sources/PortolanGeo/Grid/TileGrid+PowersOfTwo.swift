extension TileGrid {
    /// A grid for services that have none: levels that halve the resolution, with square tiles counted from the top left.
    ///
    /// In web mercator it is the grid of XYZ tiles. In degrees two tiles side by side are the world at level 0. In other
    /// systems it is a square around the origin, four times the equator wide, so that the resolutions are those of web
    /// mercator; the grid depends on nothing but the system and the size, and so do the addresses of its tiles.
    ///
    /// `nil` when the size is not within `1...4096`.
    public static func powersOfTwo(in crs: CRS, tileSize: Int = 256) -> TileGrid? {
        guard (1...4096).contains(tileSize) else { return nil }
        if crs == .webMercator { return .webMercator(levels: 0...22, tileSize: tileSize) }
        let side = 4 * WebMercator.worldWidth / crs.metersPerUnit
        let world = crs.worldExtent ?? Extent(minX: -side / 2, minY: -side / 2, maxX: side / 2, maxY: side / 2)
        guard let world else { return nil }
        let coarsest = world.height / Double(tileSize)
        let levels = crs.worldExtent == nil ? 25 : 22
        return TileGrid(
            crs: crs, extent: world,
            resolutions: (0..<levels).compactMap { Resolution(unitsPerPixel: coarsest / Double(1 << $0)) },
            tileWidth: tileSize, tileHeight: tileSize, originCorner: .topLeft)
    }
}
