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
