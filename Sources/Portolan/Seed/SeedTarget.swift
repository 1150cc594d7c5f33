/// Where tiles that are fetched for later use are kept.
public enum SeedTarget: Hashable, Sendable {
    /// An MBTiles file, which holds the squares of web mercator alone.
    case mbtiles
    /// A table of tiles in a GeoPackage, of any grid.
    case geoPackage
    /// The cache on disk (``RendererConfiguration/cacheFolder``), from which the layer itself is then drawn without a network.
    case cache
}
