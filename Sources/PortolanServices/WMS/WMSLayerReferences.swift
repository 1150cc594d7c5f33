/// Where there is more about a layer than its pictures (OGC 06-042 7.2.4.6.11 to 7.2.4.6.15).
public struct WMSLayerReferences: Hashable, Sendable {
    /// A layer's number in the catalogue of an authority.
    public struct Identifier: Hashable, Sendable {
        /// The name of the authority; ``WMSLayerReferences/authorities`` has its address.
        public var authority: String
        /// The number.
        public var value: String
    }

    /// Descriptions of the data.
    public var metadata: [WMSLink] = []
    /// The data themselves.
    public var data: [WMSLink] = []
    /// Lists of the features shown.
    public var featureLists: [WMSLink] = []
    /// The layer's numbers in catalogues.
    public var identifiers: [Identifier] = []
    /// The addresses of the authorities that ``identifiers`` name, those of the layers around it among them.
    public var authorities: [String: String] = [:]

    /// Makes references to nothing.
    public init() {}
}
