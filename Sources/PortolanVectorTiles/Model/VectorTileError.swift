/// The failure of decoding a vector tile, and its position.
package struct VectorTileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: String, Hashable, Sendable {
        /// The bytes do not follow the format.
        case malformed
        /// The tile uses a version or an encoding that is not read.
        case unsupported
        /// A limit of ``VectorTileLimits`` is exceeded.
        case limitExceeded
        /// The compressed content is damaged.
        case damaged
    }

    /// The kind of failure.
    package let code: Code
    /// The position in the tile, in bytes; in the compressed tile if unpacking failed.
    package let offset: Int
    /// The name of the layer, if it is known.
    package let layer: String?
    /// The failure, for a person.
    package let reason: String

    init(_ code: Code, offset: Int, layer: String? = nil, _ reason: String) {
        self.code = code
        self.offset = offset
        self.layer = layer
        self.reason = reason
    }

    /// The layer, the position and the failure, in one line.
    package var description: String {
        (layer.map { "layer \($0.debugDescription), " } ?? "") + "byte \(offset): \(reason)"
    }

    /// The same failure in a layer.
    func `in`(_ layer: String) -> VectorTileError {
        VectorTileError(code, offset: offset, layer: self.layer ?? layer, reason)
    }
}
