public import PortolanFeatures
public import PortolanGeo

/// Features to draw, each with its style.
public struct FeatureStep: Equatable, Sendable {
    /// How far outside the view a feature may lie and still reach into it with its symbol, in view pixels.
    package static let symbolReach = 256.0

    /// The system of the features' coordinates.
    public let crs: CRS

    /// The features that the view may show, in drawing order.
    public let features: [StyledFeature]

    /// How far eastward copies of the features are drawn, in units of the map's CRS, where the view shows the world more
    /// than once.
    public let worldShifts: [Double]

    /// How large the mark above a selected point is, in view pixels; 0 for none.
    public let selectionMarkSize: Double

    /// Makes a step.
    public init(crs: CRS, features: [StyledFeature], worldShifts: [Double] = [0], selectionMarkSize: Double = 0) {
        self.crs = crs
        self.features = features
        self.worldShifts = worldShifts
        self.selectionMarkSize = selectionMarkSize
    }
}

/// A feature as it is to be drawn.
public struct StyledFeature: Equatable, Sendable {
    /// The feature.
    public let feature: Feature
    /// How it looks.
    public let style: Style
    /// The address of its icon, or `nil` when it has none.
    public let iconURL: String?
    /// Whether it is shown as selected.
    public let isSelected: Bool

    /// Makes a feature to draw.
    public init(feature: Feature, style: Style, iconURL: String?, isSelected: Bool) {
        self.feature = feature
        self.style = style
        self.iconURL = iconURL
        self.isSelected = isSelected
    }
}
