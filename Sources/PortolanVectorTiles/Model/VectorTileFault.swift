/// An invalid part of a tile that was left out, so that the rest can be drawn.
package struct VectorTileFault: Hashable, Sendable, CustomStringConvertible {
    /// The kinds of fault.
    package enum Code: Hashable, Sendable {
        /// A feature has an unknown geometry type.
        case geometryType
        /// A feature has no geometry, or several.
        case geometry
        /// The tags of a feature are not pairs.
        case tags
        /// Another layer of the tile has the same name.
        case duplicateLayer
    }

    package let code: Code
    /// The name of the layer.
    package let layer: String
    /// The position of the part in the unpacked tile, in bytes.
    package let offset: Int

    package var description: String {
        let reason =
            switch code {
            case .geometryType: "a feature of an unknown geometry type is left out"
            case .geometry: "a feature without exactly one geometry is left out"
            case .tags: "a feature with an odd number of tags is left out"
            case .duplicateLayer: "a second layer of this name is left out"
            }
        return "layer '\(layer)', byte \(offset): \(reason)"
    }
}
