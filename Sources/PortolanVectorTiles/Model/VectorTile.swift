/// A vector tile in columns: of each layer the geometries in tile coordinates, the attributes by key, and the identifiers.
package struct VectorTile: Sendable {
    /// The selected layers in the order of the tile.
    package let layers: [VectorTileLayer]
    /// The first features and layers that were left out, at most ``VectorTile/faultLimit``.
    package let faults: [VectorTileFault]
    /// The number of features and layers that were left out because they are invalid.
    package let faultCount: Int

    /// The largest number of faults that are kept.
    package static let faultLimit = 20

    init(layers: [VectorTileLayer], faults: [VectorTileFault] = [], faultCount: Int = 0) {
        self.layers = layers
        self.faults = faults
        self.faultCount = faultCount
    }

    /// About how many bytes it takes.
    package var byteCount: Int { layers.reduce(256) { $0 + $1.byteCount } }

    /// The layer of a name, or `nil`.
    package subscript(name: String) -> VectorTileLayer? { layers.first { $0.name == name } }
}

/// The encodings of vector tiles.
package enum VectorTileEncoding: String, Sendable {
    /// Mapbox Vector Tile, versions 1 and 2.
    case mvt
    /// MapLibre Tile.
    case mlt
}
