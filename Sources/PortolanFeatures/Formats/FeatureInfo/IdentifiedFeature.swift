/// A feature found at a place on the map, and the layer it is of.
public struct IdentifiedFeature: Hashable, Sendable {
    /// The name of the layer as the answer has it, or `nil` when it tells none.
    public var layer: String?
    /// The feature; its geometry, where there is one, is in degrees, longitude first.
    public var feature: Feature

    /// Makes a feature that was found.
    public init(layer: String? = nil, feature: Feature) {
        self.layer = layer
        self.feature = feature
    }
}
