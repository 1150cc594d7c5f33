import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanVectorTiles

extension ServedArchive {
    /// Returns the features of a stored vector tile in degrees, each with its layer as the property `layer`, or `nil` if
    /// the tile is invalid.
    func geoJSON(_ stored: [UInt8], level: Int, column: Int, row: Int) -> [UInt8]? {
        guard let vectors, let place = tiles.grid.matrices.firstIndex(where: { Int($0.id) == level }),
            let index = tiles.grid.tile(level: place, column: column, row: row),
            let toDegrees = try? CoordinateTransform(from: tiles.grid.crs, to: .crs84),
            let tile = try? VectorTile(stored, encoding: vectors.encoding)
        else { return nil }
        let decoded = DecodedVectorTile(tile, Resource.VectorTileReading(encoding: vectors.encoding, selection: .all))
        var features: [Feature] = []
        for (layer, found) in vectors.features(of: nil, in: [(index, decoded)], ofLevel: place, touching: nil) {
            for var feature in found {
                feature.geometry = feature.geometry?.mapCoordinates {
                    toDegrees($0) ?? Coordinate(x: .nan, y: .nan)
                }
                feature.properties["layer"] = .string(layer)
                features.append(feature)
            }
        }
        return GeoJSONWriter.write(FeatureCollection(features: features))
    }
}
