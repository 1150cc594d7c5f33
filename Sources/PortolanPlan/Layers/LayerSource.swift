import PortolanGeo
import PortolanRaster
package import PortolanText
public import PortolanWeb

/// The content of a layer, and the extension point for new kinds of layers.
///
/// A source is a value with one pure function: given a view and the resources received so far, it returns the resources
/// it needs and what is painted. The renderer fetches the resources and asks again as long as the plan states that
/// arrivals may change it. This one rule covers coarser tiles in place of failed ones, an image requested again in
/// smaller pieces after a refusal, and a document that names further images.
///
/// Hit tests, legends and reports read the plan, so that a source need not implement anything else. A source that draws
/// fixed features:
///
/// ```swift
/// struct Depots: LayerSource {
///     var kind: String { "depots" }
///     var features: FeatureSource
///
///     func plan(for view: LayerView, given arrivals: Arrivals) throws(PlanError) -> LayerPlan {
///         try features.plan(for: view, given: arrivals)
///     }
/// }
/// ```
public protocol LayerSource: Equatable, Sendable {
    /// The kind of layer in reports and plans, such as `wms` or `features`.
    var kind: String { get }

    /// The extent of the content, or `nil` if unknown. Drawing is not clipped to it.
    var bounds: LayerBounds? { get }

    /// Plans the layer for a view.
    ///
    /// - Parameters:
    ///   - view: the view, and the layer name for resource identities.
    ///   - arrivals: the results for the resources of earlier plans for this view; empty at first.
    /// - Throws: ``PlanError`` if the layer cannot be drawn for this view. The layer is then left out, with a warning.
    func plan(for view: LayerView, given arrivals: Arrivals) throws(PlanError) -> LayerPlan
}

extension LayerSource {
    /// The extent of the content is unknown by default.
    public var bounds: LayerBounds? { nil }

    /// Returns whether two sources of any kinds draw the same.
    func isEqual(to other: any LayerSource) -> Bool { (other as? Self) == self }
}

/// The view for which a layer is planned.
public struct LayerView: Sendable {
    /// The view.
    public let viewport: Viewport
    /// The name of the layer on its map.
    public let layer: String
    /// The planned part of a layer that consists of several sources, or `nil` for the whole layer.
    public private(set) var part: String?
    /// The margin around the view that is fetched but not shown, in view pixels.
    public let margin: Int
    /// Service limits that were found by trial.
    package let traits: ServiceTraits
    /// Whether a plan may omit the drawing while it waits for a resource with which it will be planned again.
    package let isDraft: Bool
    /// Whether features are identified, and all their attributes are wanted, not only those that decide how they are drawn.
    package let identifies: Bool
    /// The fonts of the picture, or `nil` if no text is drawn.
    package let fonts: FontBook?

    /// Creates a view.
    ///
    /// - Parameter margin: clamped to 0 through 4096.
    public init(_ viewport: Viewport, layer: String, margin: Int = 0) {
        self.init(viewport, layer: layer, margin: margin, traits: ServiceTraits())
    }

    package init(
        _ viewport: Viewport, layer: String, margin: Int = 0, traits: ServiceTraits, isDraft: Bool = false,
        identifies: Bool = false, fonts: FontBook? = nil
    ) {
        self.isDraft = isDraft
        self.identifies = identifies
        self.fonts = fonts
        self.viewport = viewport
        self.layer = layer
        self.margin = min(max(margin, 0), 4096)
        self.traits = traits
    }

    /// Returns the identity of a resource of the layer.
    public func id(_ item: Resource.ID.Item) -> Resource.ID { Resource.ID(layer: layer, part: part, item) }

    /// Returns the view for a part of the layer, whose resources have separate identities.
    public func of(part: String) -> LayerView {
        var view = self
        view.part = part
        return view
    }
}

/// The resources that a layer needs for a view, and its drawing.
public struct LayerPlan: Equatable, Sendable {
    /// The needed resources in drawing order, each identity once.
    public var resources: [Resource]
    /// The drawing, bottom first.
    ///
    /// It refers to resources by identity.
    public var nodes: [Scene.Node]
    /// Warnings for the user.
    public var warnings: [MapWarning]
    /// The arrivals after which the source is planned again.
    public var revision: Revision
    /// The image sizes that services were found to draw.
    package var foundTraits = ServiceTraits()
    /// The number of visible style layers, including missing ones; 0 if no style is used.
    package var partCount = 0
    /// The samples of colours that no feature has.
    package var legendSymbols: [Legend.Symbol] = []

    /// When a source plans a view again.
    public enum Revision: Sendable {
        /// Never: arrivals do not change the plan.
        case never
        /// After a resource has failed for which another may be used.
        case afterFailures
        /// After any needed resource has arrived.
        case afterArrivals
    }

    /// Creates a plan.
    public init(
        resources: [Resource] = [], nodes: [Scene.Node] = [], warnings: [MapWarning] = [],
        revision: Revision = .never
    ) {
        self.resources = resources
        self.nodes = nodes
        self.warnings = warnings
        self.revision = revision
    }
}

extension MapWarning {
    /// The message about a view that is completely outside the domain of the source CRS.
    static func nothingToAsk(in crs: CRS) -> String {
        "no part of the view is available in \(crs), the CRS of the layer"
    }
}

extension LayerPlan {
    /// Whether the source must be planned again with these arrivals.
    func isRevised(by arrivals: Arrivals) -> Bool {
        switch revision {
        case .never: false
        case .afterFailures: resources.contains { arrivals.failure($0.id) != nil }
        case .afterArrivals: resources.contains { arrivals.isKnown($0.id) }
        }
    }

    /// Keeps the first resource of each identity, unless only a later one is shown.
    ///
    /// The smallest rank is kept.
    mutating func keepDistinctResources() {
        var places: [Resource.ID: Int] = [:], distinct: [Resource] = []
        distinct.reserveCapacity(resources.count)
        for resource in resources {
            guard let place = places[resource.id] else {
                places[resource.id] = distinct.count
                distinct.append(resource)
                continue
            }
            let known = distinct[place]
            let isBetter =
                (resource.use == .shown && known.use != .shown)
                || (resource.use == known.use && resource.rank < known.rank)
            if isBetter { distinct[place] = resource }
        }
        resources = distinct
    }

    /// Adds a warning if all shown images have arrived and are blank.
    ///
    /// No service exception reports data in another region, a wrong axis order, or a failed upstream service.
    mutating func warnIfBlank(_ arrivals: Arrivals, layer: String) {
        let shown = resources.filter { $0.use == .shown }
        let isBlank =
            !shown.isEmpty
            && shown.allSatisfy { arrivals.image($0.id)?.pixels.allSatisfy { $0 == 0 } ?? false }
        guard isBlank else { return }
        warnings.append(
            MapWarning(
                .blank, layer: layer,
                message: "the service returned an empty image; its data or scale range may not cover the view"))
    }
}
