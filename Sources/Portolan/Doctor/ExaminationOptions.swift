public import PortolanServices

/// How a service is examined.
public struct ExaminationOptions: Hashable, Sendable {
    /// The layers that maps are asked of; empty for the first few that can be drawn.
    public var layers: [String]
    /// How many layers are taken where none are named.
    public var maximumLayerCount: Int
    /// The most requests sent in all; what is beyond is left out and told.
    public var maximumRequestCount: Int
    /// The versions that a WMS is examined in; empty for all that it speaks.
    ///
    /// A MapProxy whose configuration leaves out a version between two of its own forgets the newer one when it is asked
    /// for it, until it is started anew: name the others then.
    public var versions: [WMSVersion]

    /// Makes options: two layers and eighty requests at the most.
    public init(
        layers: [String] = [], maximumLayerCount: Int = 2, maximumRequestCount: Int = 80, versions: [WMSVersion] = []
    ) {
        self.layers = layers
        self.maximumLayerCount = maximumLayerCount
        self.maximumRequestCount = maximumRequestCount
        self.versions = versions
    }
}
