/// The limits of decoding a tile.
///
/// Tiles are untrusted, and a few bytes can expand to millions of values.
package struct VectorTileLimits: Hashable, Sendable {
    /// The largest number of bytes of an unpacked tile, and of the text that its layers decode to.
    package var byteCount = 64 << 20
    /// The largest number of layers.
    package var layerCount = 4096
    /// The largest number of features in all selected layers.
    package var featureCount = 4 << 20
    /// The largest number of vertices in all selected layers.
    package var vertexCount = 16 << 20
    /// The largest number of lines and rings in all selected layers.
    package var partCount = 8 << 20
    /// The largest number of attributes in all selected layers, counted by feature.
    package var attributeCount = 32 << 20

    /// Makes the limits that suit tiles of any service.
    package init() {}
}

/// The features, vertices, parts, attributes and bytes that may still be decoded.
struct VectorTileBudget {
    private(set) var remaining: VectorTileLimits

    init(_ limits: VectorTileLimits) { remaining = limits }

    mutating func take(_ count: Int, of limit: WritableKeyPath<VectorTileLimits, Int>) -> Bool {
        guard count <= remaining[keyPath: limit] else { return false }
        remaining[keyPath: limit] -= count
        return true
    }
}
