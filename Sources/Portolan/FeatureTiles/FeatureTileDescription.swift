import PortolanFeatures
package import PortolanPlan
package import PortolanServices

extension FeatureTileLayer {
    /// The description of the layer in the metadata of tiles.
    package func description(_ levels: ClosedRange<Int>) -> VectorLayerDescription {
        VectorLayerDescription(
            id: name, minimumLevel: levels.lowerBound, maximumLevel: levels.upperBound,
            fields: attributes.fields.map { VectorLayerDescription.Field(name: $0.name, type: $0.type) })
    }
}

extension FeatureTileCounts {
    /// What a level leaves out, in the words of tippecanoe's metadata.
    var strategies: PropertyValue {
        var members = Properties()
        if thinned > 0 { members["dropped_by_rate"] = .integer(thinned) }
        if dropped > 0 { members["dropped_as_needed"] = .integer(dropped) }
        if specks > 0 { members["tiny_polygons"] = .integer(specks) }
        return .object(members)
    }
}

extension FeatureTileError: MapErrorConvertible {
    package var mapError: MapError {
        switch self {
        case .tooLarge(let level, let column, let row, let features, let bytes):
            MapError(
                .tooLarge, subject: "tile \(level)/\(column)/\(row)",
                bytes.map { "\(features) features in \($0) bytes exceed the limit of a tile" }
                    ?? "\(features) features exceed the limit of a tile",
                remedy: "drop some with --drop densest, raise the limit, or begin with a finer level")
        case .tooMany(let level):
            MapError(
                .tooLarge, subject: "level \(level)", "the tiles have more than 16 million features",
                remedy: "make fewer levels with --zooms")
        case .noMemory: MapError(.tooLarge, "there is no memory to compress a tile")
        case .cancelled: MapError(.cancelled, "the task was cancelled")
        }
    }
}
