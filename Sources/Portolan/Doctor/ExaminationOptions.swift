/// How a service is examined.
public struct ExaminationOptions: Hashable, Sendable {
    /// The layers that maps are asked of; empty for the first few that can be drawn.
    public var layers: [String]
    /// How many layers are taken where none are named.
    public var maximumLayerCount: Int
    /// The most requests sent in all; what is beyond is left out and told.
    public var maximumRequestCount: Int

    /// Makes options: two layers and eighty requests at the most.
    public init(layers: [String] = [], maximumLayerCount: Int = 2, maximumRequestCount: Int = 80) {
        self.layers = layers
        self.maximumLayerCount = maximumLayerCount
        self.maximumRequestCount = maximumRequestCount
    }
}
