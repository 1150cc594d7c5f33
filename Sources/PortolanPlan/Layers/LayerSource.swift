import PortolanGeo
import PortolanRaster
public import PortolanWeb

/// Where the content of a layer comes from: the seam for new kinds of layers.
///
/// A source is a value, and its one question is pure: *what is needed for this view, and what is painted, given what has
/// come so far?* The renderer asks it, gets what is needed, and asks again as long as the answer says that the arrivals
/// may change it. So a coarser tile in place of a lost one, an image asked for again in smaller pieces after a refusal, or
/// a document before the images that it names are all the same rule.
///
/// Hit tests, legends and reports read the plan; a source has no more to do for them.
public protocol LayerSource: Equatable, Sendable {
    /// The kind of layer as reports and plans name it, such as `wms` or `features`.
    var kind: String { get }

    /// Where the source has something to show, or `nil` where that is not known; nothing is cut to it.
    var bounds: LayerBounds? { get }

    /// Plans the layer for a view.
    ///
    /// - Parameters:
    ///   - view: the view, and the name of the layer for the identities of resources.
    ///   - arrivals: what has become of the resources of earlier plans for this view; empty at first.
    /// - Throws: ``PlanError`` when the layer cannot be drawn for this view; it is then left out, with a warning.
    func plan(for view: LayerView, given arrivals: Arrivals) throws(PlanError) -> LayerPlan
}

extension LayerSource {
    /// Nothing is known of where the source has something to show.
    public var bounds: LayerBounds? { nil }

    /// Whether two sources, of whatever kinds, draw the same.
    func isEqual(to other: any LayerSource) -> Bool { (other as? Self) == self }
}

/// A view as the source of a layer is asked about it.
public struct LayerView: Sendable {
    /// The view.
    public let viewport: Viewport
    /// The name of the layer on its map.
    public let layer: String
    /// The part of the layer that is asked about, where the layer is made of several sources; `nil` for the whole.
    public private(set) var part: String?
    /// View pixels around the view that are fetched but not shown.
    public let margin: Int
    /// What services were found to be like that do not state it.
    package let traits: ServiceTraits
    /// Whether a plan may leave out what is painted as long as it waits for something that it is certain to be asked again
    /// with.
    package let isDraft: Bool

    /// Makes a view.
    ///
    /// - Parameter margin: clamped to 0 through 4096.
    public init(_ viewport: Viewport, layer: String, margin: Int = 0) {
        self.init(viewport, layer: layer, margin: margin, traits: ServiceTraits())
    }

    package init(
        _ viewport: Viewport, layer: String, margin: Int = 0, traits: ServiceTraits, isDraft: Bool = false
    ) {
        self.isDraft = isDraft
        self.viewport = viewport
        self.layer = layer
        self.margin = min(max(margin, 0), 4096)
        self.traits = traits
    }

    /// The identity of a resource of the layer.
    public func id(_ item: Resource.ID.Item) -> Resource.ID { Resource.ID(layer: layer, part: part, item) }

    /// The view as a part of the layer is asked about it: what it needs is told apart from what other parts need.
    public func of(part: String) -> LayerView {
        var view = self
        view.part = part
        return view
    }
}

/// What a layer needs for a view, and what is painted of it.
public struct LayerPlan: Equatable, Sendable {
    /// What is needed, in drawing order; each identity once.
    public var resources: [Resource]
    /// What is painted, bottom first; it names resources by their identities.
    public var nodes: [Scene.Node]
    /// What a person should know.
    public var warnings: [MapWarning]
    /// What has to arrive for the source to be asked again.
    public var revision: Revision
    /// How large services were found to draw.
    package var foundTraits = ServiceTraits()
    /// How many layers of a style the view shows, those that are missing among them; 0 for what is drawn without one.
    package var partCount = 0

    /// When a source plans a view anew.
    public enum Revision: Sendable {
        /// Whatever arrives, the plan stays.
        case never
        /// When something cannot be had, which something else may stand in for.
        case afterFailures
        /// When anything has come of what it needs.
        case afterArrivals
    }

    /// Makes a plan.
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
    /// The message about a view that lies wholly outside what the system of a source can show.
    static func nothingToAsk(in crs: CRS) -> String {
        "no part of the view is available in \(crs), the CRS of the layer"
    }
}

extension LayerPlan {
    /// Whether the source is to be asked again, now that this has arrived.
    func isRevised(by arrivals: Arrivals) -> Bool {
        switch revision {
        case .never: false
        case .afterFailures: resources.contains { arrivals.failure($0.id) != nil }
        case .afterArrivals: resources.contains { arrivals.isKnown($0.id) }
        }
    }

    /// Keeps the first resource of each identity, unless a later one is shown and it is not; the nearest place counts.
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

    /// Adds a warning when all images that are shown have come and are empty: no exception tells of data that are
    /// elsewhere, of axes in the wrong order, or of a service behind the service that failed.
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
