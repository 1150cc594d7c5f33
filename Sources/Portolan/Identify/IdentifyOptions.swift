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
