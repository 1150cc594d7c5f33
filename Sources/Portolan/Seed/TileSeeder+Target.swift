extension TileSeeder {
    /// The storage for seeded tiles.
    public enum Target: Hashable, Sendable {
        /// An MBTiles file, for Web Mercator tiles only.
        case mbtiles
        /// A PMTiles archive, for Web Mercator tiles only; equal tiles are stored once.
        case pmtiles
        /// A tile table in a GeoPackage, for any grid.
        case geoPackage
        /// The disk cache (``RendererConfiguration/cacheFolder``), from which the layer can then be drawn offline.
        case cache
    }
}
