import PortolanFeatures
public import PortolanFormats

/// What one layer has at a place.
public struct LayerIdentification: Hashable, Sendable {
    /// What came of asking.
    public enum Outcome: Hashable, Sendable {
        /// What is there; it may be nothing.
        case answer(FeatureInfoAnswer)
        /// The layer is pictures, and there is nobody to ask about them.
        case notQueryable
        /// It could not be found out.
        case failure(MapError)
    }

    /// The name of the layer.
    public let layer: String
    /// The kind of the layer, as ``RenderReport/Layer/kind``.
    public let kind: String
    /// What came of asking.
    public let outcome: Outcome

    /// The features that were found, the topmost first.
    public var features: [IdentifiedFeature] {
        if case .answer(.features(let features)) = outcome { features } else { [] }
    }
}

/// What is wanted to be known about a place.
public struct IdentifyOptions: Hashable, Sendable {
    /// The most features wanted of each layer, at least 1; 10.
    public var featureCount = 10

    /// How far beside a feature the place may be, in view pixels; 4.
    ///
    /// It is for features drawn here; services have tolerances of their own.
    public var tolerance = 4.0

    /// The format of services' answers, a media type or `geojson`, `json`, `gml`, `xml`, `text` or `html`; `nil` for the
    /// one from which most can be learned.
    public var infoFormat: String?

    /// Makes the default options.
    public init() {}
}
