package import PortolanFeatures
import PortolanGeo
package import PortolanRaster
package import PortolanStyles

/// The features of a WFS or an OGC API, fetched for the visible extent, and their appearance.
///
/// Features are requested by cells of a grid that is the same for all views, some 512 to 1024 picture pixels wide, and
/// by pages. Requests therefore repeat, and caches answer them. A feature that several cells contain is drawn once. Use
/// ``MapLayer/featureService`` to find the source of a layer:
///
/// ```swift
/// if let service = layer.featureService { print(service.kind, service.limit) }
/// ```
public struct FeatureServiceSource: LayerSource {
    /// The request to the service.
    package let request: FeatureRequest

    /// The appearance of the features.
    ///
    /// Its own feature list is empty.
    public var appearance: FeatureSource

    /// The largest number of features in a view; 20,000 by default.
    public let limit: Int

    /// The extent of the features as stated by the service, or `nil`.
    public let bounds: LayerBounds?

    /// The budget to which features are charged.
    let memory: MemoryBudget?

    /// The responses parsed so far.
    let cells = FeatureCells()

    /// The largest number of features of a page.
    package static let pageSize = 2000

    /// The default number of features in a view.
    public static let standardLimit = 20_000

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - style: the layer's declarations for features without a style.
    ///   - sheet: the style that overrides all other styling, or `nil`.
    ///   - limit: the largest number of features in a view.
    ///   - memory: the budget to which features are charged, or `nil`.
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

    /// Returns whether two sources request the same features and draw them alike.
    public static func == (one: FeatureServiceSource, other: FeatureServiceSource) -> Bool {
        one.request == other.request && one.limit == other.limit && one.bounds == other.bounds
            && one.appearance == other.appearance
    }

    /// `wfs` or `oaf`.
    public var kind: String { request.kind }

    /// The cells that the view touches, their known pages, and the features received so far.
    public func plan(for view: LayerView, given arrivals: Arrivals) throws(PlanError) -> LayerPlan {
        var planner = FeatureServicePlanner(self, view, arrivals)
        return try planner.plan()
    }
}

extension FeatureServiceSource {
    /// Returns the features of a view that have been received, each once, or `nil` if nothing is drawn.
    package func features(for view: LayerView, given arrivals: Arrivals) -> FeatureSource? {
        var planner = FeatureServicePlanner(self, view, arrivals)
        _ = try? planner.plan()
        return planner.features
    }
}

extension MapLayer {
    /// The feature service that the layer draws, or `nil` if it has another kind of source.
    public var featureService: FeatureServiceSource? { source as? FeatureServiceSource }
}
