package import PortolanServices
package import PortolanVectorTiles

/// The layers and attributes that some vector tiles have, for sources that do not describe them.
package struct VectorLayerSummary: Sendable {
    private struct Layer {
        var levels: ClosedRange<Int>
        var names: [String] = []
        var types: [String: String] = [:]
    }

    private var layers: [String: Layer] = [:]
    private var order: [String] = []

    /// Makes an empty summary.
    package init() {}

    /// Adds a tile of a level.
    package mutating func add(_ tile: VectorTile, level: Int) {
        for layer in tile.layers {
            var known = layers[layer.name] ?? Layer(levels: level...level)
            if layers[layer.name] == nil { order.append(layer.name) }
            known.levels = min(known.levels.lowerBound, level)...max(known.levels.upperBound, level)
            for column in layer.columns {
                guard let value = (0..<layer.featureCount).lazy.compactMap({ column[$0] }).first else { continue }
                let type = Self.type(of: value)
                if known.types[column.key] == nil { known.names.append(column.key) }
                known.types[column.key] = known.types[column.key].map { $0 == type ? type : "Mixed" } ?? type
            }
            layers[layer.name] = known
        }
    }

    /// The descriptions of the layers, in the order in which tiles have them.
    package var descriptions: [VectorLayerDescription] {
        order.compactMap { name in
            layers[name].map { layer in
                VectorLayerDescription(
                    id: name, minimumLevel: layer.levels.lowerBound, maximumLevel: layer.levels.upperBound,
                    fields: layer.names.map { VectorLayerDescription.Field(name: $0, type: layer.types[$0] ?? "") })
            }
        }
    }

    private static func type(of value: VectorTileValue) -> String {
        switch value {
        case .string: "String"
        case .float, .double, .int, .uint: "Number"
        case .bool: "Boolean"
        case .list, .map: "Mixed"
        }
    }
}
