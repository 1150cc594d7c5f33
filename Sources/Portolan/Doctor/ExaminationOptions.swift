/// How a service is examined.
public struct ExaminationOptions: Hashable, Sendable {
    /// The layers that maps are asked of; empty for the first few that can be drawn.
    public var layers: [String]
    /// How many layers are taken where none are named.
    public var maximumLayerCount: Int
    /// The most requests sent in all; what is beyond is left out and told.
    public var maximumRequestCount: Int
    /// Whether a WMS is asked for versions that lie between two that it speaks, and these are examined like the others.
    ///
    /// MapProxy, where it does not offer such a version, forgets its newest one then until it is started anew.
    public var asksBetween: Bool

    /// Makes options: two layers and eighty requests at the most.
    public init(
        layers: [String] = [], maximumLayerCount: Int = 2, maximumRequestCount: Int = 80, asksBetween: Bool = false
    ) {
        self.layers = layers
        self.maximumLayerCount = maximumLayerCount
        self.maximumRequestCount = maximumRequestCount
        self.asksBetween = asksBetween
    }
}
