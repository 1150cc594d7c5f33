import PortolanFeatures
import PortolanGeo
import PortolanVectorTiles

@testable import PortolanPlan

/// Features on the plane of the world, and their tiles.
enum FeatureTilesOfFeatures {
    /// A layer of geometries in web mercator, each with its number as identifier and as property `n`.
    static func layer(
        _ geometries: [Geometry], name: String = "layer", levels: ClosedRange<Int> = 0...14,
        _ settings: FeatureTileSettings = FeatureTileSettings()
    ) throws -> FeatureTileLayer {
        let features = geometries.enumerated().map {
            Feature(id: .integer($0), geometry: $1, properties: ["n": .integer($0)])
        }
        return try layer(features, name: name, levels: levels, settings)
    }

    static func layer(
        _ features: [Feature], name: String = "layer", levels: ClosedRange<Int> = 0...14,
        _ settings: FeatureTileSettings = FeatureTileSettings()
    ) throws -> FeatureTileLayer {
        let transform = try CoordinateTransform(from: .webMercator, to: .webMercator)
        return FeatureTileLayer(
            name: name, attributes: FeatureTileAttributes(features, settings.attributes),
            blocks: features.isEmpty ? [] : [FeatureTileShapes(features[...], by: transform)], levels: levels, settings)
    }

    /// A position in units of a level, from the north-west corner of the world, in web mercator.
    static func place(_ x: Double, _ y: Double, level: Int) -> Coordinate {
        let world = CRS.webMercator.worldWidth ?? 1, unit = world / Double(4096 << level)
        return Coordinate(x: x * unit - world / 2, y: world / 2 - y * unit)
    }

    /// The tile of layers.
    static func tile(
        _ layers: [FeatureTileLayer], _ level: Int, _ column: Int, _ row: Int,
        _ settings: FeatureTileSettings = FeatureTileSettings(), isFinest: Bool = false
    ) throws -> (tile: VectorTile?, counts: FeatureTileCounts) {
        let made = try FeatureTileIndex.tile(
            of: layers.map(FeatureTileIndex.init), level: level, column: column, row: row, isFinest: isFinest, settings)
        guard let made, !made.bytes.isEmpty else { return (nil, made?.counts ?? FeatureTileCounts()) }
        return (try VectorTile(made.bytes), made.counts)
    }

    /// The vertices of a feature of a layer, part by part.
    static func parts(_ layer: VectorTileLayer?, _ feature: Int = 0) -> [[[Int32]]] {
        guard let geometry = layer?.geometry else { return [] }
        return geometry.parts(of: feature).map { part in
            geometry.vertices(of: part).map { [geometry.vertex($0).x, geometry.vertex($0).y] }
        }
    }
}
