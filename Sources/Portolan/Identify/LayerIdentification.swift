import PortolanFeatures
public import PortolanFormats

/// The information of one layer at a position.
public struct LayerIdentification: Hashable, Sendable {
    /// The result of a query.
    public enum Outcome: Hashable, Sendable {
        /// The features or text at the position, which may be empty.
        case answer(ServiceClient.FeatureInfo)
        /// The layer consists of images without a query interface.
        case notQueryable
        /// The query failed.
        case failure(MapError)
    }

    /// The name of the layer.
    public let layer: String
    /// The kind of the layer, as in ``RenderReport/Layer/kind``.
    public let kind: String
    /// The result of the query.
    public let outcome: Outcome

    /// The found features, the topmost first.
    public var features: [IdentifiedFeature] {
        if case .answer(.features(let features)) = outcome { features } else { [] }
    }
}

/// Options for queries at a position.
public struct IdentifyOptions: Hashable, Sendable {
    /// The maximum number of features per layer, at least 1.
    ///
    /// Default: 10.
    public var featureCount = 10

    /// The maximum distance from a feature in view pixels.
    ///
    /// Default: 4.
    ///
    /// It applies to features drawn by Portolan. Services have their own tolerances.
    public var tolerance = 4.0

    /// The format of service responses: a media type, or `geojson`, `json`, `gml`, `xml`, `text` or `html`; `nil` for
    /// the most informative format.
    public var infoFormat: String?

    /// Creates the default options.
    public init() {}
}
