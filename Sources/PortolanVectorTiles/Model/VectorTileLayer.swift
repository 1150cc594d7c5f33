/// A layer of a tile in columns.
///
/// Features are counted from 0 in the order of the tile, without those that were left out.
package struct VectorTileLayer: Sendable {
    /// The name of the layer.
    package let name: String
    /// The version of Mapbox Vector Tile: 1 or 2; 2 for MapLibre Tiles.
    package let version: Int
    /// The width and height of the tile in the units of its coordinates.
    package let extent: UInt32
    /// The geometries of the features.
    package let geometry: VectorTileGeometry
    /// The identifiers of the features.
    package let ids: VectorTileIDs
    /// The selected attributes, in the order of the tile.
    package let columns: [VectorTileColumn]

    /// The number of features.
    package var featureCount: Int { geometry.types.count }

    /// About how many bytes it takes, with the text of its values.
    var byteCount: Int {
        let shapes = geometry.coordinates.count + geometry.vertexOffsets.count + geometry.partOffsets.count
        return 4 * shapes + 16 * featureCount + columns.reduce(0) { $0 + 64 + 4 * featureCount + 9 * $1.values.count }
    }

    /// The column of a key, or `nil` if no feature has this attribute or it was not selected.
    package subscript(key: String) -> VectorTileColumn? { columns.first { $0.key == key } }
}
