public import PortolanFeatures

/// The inputs of an expression: the zoom, a feature and the state of the map.
///
/// ```swift
/// let expression = try StyleExpression(["get", "name"], for: PropertySpecification(.string))
/// let value = try expression.evaluate(ExpressionContext(zoom: 12, feature: feature))
/// ```
public struct ExpressionContext: Sendable {
    /// The zoom of the style, at which the world is 512 · 2^zoom pixels wide.
    public var zoom: Double
    /// The feature's properties.
    public var properties: Properties
    /// The identifier of the feature, or `nil`.
    public var id: Feature.ID?
    /// `Point`, `LineString`, `Polygon` or their multi-part types, or `nil` without a geometry.
    public var geometryType: String?
    /// The geometry in longitude and latitude, or `nil` if unknown.
    public var geometry: Geometry?
    /// The feature state, which no document contains.
    public var state: Properties
    /// The names of the available images, or `nil` if unknown.
    public var availableImages: Set<String>?
    /// The global state of the style.
    public var globalState: Properties
    /// The density in a heatmap, 0 to 1.
    public var heatmapDensity: Double
    /// The elevation of the ground in metres.
    public var elevation: Double
    /// The position along a line, 0 to 1.
    public var lineProgress: Double
    /// The aggregated value of a cluster.
    public var accumulated: ExpressionValue

    /// Creates a context without a feature.
    public init(zoom: Double = 0) {
        self.zoom = zoom
        properties = [:]
        state = [:]
        globalState = [:]
        heatmapDensity = 0
        elevation = 0
        lineProgress = 0
        accumulated = .null
    }

    /// Creates a context for a feature.
    public init(zoom: Double, feature: Feature) {
        self.init(zoom: zoom)
        set(feature)
    }

    /// Replaces the feature.
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
