public import PortolanFeatures

/// What an expression is evaluated for: a zoom, a feature and what is known besides.
public struct ExpressionContext: Sendable {
    /// The zoom of the style, at which the world is 512 · 2^zoom pixels wide.
    public var zoom: Double
    /// The feature's properties.
    public var properties: Properties
    /// What tells the feature from others, or `nil` when it has nothing.
    public var id: Feature.ID?
    /// `Point`, `LineString`, `Polygon` or their multiples, or `nil` when there is no shape.
    public var geometryType: String?
    /// Where the feature lies, in longitude and latitude, or `nil` where that is not known.
    public var geometry: Geometry?
    /// The state of the feature, which no document says.
    public var state: Properties
    /// The names of the pictures there are, or `nil` when that is not known.
    public var availableImages: Set<String>?
    /// The values that the style shares between its expressions.
    public var globalState: Properties
    /// How dense a heatmap is, 0 to 1.
    public var heatmapDensity: Double
    /// How far along a line, 0 to 1.
    public var lineProgress: Double
    /// What was gathered of a cluster.
    public var accumulated: ExpressionValue

    /// Makes a context without a feature.
    public init(zoom: Double = 0) {
        self.zoom = zoom
        properties = [:]
        state = [:]
        globalState = [:]
        heatmapDensity = 0
        lineProgress = 0
        accumulated = .null
    }

    /// Makes a context for a feature.
    public init(zoom: Double, feature: Feature) {
        self.init(zoom: zoom)
        set(feature)
    }

    /// Puts a feature in place of the last one.
    public mutating func set(_ feature: Feature) {
        properties = feature.properties
        id = feature.id
        geometry = feature.geometry
        geometryType =
            switch feature.geometry?.kind {
            case .point, .multiPoint: "Point"
            case .lineString, .multiLineString: "LineString"
            case .polygon, .multiPolygon: "Polygon"
            case .collection: "GeometryCollection"
            case nil: nil
            }
    }
}
