package import PortolanRaster

extension MapLayer {
    /// Adds the caches of results for earlier pictures of the layer.
    ///
    /// Copies of a layer share them.
    package func addCaches(to caches: inout MemoryCaches) { Self.addCaches(of: source, to: &caches) }

    private static func addCaches(of source: any LayerSource, to caches: inout MemoryCaches) {
        switch source {
        case let features as FeatureSource: features.addCaches(to: &caches)
        case let style as StyleSource:
            caches.add("glyphs", style.glyphMemory)
            for part in style.sources.values { addCaches(of: part, to: &caches) }
        case let tiles as VectorTileSource: caches.add("vector tiles", tiles.memory)
        case let terrain as TerrainSource: caches.add("elevations", terrain.memory)
        case let service as FeatureServiceSource:
            caches.add("pages", service.cells)
            service.appearance.addCaches(to: &caches)
        default: break
        }
    }
}
