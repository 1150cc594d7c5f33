import PortolanFeatures
import PortolanGeo
import PortolanRaster

/// Decides which features a view shows, with which styles and icons.
struct FeaturePlanner {
    /// How far outside the view a feature may lie and still reach into it with its symbol, in view pixels.
    private static let symbolReach = 64.0

    private let source: FeatureSource
    private let viewport: Viewport

    /// What styles say that cannot be.
    private(set) var warnings: [FeatureWarning] = []

    /// Makes a planner for a view.
    init(source: FeatureSource, viewport: Viewport) {
        self.source = source
        self.viewport = viewport
    }

    /// The features of the view; the step is empty when it shows none.
    mutating func step() throws(PlanProblem) -> FeatureStep {
        guard let view = try ViewInSource(viewport: viewport, margin: Self.symbolReach, sourceCRS: source.crs) else {
            return FeatureStep(crs: source.crs, features: [])
        }
        let extent = view.fetched
        var places: Set<Int> = []
        for shift in worldShifts(of: source.crs, in: extent) {
            guard let moved = extent.shifted(x: -shift, y: 0) else { continue }
            places.formUnion(source.places(touching: moved))
        }
        var features: [StyledFeature] = []
        for place in places.sorted() {
            if let styled = styled(source.features[place]) { features.append(styled) }
        }
        return FeatureStep(
            crs: source.crs, features: features,
            worldShifts: worldShifts(of: viewport.crs, in: viewport.extent(margin: Self.symbolReach)),
            selectionMarkSize: source.selectionMarkSize)
    }

    private mutating func styled(_ feature: Feature) -> StyledFeature? {
        let isSelected = source.selection.map { $0 == feature.identifier } ?? false
        let style = StyleResolver(defaults: source.style).style(
            for: feature, selected: isSelected, warnings: &warnings)
        guard !style.isHidden else { return nil }
        var iconURL: String?
        if case .icon(let icon) = style.marker, feature.geometry?.hasPoints ?? false {
            iconURL = IconAddress.url(of: icon.source, relativeTo: source.baseURL)
            if iconURL == nil {
                warnings.append(
                    FeatureWarning(
                        feature: feature.identifier?.description, message: "its icon is relative to no known place"))
            }
        }
        return StyledFeature(feature: feature, style: style, iconURL: iconURL, isSelected: isSelected)
    }
}

extension Geometry {
    /// Whether a point is among the shapes.
    fileprivate var hasPoints: Bool {
        kind == .point || kind == .multiPoint || children.contains(where: \.hasPoints)
    }
}
