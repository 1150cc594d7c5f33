package import PortolanFeatures
import PortolanGeo
package import PortolanRaster
package import PortolanStyles

/// Features of a service, a WFS or an OGC API, of which a view fetches what it shows, and how they are drawn.
///
/// They are asked for by cells of a grid that is the same for all views, some 512 to 1024 picture pixels wide, and by pages, so
/// that requests repeat and caches answer them. A feature that lies in several cells is drawn once.
public struct FeatureServiceSource: LayerSource {
    /// How the service is asked.
    package let request: FeatureRequest

    /// The look of the features; its own features are none.
    public var appearance: FeatureSource

    /// The most features of a view; 20,000 unless another number is given.
    public let limit: Int

    /// Where the service says that there are features, or `nil`.
    public let bounds: LayerBounds?

    /// What features are charged to.
    let memory: MemoryBudget?

    /// What was read already.
    let cells = FeatureCells()

    /// The most features of a page.
    package static let pageSize = 2000

    /// The number of features of a view unless another is given.
    public static let standardLimit = 20_000

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - style: what the layer says about the look of features that do not say it themselves.
    ///   - sheet: the style that draws them in place of all else; `nil` for none.
    ///   - limit: the most features of a view.
    ///   - memory: the budget that features are charged to; `nil` for none.
    package init(
        _ request: FeatureRequest, style: StyleDeclaration = StyleDeclaration(), sheet: StyleSheet? = nil,
        limit: Int = FeatureServiceSource.standardLimit, bounds: LayerBounds? = nil, memory: MemoryBudget? = nil
    ) {
        self.request = request
        appearance = FeatureSource(features: [], crs: request.crs, style: style)
        appearance.sheet = sheet
        self.limit = max(limit, 1)
        self.bounds = bounds
        self.memory = memory
    }

    /// Whether two sources ask for the same and draw it alike.
    public static func == (one: FeatureServiceSource, other: FeatureServiceSource) -> Bool {
        one.request == other.request && one.limit == other.limit && one.bounds == other.bounds
            && one.appearance == other.appearance
    }

    /// `wfs` or `oaf`.
    public var kind: String { request.kind }

    /// The cells that the view touches, their pages as far as they are known, and the features that have come.
    public func plan(for view: LayerView, given arrivals: Arrivals) throws(PlanError) -> LayerPlan {
        var planner = FeatureServicePlanner(self, view, arrivals)
        return try planner.plan()
    }
}

extension MapLayer {
    /// The service whose features the layer draws, or `nil` when its source is another.
    public var featureService: FeatureServiceSource? { source as? FeatureServiceSource }
}
