public import PortolanRaster
package import PortolanText
import PortolanWeb

/// Turns a view and layers into a ``MapPlan``, without network access or rendering.
///
/// ```swift
/// let plan = MapPlanner(viewport: viewport, margin: 64).plan(layers)
/// print(plan.resources.count, plan.warnings)
/// ```
public struct MapPlanner: Sendable {
    private let viewport: Viewport
    private let margin: Int
    private let background: MapColor
    private let sphere: MapColor?
    private let showsLegend: Bool
    private let traits: ServiceTraits
    private let drafts: Bool
    private let identifies: Bool
    private let fonts: FontBook?

    /// Creates a planner.
    ///
    /// - Parameters:
    ///   - margin: the margin around the view that is fetched but not shown, in view pixels; clamped to 0 through 4096.
    ///   - background: the colour under the bottommost layer.
    ///   - showsLegend: whether to create a legend of the layers.
    public init(viewport: Viewport, margin: Int = 0, background: MapColor = .white, showsLegend: Bool = false) {
        self.init(
            viewport: viewport, margin: margin, background: background, showsLegend: showsLegend,
            traits: ServiceTraits())
    }

    /// Creates a planner.
    ///
    /// - Parameters:
    ///   - sphere: the colour of the earth's disc or sheet under the layers, or `nil`.
    ///   - drafts: whether plans are repeated after arrivals, so that intermediate plans may omit the drawing.
    ///   - identifies: whether features are identified, which needs all their attributes.
    ///   - fonts: the fonts of the picture, which decide whether the glyph ranges of styles are needed; `nil` if no
    ///     text is drawn.
    package init(
        viewport: Viewport, margin: Int = 0, background: MapColor = .white, sphere: MapColor? = nil,
        showsLegend: Bool = false, traits: ServiceTraits, drafts: Bool = false, identifies: Bool = false,
        fonts: FontBook? = nil
    ) {
        self.identifies = identifies
        self.fonts = fonts
        self.drafts = drafts
        self.viewport = viewport
        self.margin = margin
        self.background = background
        self.sphere = sphere
        self.showsLegend = showsLegend
        self.traits = traits
    }

    /// Plans `layers`, bottom first.
    ///
    /// A layer that cannot be planned becomes a warning.
    ///
    /// - Complexity: O(tiles + features of the view).
    public func plan(_ layers: [MapLayer]) -> MapPlan {
        var warnings: [MapWarning] = []
        var planned: [PlannedLayer] = []
        for layer in layers where layer.isDrawn(at: viewport.resolution) {
            if let bounds = layer.bounds ?? layer.source.bounds, !bounds.meets(viewport) {
                warnings.append(
                    MapWarning(
                        .outsideView, layer: layer.name,
                        message: "the view is entirely outside the layer, which covers \(bounds)"))
            }
            do throws(PlanError) {
                planned.append(PlannedLayer(layer, plan: try self.plan(of: layer, given: Arrivals())))
            } catch { warnings.append(MapWarning(.notDrawn, layer: layer.name, message: error.description)) }
        }
        var map = MapPlan(viewport: viewport, background: background, layers: planned, ownWarnings: warnings)
        map.sphere = sphere
        if showsLegend { map.legend = LegendPlanner.legend(of: map.layers) }
        return map
    }

    /// Plans the layers again that depend on the arrivals.
    package func plan(_ plan: MapPlan, given arrivals: Arrivals) -> MapPlan {
        var plan = plan
        for place in plan.layers.indices.reversed() where plan.layers[place].plan.isRevised(by: arrivals) {
            let layer = plan.layers[place].layer
            do throws(PlanError) {
                plan.layers[place].plan = try self.plan(of: layer, given: arrivals)
            } catch {
                // A plan that succeeded once succeeds again, unless it was a draft.
                guard drafts else { continue }
                plan.remove(place, because: MapWarning(.notDrawn, layer: layer.name, message: error.description))
            }
        }
        if showsLegend { plan.legend = LegendPlanner.legend(of: plan.layers) }
        return plan
    }

    /// Plans a part of a view with the arrivals for the whole view.
    package func plan(_ plan: MapPlan, in part: Viewport, given arrivals: Arrivals) -> MapPlan {
        let planner = MapPlanner(
            viewport: part, background: background, sphere: sphere, traits: traits, drafts: true)
        return planner.plan(planner.plan(plan.layers.map(\.layer)), given: arrivals)
    }

    private func plan(of layer: MapLayer, given arrivals: Arrivals) throws(PlanError) -> LayerPlan {
        try layer.source.plan(
            for: LayerView(
                viewport, layer: layer.name, margin: margin, traits: traits, isDraft: drafts, identifies: identifies,
                fonts: fonts),
            given: arrivals)
    }
}
